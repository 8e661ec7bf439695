import Foundation
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("I23, N2 a restored backup", .readsBrokerFile)
  struct BackupTests {
    @Test func `a group created after the backup returns, with edits made meanwhile`()
      async throws
    {
      let world = try await World()
      let backup = try TemporaryDirectory()
      let state = world.broker.directory.file("state")
      _ = try await Device.run("contacts-broker", ["backup", backup.path, "--state", state])
      let id = try await madeGroup(in: world)

      try await world.broker.kill()
      _ = try await world.phone.control("edit", id, "--company", "meanwhile")
      try FileManager.default.removeItem(atPath: state)
      _ = try await Device.run("contacts-broker", ["restore", backup.path, "--state", state])
      try await world.broker.restart()
      try await expectGroup(with: id, in: world)
    }

    @Test func `groups created after each of two restores of one backup are all there`()
      async throws
    {
      let world = try await World()
      let backup = try TemporaryDirectory()
      let state = world.broker.directory.file("state")
      func restore() async throws {
        try await world.broker.kill()
        try FileManager.default.removeItem(atPath: state)
        _ = try await Device.run("contacts-broker", ["restore", backup.path, "--state", state])
        try await world.broker.restart()
      }
      _ = try await Device.run("contacts-broker", ["backup", backup.path, "--state", state])
      try await restore()
      try await world.settle()
      _ = try await madeGroup(in: world)
      try await world.laptop.kill()
      try await world.phone.kill()
      try await restore()
      // A device that was away creates another group with the same request number before the others return.
      let tablet = try await Device("tablet", brokerPath: world.broker.socketPath)
      try await tablet.settles()
      _ = try await tablet.control("group", "add", "Band")
      try await tablet.settles()
      try await world.laptop.restart()
      try await world.phone.restart()
      try await world.settle()
      for device in [world.laptop, world.phone, tablet] {
        try await Patience.wait(until: "both groups on \(device.name)", within: .seconds(30)) {
          let groups = try await device.control("group", "list").rows
          return ["Choir", "Band"].allSatisfy { title in groups.contains { $0.contains(title) } }
        }
      }
    }

    @Test func `a broker that lost everything is filled from its devices, groups included`()
      async throws
    {
      let world = try await World()
      let id = try await madeGroup(in: world)
      try await world.broker.kill()
      _ = try await world.phone.control("edit", id, "--company", "meanwhile")
      try FileManager.default.removeItem(atPath: world.broker.directory.file("state"))
      try await world.broker.restart()
      try await expectGroup(with: id, in: world)
    }

    @Test func `a photo and a contact that the backup damaged return from the devices`()
      async throws
    {
      let world = try await TimelineTests.Timeline()
      let id = try await world.post(1, "Kept", on: world.laptop)
      let ann = try await world.laptop.requests.add(first: "Ann", company: "Harbour Light Pianos")
      let gone = try await world.laptop.requests.add(first: "Gone")
      _ = try await world.laptop.control("rm", gone)
      #expect(try await world.laptop.control("sync", "--wait").status == 0)
      let backup = try TemporaryDirectory()
      let state = world.broker.directory.file("state")
      let made = try await Device.run(
        "contacts-broker", ["backup", backup.path, "--state", state])
      #expect(made.status == 0, "\(made.error)")
      let files = try backup.files(in: "assets")
      #expect(!files.isEmpty)
      for file in files { try FileManager.default.removeItem(atPath: file) }
      try await world.broker.kill()
      try backup.flip("Harbour Light Pianos", in: "broker.sqlite")
      try FileManager.default.removeItem(atPath: state)

      let restored = try await Device.run(
        "contacts-broker", ["restore", backup.path, "--state", state])
      #expect(restored.status == 2, "\(restored.error)")
      #expect(restored.output.contains("The record “"))
      #expect(restored.output.contains("The file "))
      try await world.broker.restart()
      try await world.laptop.shows(ann, "Ann") { $0.firstName == "Ann" }
      #expect(try await world.laptop.control("sync", "--wait").status == 0)
      try await Patience.wait(until: "the broker to have everything", within: .seconds(60)) {
        let checked = try await Device.run("contacts-broker", ["check", "--state", state])
        return checked.status == 0
      }
      let fresh = try await Device.run(
        "contacts-broker", ["backup", backup.path, "--state", state])
      #expect(fresh.status == 0, "\(fresh.output)\(fresh.error)")
      #expect(try await world.laptop.requests.contacts().contains { $0.id == gone } == false)
      #expect(try await world.laptop.control("post", "show", id).rows.last?.last == "Kept")
    }

    private func madeGroup(in world: World) async throws -> String {
      _ = try await world.laptop.control("group", "add", "Choir")
      let added = try await world.laptop.control("add", "--first", "Late", "--group", "Choir")
      let id = try #require(added.rows.first?.first)
      try await world.phone.shows(id, "Late") { $0.firstName == "Late" }
      try await world.settle()
      return id
    }

    private func expectGroup(with id: String, in world: World) async throws {
      let contacts = try await world.settle()
      #expect(contacts.count { $0.id == id } == 1)
      #expect(contacts.count == 11)
      for device in [world.laptop, world.phone] {
        try await device.shows(id, "the company") { $0.company == "meanwhile" }
        let groups = try await device.control("group", "list")
        #expect(groups.rows.count { $0.count > 1 && $0[1] == "Choir" } == 1)
        #expect(try await device.requests.status().conflicts == 0)
      }
    }

    @Test func `a post that the backup lacks is sent again, with its caption and photo`()
      async throws
    {
      let world = try await TimelineTests.Timeline()
      _ = try await world.post(1, "Before", on: world.laptop)
      try await world.laptop.settles()
      let backup = try TemporaryDirectory()
      let state = world.broker.directory.file("state")
      let made = try await Device.run(
        "contacts-broker", ["backup", backup.path, "--state", state])
      #expect(made.status == 0, "\(made.error)")
      let behind = try await world.post(2, "Behind", on: world.laptop)
      try await world.laptop.settles()
      // If Bob's tablet were running, it would delete the post and receive it again.
      try await world.tablet.kill()

      try await world.broker.kill()
      try FileManager.default.removeItem(atPath: state)
      let restored = try await Device.run(
        "contacts-broker", ["restore", backup.path, "--state", state])
      #expect(restored.status == 0, "\(restored.error)")
      try await world.broker.restart()
      #expect(try await world.laptop.control("sync", "--wait").status == 0)
      let listed = try await world.laptop.control("post", "list")
      #expect(listed.rows.compactMap(\.last) == ["Behind", "Before"], "\(listed.output)")
      #expect(listed.rows.map(\.[3]) == ["synced", "synced"])

      try await world.tablet.restart()
      #expect(try await world.tablet.control("sync", "--wait").status == 0)
      let folder = world.tablet.directory.file("album")
      let exported = try await world.tablet.control("post", "export", behind, "-o", folder)
      let photo = try #require(exported.rows.first?.first, "\(exported.error)")
      #expect(try Data(contentsOf: URL(filePath: photo)) == TimelineTests.picture(2))
      #expect(try await world.tablet.control("post", "show", behind).rows.last?.last == "Behind")
    }

    @Test func `after a restore the devices continue where each of them stopped`() async throws {
      let world = try await World()
      let backup = try TemporaryDirectory()
      let state = world.broker.directory.file("state")
      try await world.laptop.does("add", "--first", "Keep", "--note", "v1", "--company", "Acme")
      try await world.laptop.does("add", "--first", "Gone")
      for title in ["Choir", "Dead"] { try await world.laptop.does("group", "add", title) }
      try await world.settle()
      _ = try await Device.run("contacts-broker", ["backup", backup.path, "--state", state])
      try await world.laptop.does("edit", "Keep", "--note", "v2", "--company", "")
      try await world.laptop.does("rm", "Gone")
      try await world.laptop.does("group", "rename", "Choir", "Singers")
      try await world.laptop.does("group", "rm", "Dead", "--yes")
      try await world.settle()
      // The phone stops here; the laptop's last change reaches the broker only.
      try await world.phone.kill()
      try await world.laptop.does("edit", "Keep", "--note", "v3")
      try await world.laptop.settles()
      try await world.laptop.kill()
      try await world.broker.kill()
      try FileManager.default.removeItem(atPath: state)
      _ = try await Device.run("contacts-broker", ["restore", backup.path, "--state", state])
      try await world.broker.restart()
      try await world.phone.restart()
      try await world.phone.settles()
      try await world.phone.does("edit", "Keep", "--last", "Typed")
      try await world.phone.settles()
      try await world.laptop.restart()
      try await world.settle()
      try await expectContinued(in: world)
    }

    private func expectContinued(in world: World) async throws {
      let fresh = try await Device("fresh", brokerPath: world.broker.socketPath)
      _ = try await Agreement.wait(
        among: [world.laptop, world.phone, fresh].map(\.requests))
      for device in [world.laptop, world.phone, fresh] {
        let contact = try #require(
          try await device.requests.contacts().first { $0.firstName == "Keep" })
        let shown = try await device.control("show", contact.id).output
        #expect(shown.contains("v3") && shown.contains("Typed"), "\(device.name): \(shown)")
        #expect(!shown.contains("Acme"), "\(device.name): \(shown)")
        let contacts = try await device.requests.contacts()
        #expect(!contacts.contains { $0.firstName == "Gone" }, "\(device.name)")
        let groups = try await device.control("group", "list").output
        #expect(groups.contains("Singers") && !groups.contains("Choir"), "\(device.name)")
        #expect(!groups.contains("Dead"), "\(device.name)")
        #expect(try await device.requests.status().conflicts == 0, "\(device.name)")
        let notes = try await device.control("history", contact.id).rows
          .filter { $0.contains("note") }
        #expect(Set(notes).count == notes.count && notes.count <= 3, "\(notes)")
      }
    }
  }
}
