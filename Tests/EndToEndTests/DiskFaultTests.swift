// An agent on a disk that fails at the n-th call. Saved edits exist afterwards; a refused edit has an error
// message and is not saved in part.

import Foundation
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("B6, I1, I8 an agent's failing disk")
  struct DiskFaultTests {
    /// The numbers of the calls that fail; `FAULTS` selects all up to a number.
    static let calls =
      ProcessInfo.processInfo.environment["FAULTS"].flatMap { Int($0) }.map { Array(1...$0) }
      ?? [1, 4, 26, 61, 75, 90, 131]

    @Test(arguments: FailingDisk.Kind.allCases)
    func `whatever the disk does, an edit is saved whole or refused with a message`(
      kind: FailingDisk.Kind
    ) async throws {
      var met = 0
      for call in Self.calls {
        met += try await meet(FailingDisk(kind, atCall: call, of: "contacts.sqlite")) ? 1 : 0
      }
      // Without a disk failure the test would prove nothing.
      #expect(met > 0)
    }

    /// The answers that a person got.
    private struct EditLog {
      var saved: [String: String] = [:]
      /// Names whose edits were refused, or had no answer because the agent ended.
      var unsaved: Set<String> = []
      var hasFailed = false
    }

    /// Adds and changes contacts for a while or until the disk fails; returns whether it failed.
    private func meet(_ disk: FailingDisk) async throws -> Bool {
      let nowhere = try TemporaryDirectory()
      var log = EditLog()
      let directory: TemporaryDirectory
      do {
        let device = try await Device(
          "laptop", brokerPath: nowhere.file("b.sock"), environment: disk.environment)
        directory = device.directory
        for number in 1...8 { try await write(number, on: device, disk, &log) }
        if device.agent.isRunning { try await device.kill() }
      } catch let error as RecordsError where error.message.contains("ended") {
        // The agent did not start, so it confirmed nothing. Calls that fail later are tested with an agent
        // that did.
        return true
      }
      let device = try await Device(
        "laptop", in: directory, brokerPath: nowhere.file("b.sock"))
      try await expect(log, on: device, disk)
      return log.hasFailed
    }

    private func write(
      _ number: Int, on device: Device, _ disk: FailingDisk, _ log: inout EditLog
    ) async throws {
      let name = "Person\(number)"
      let phone = #"{"label":"home","value":"+46 70 000 00 0\#(number)"}"#
      let answer = try? await device.requests.send(
        "POST", "contacts",
        #"{"firstName":"\#(name)","company":"\#(name) & Co","phones":[\#(phone)]}"#)
      guard let answer else {
        log.hasFailed = true
        log.unsaved.insert(name)
        return
      }
      guard answer.status == 201 else {
        log.hasFailed = true
        log.unsaved.insert(name)
        let result = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status >= 500, "\(result)")
        #expect(result.contains("disk") || result.contains("written"), "\(disk): \(result)")
        return
      }
      log.saved[name] = try answer.decoded(as: ContactRow.self).id
    }

    private func expect(_ log: EditLog, on device: Device, _ disk: FailingDisk) async throws {
      let contacts = try await device.requests.contacts()
      for (name, id) in log.saved {
        let found = contacts.first { $0.id == id }
        #expect(found?.firstName == name, "\(disk): \(name) was saved")
        #expect(found?.phones.count == 1, "\(disk)")
      }
      // An edit that a failed flush left in the log may exist, but only whole.
      for contact in contacts where log.unsaved.contains(contact.firstName) {
        #expect(disk.kind != .write && disk.kind != .full, "\(disk): refused, and there")
        #expect(contact.company == "\(contact.firstName) & Co", "\(disk)")
        #expect(contact.phones.count == 1, "\(disk)")
      }
      #expect(contacts.filter { BundledIDs.all.contains($0.id) }.count == 10, "\(disk)")
      // The tables for lists and searches were written with it.
      #expect(Set(contacts.map(\.id)).count == contacts.count)
      let status = try await device.requests.status()
      #expect(status.waitingEdits >= log.saved.count, "\(disk)")
      try await device.requests.setCompany(of: "bundled-1-01", to: "It goes on")
    }
  }
}
