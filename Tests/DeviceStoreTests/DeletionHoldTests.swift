// Many deletions that nobody asked for wait for a person.

import DeviceStore
import Records
import SyncCore
import Testing

@Suite("The guard holds deletions")
struct DeletionHoldTests {
  private let room = Room()

  private func emptied(isAsked: Bool) throws -> TestDevice {
    let device = try TestDevice(room, "laptop")
    for index in 0..<30 { try device.save("c\(index)", ["firstName": .string("C\(index)")]) }
    let deletions = (0..<25).map {
      LocalEdit.delete(
        RecordID(zone: .standard, name: RecordName(stored: "c\($0)")), version: nil)
    }
    try device.edit(deletions, isAsked: isAsked)
    return device
  }

  @Test func `deletions nobody asked for are held, other edits are not`() throws {
    let device = try emptied(isAsked: false)
    #expect(try device.reader.status().heldDeletions == 25)
    #expect(try room.broker.fields("c1") != nil)
    try device.save("new", ["firstName": .string("New")])
    #expect(try room.broker.fields("new") != nil)
  }

  @Test func `deletions a person asked for go out`() throws {
    let device = try emptied(isAsked: true)
    #expect(try device.reader.status().waitingEntries == 0)
    #expect(try room.broker.fields("c1") == nil)
  }

  @Test func `accepted deletions go out`() throws {
    let device = try emptied(isAsked: false)
    try device.perform(device.replica.acceptDeletions(now: Room.now))
    #expect(try room.broker.fields("c1") == nil)
    #expect(try device.reader.status().waitingEntries == 0)
  }

  @Test func `refused deletions show their records again`() throws {
    let device = try emptied(isAsked: false)
    try device.perform(device.replica.refuseDeletions(now: Room.now))
    #expect(try device.reader.records(in: .standard).count == 30)
    let status = try device.reader.status()
    #expect(status.waitingEntries == 0)
    #expect(status.ledger.isBalanced)
    #expect(try room.broker.fields("c1") != nil)
  }
}
