import Foundation
import Processes
import Testing

extension EndToEnd {
  @Suite("I16, I19, I20, I21, I23, N2 damage, backup and restore", .readsBrokerFile)
  struct BackupScenarioTests {
    @Test
    func
      `after every kind of damage and two restores nothing is lost and no deletion is undone`()
      async throws
    {
      let scenario = try await BackupScenario()
      try await scenario.fill()
      try await scenario.tablet.kill()
      let gone = try await scenario.laptop.id(of: "Gone")
      try await scenario.laptop.does("rm", gone)
      try await scenario.agree([scenario.laptop, scenario.phone])
      try await backUpWhatIsDamaged(scenario)
      try await restoreWhatIsDamaged(scenario)
      try await tearLog(scenario)
      try await restoreAgain(scenario, without: gone)
    }

    private func backUpWhatIsDamaged(_ scenario: BackupScenario) async throws {
      try await scenario.stopBroker()
      try scenario.damageBroker()
      let check = try await scenario.administer("check")
      #expect(check.status == 65)
      #expect(check.output.contains("The record “"), "\(check.output)")
      let backup = try await scenario.administer("backup", scenario.backup.path)
      #expect(backup.status == 2)
      #expect(backup.output.contains("The record “"), "\(backup.output)")
      #expect(backup.output.ranges(of: "The file ").count == 2, "\(backup.output)")
    }

    private func restoreWhatIsDamaged(_ scenario: BackupScenario) async throws {
      let restored = try await scenario.restore()
      #expect(restored.status == 2)
      #expect(restored.output.contains("The record “"), "\(restored.output)")
      #expect(restored.output.ranges(of: "The file ").count == 2, "\(restored.output)")
      try await scenario.agree([scenario.laptop, scenario.phone])
      let ann = try await scenario.phone.id(of: "Ann")
      #expect(try await scenario.phone.requests.contact(ann)?.company == BackupScenario.marker)
      try await scenario.isComplete()
      try await scenario.guest.settles()
      #expect(try await scenario.guest.groups().contains("Rowing"))
    }

    /// Sets the broker back by some commits without its knowledge.
    private func tearLog(_ scenario: BackupScenario) async throws {
      for name in ["Eve", "Fay"] {
        try await scenario.laptop.does("add", "--first", name)
        _ = try await scenario.phone.id(of: name)
      }
      try await scenario.broker.kill()
      try scenario.tearLog()
      try await scenario.broker.restart()
      try await scenario.agree([scenario.laptop, scenario.phone])
      for device in [scenario.laptop, scenario.phone] {
        for name in ["Eve", "Fay"] { _ = try await device.id(of: name) }
      }
      try await scenario.isComplete()
    }

    /// Restores the same backup again, with a damaged index, and with the device that was away.
    private func restoreAgain(_ scenario: BackupScenario, without gone: String) async throws {
      try scenario.damageIndexOfBackup()
      let restored = try await scenario.restore()
      #expect(restored.status == 2)
      #expect(restored.output.contains("Damaged indexes were rebuilt"), "\(restored.output)")
      try await scenario.tablet.restart()
      let fresh = try await Device("fresh", brokerPath: scenario.broker.socketPath)
      let devices = [scenario.laptop, scenario.phone, scenario.tablet, fresh]
      try await scenario.agree(devices)
      try await scenario.isComplete()
      try await scenario.agree(devices)
      for device in devices {
        let contacts = try await device.requests.contacts()
        #expect(!contacts.contains { $0.id == gone }, "on \(device.name)")
        let added = ["Ann", "Ben", "Cora", "Dora", "Eve", "Fay"]
        #expect(contacts.count == 10 + added.count, "on \(device.name)")
        for name in added { #expect(contacts.count { $0.firstName == name } == 1, "\(name)") }
        try await scenario.showPhotos(on: device)
        #expect(try await device.requests.status().conflicts == 0, "on \(device.name)")
      }
      // The share is unchanged.
      try await scenario.guest.settles()
      for name in ["Cora", "Dora"] { _ = try await scenario.guest.id(of: name) }
      try await scenario.guest.does("add", "--first", "Hal", "--group", "Rowing")
      for device in devices { _ = try await device.id(of: "Hal") }
      let backup = try await scenario.administer("backup", scenario.backup.path)
      #expect(backup.status == 0, "\(backup.output)\(backup.error)")
    }
  }
}
