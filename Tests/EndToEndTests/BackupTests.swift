import Foundation
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("I23 a restored backup")
  struct BackupTests {
    @Test func `what devices still hold comes back, also what the backup has not`() async throws {
      let world = try await World()
      let early = try await world.laptop.requests.add(first: "Early", company: "0")
      try await world.settle()
      let backup = try TemporaryDirectory()
      let state = world.broker.directory.file("state")
      let made = try await Device.said(
        "contacts-broker", ["backup", backup.path, "--state", state])
      #expect(made.status == 0, "\(made.error)")

      let late = try await world.laptop.requests.add(first: "Late")
      try await world.phone.requests.setCompany(of: early, to: "1")
      try await world.settle()

      try await world.broker.kill()
      try FileManager.default.removeItem(atPath: state)
      let restored = try await Device.said(
        "contacts-broker", ["restore", backup.path, "--state", state])
      #expect(restored.status == 0, "\(restored.error)")
      try await world.broker.restart()

      let contacts = try await world.settle()
      #expect(contacts.count { $0.id == late } == 1)
      #expect(contacts.count { $0.id == early } == 1)
      #expect(contacts.filter { $0.id.hasPrefix("bundled-") }.count == 10)
      // The edit that the backup has not is shown, or listed for its author to decide.
      for device in [world.laptop, world.phone] {
        let company = try await device.requests.contact(early)?.company
        let conflicts = try await device.requests.status().conflicts
        #expect(company == "1" || conflicts > 0, "\(company ?? "nothing") on \(device.name)")
      }
      let check = try await Device.said("contacts-broker", ["check", "--state", state])
      #expect(check.output == "All is well.\n")
    }
  }
}
