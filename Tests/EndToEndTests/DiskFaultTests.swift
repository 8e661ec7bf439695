// An agent on a disk that fails at the n-th call: what it said is saved is there afterwards, what it
// refused was refused with a sentence and is not there by half.

import Foundation
import Processes
import Records
import Testing

extension EndToEnd {
  @Suite("B6, I1, I8 an agent's disk that fails")
  struct DiskFaultTests {
    /// The calls of the disk that fail; with `FAULTS` all up to so many.
    static let calls =
      ProcessInfo.processInfo.environment["FAULTS"].flatMap { Int($0) }.map { Array(1...$0) }
      ?? [1, 4, 26, 61, 75, 90, 131]

    @Test(arguments: FailingDisk.Kind.allCases)
    func `whatever the disk does, an edit is saved whole or refused with a sentence`(
      kind: FailingDisk.Kind
    ) async throws {
      var met = 0
      for call in Self.calls {
        met += try await meet(FailingDisk(kind, atCall: call, of: "contacts.sqlite")) ? 1 : 0
      }
      // A sweep in which no disk failed would prove nothing.
      #expect(met > 0)
    }

    /// What a person was told.
    private struct Story {
      var saved: [String: String] = [:]
      /// Names that were refused, or not answered because the agent died.
      var unsaved: Set<String> = []
      var hasFailed = false
    }

    /// Adds and changes contacts until the disk has failed, or for a while; says whether it did.
    private func meet(_ disk: FailingDisk) async throws -> Bool {
      let nowhere = try TemporaryDirectory()
      var story = Story()
      let directory: TemporaryDirectory
      do {
        let device = try await Device(
          "laptop", brokerPath: nowhere.file("b.sock"), environment: disk.environment)
        directory = device.directory
        for number in 1...8 { try await write(number, on: device, disk, &story) }
        if device.agent.isRunning { try await device.kill() }
      } catch let error as RecordsError where error.message.contains("ended") {
        // It did not come up: it has promised nothing. A second one that does is tested with those
        // that fail later.
        return true
      }
      let device = try await Device(
        "laptop", in: directory, brokerPath: nowhere.file("b.sock"))
      try await expect(story, on: device, disk)
      return story.hasFailed
    }

    private func write(
      _ number: Int, on device: Device, _ disk: FailingDisk, _ story: inout Story
    ) async throws {
      let name = "Person\(number)"
      let phone = #"{"label":"home","value":"+46 70 000 00 0\#(number)"}"#
      let answer = try? await device.requests.send(
        "POST", "contacts",
        #"{"firstName":"\#(name)","company":"\#(name) & Co","phones":[\#(phone)]}"#)
      guard let answer else {
        story.hasFailed = true
        story.unsaved.insert(name)
        return
      }
      guard answer.status == 201 else {
        story.hasFailed = true
        story.unsaved.insert(name)
        let said = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status >= 500, "\(said)")
        #expect(said.contains("disk") || said.contains("written"), "\(disk): \(said)")
        return
      }
      story.saved[name] = try answer.decoded(as: ContactRow.self).id
    }

    private func expect(_ story: Story, on device: Device, _ disk: FailingDisk) async throws {
      let contacts = try await device.requests.contacts()
      for (name, id) in story.saved {
        let found = contacts.first { $0.id == id }
        #expect(found?.firstName == name, "\(disk): \(name) was saved")
        #expect(found?.phones.count == 1, "\(disk)")
      }
      // What a failing flush left in the log may be there after all, but then it is all there.
      for contact in contacts where story.unsaved.contains(contact.firstName) {
        #expect(disk.kind != .write && disk.kind != .full, "\(disk): refused, and there")
        #expect(contact.company == "\(contact.firstName) & Co", "\(disk)")
        #expect(contact.phones.count == 1, "\(disk)")
      }
      #expect(contacts.filter { BundledIDs.all.contains($0.id) }.count == 10, "\(disk)")
      // What lists and searches read was written with it.
      #expect(Set(contacts.map(\.id)).count == contacts.count)
      let status = try await device.requests.status()
      #expect(status.waitingEdits >= story.saved.count, "\(disk)")
      try await device.requests.setCompany(of: "bundled-1-01", to: "It goes on")
    }
  }
}
