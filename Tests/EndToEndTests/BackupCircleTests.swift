import Foundation
import Processes
import Testing

extension EndToEnd {
  @Suite("I16, I19, I20, I21, I23 the whole circle of a backup")
  struct BackupCircleTests {
    @Test
    func
      `after every kind of damage and two restores nothing is lost, and nothing deleted is back`()
      async throws
    {
      let circle = try await BackupCircle()
      try await circle.fill()
      try await circle.tablet.kill()
      let gone = try await circle.laptop.id(of: "Gone")
      try await circle.laptop.does("rm", gone)
      try await circle.agree([circle.laptop, circle.phone])
      try await backUpWhatIsDamaged(circle)
      try await restoreWhatIsDamaged(circle)
      try await tearLog(circle)
      try await restoreAgain(circle, without: gone)
    }

    private func backUpWhatIsDamaged(_ circle: BackupCircle) async throws {
      try await circle.stopBroker()
      try circle.damageBroker()
      let check = try await circle.administer("check")
      #expect(check.status == 65)
      #expect(check.output.contains("The record “"), "\(check.output)")
      let backup = try await circle.administer("backup", circle.backup.path)
      #expect(backup.status == 2)
      #expect(backup.output.contains("The record “"), "\(backup.output)")
      #expect(backup.output.ranges(of: "The file ").count == 2, "\(backup.output)")
    }

    private func restoreWhatIsDamaged(_ circle: BackupCircle) async throws {
      let restored = try await circle.restore()
      #expect(restored.status == 2)
      #expect(restored.output.contains("The record “"), "\(restored.output)")
      #expect(restored.output.ranges(of: "The file ").count == 2, "\(restored.output)")
      try await circle.agree([circle.laptop, circle.phone])
      let ann = try await circle.phone.id(of: "Ann")
      #expect(try await circle.phone.requests.contact(ann)?.company == BackupCircle.marker)
      try await circle.isWhole()
      try await circle.guest.settles()
      #expect(try await circle.guest.groups().contains("Rowing"))
    }

    /// The broker is back in the past by some commits, and does not know it.
    private func tearLog(_ circle: BackupCircle) async throws {
      for name in ["Eve", "Fay"] {
        try await circle.laptop.does("add", "--first", name)
        _ = try await circle.phone.id(of: name)
      }
      try await circle.broker.kill()
      try circle.tearLog()
      try await circle.broker.restart()
      try await circle.agree([circle.laptop, circle.phone])
      for device in [circle.laptop, circle.phone] {
        for name in ["Eve", "Fay"] { _ = try await device.id(of: name) }
      }
      try await circle.isWhole()
    }

    /// The same backup once more, with a damaged index, and with the device that was away all the time.
    private func restoreAgain(_ circle: BackupCircle, without gone: String) async throws {
      try circle.damageIndexOfBackup()
      let restored = try await circle.restore()
      #expect(restored.status == 2)
      #expect(restored.output.contains("Damaged indexes were rebuilt"), "\(restored.output)")
      try await circle.tablet.restart()
      let fresh = try await Device("fresh", brokerPath: circle.broker.socketPath)
      let devices = [circle.laptop, circle.phone, circle.tablet, fresh]
      try await circle.agree(devices)
      try await circle.isWhole()
      try await circle.agree(devices)
      for device in devices {
        let contacts = try await device.requests.contacts()
        #expect(!contacts.contains { $0.id == gone }, "on \(device.name)")
        let added = ["Ann", "Ben", "Cora", "Dora", "Eve", "Fay"]
        #expect(contacts.count == 10 + added.count, "on \(device.name)")
        for name in added { #expect(contacts.count { $0.firstName == name } == 1, "\(name)") }
        try await circle.showPhotos(on: device)
        #expect(try await device.requests.status().conflicts == 0, "on \(device.name)")
      }
      // The share is what it was.
      try await circle.guest.settles()
      for name in ["Cora", "Dora"] { _ = try await circle.guest.id(of: name) }
      try await circle.guest.does("add", "--first", "Hal", "--group", "Rowing")
      for device in devices { _ = try await device.id(of: "Hal") }
      let backup = try await circle.administer("backup", circle.backup.path)
      #expect(backup.status == 0, "\(backup.output)\(backup.error)")
    }
  }
}
