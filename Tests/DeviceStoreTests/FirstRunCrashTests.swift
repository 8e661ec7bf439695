// The first run while everything falls over: whatever step a process dies at, and however long a
// device was away, an account has its ten contacts once and what went does not come back.

import Contacts
import DeviceRoom
import DeviceStore
import Records
import SyncCore
import TestTiers
import Testing

@Suite("A1 the first run, killed at every step and a week apart")
struct FirstRunCrashTests {
  private func device(_ room: Room, _ name: String, isOnline: Bool = true) throws -> TestDevice {
    try TestDevice(room, name, isOnline: isOnline, bundled: BundledContacts.all())
  }

  private func ids(_ device: TestDevice) throws -> Set<String> {
    let records = try device.reader.records(in: .standard)
    return Set(records.filter { $0.type == ContactRecord.type }.map(\.id.name.text))
  }

  private var all: Set<String> {
    get throws { Set(try BundledContacts.all().map(\.name.text)) }
  }

  @Test(.onlyInCheck)
  func `killed after any step, the devices have ten and the broker got each once`() throws {
    var step = 0
    var hasDied = true
    while hasDied {
      step += 1
      let room = Room()
      room.deathAfterSteps = step
      let laptop = try device(room, "laptop", isOnline: false)
      let phone = try device(room, "phone", isOnline: false)
      // Both connect at the same moment; the device that performs the step crashes and restarts.
      try laptop.goOnline()
      try phone.goOnline()
      hasDied = room.deathAfterSteps == nil
      room.deathAfterSteps = nil
      for device in [laptop, phone] {
        try device.restart()
        #expect(try ids(device) == all, "step \(step)")
        #expect(try device.reader.conflicts().isEmpty, "step \(step)")
        #expect(try device.reader.rejectedEdits().isEmpty, "step \(step)")
        #expect(try device.reader.status().waitingEntries == 0, "step \(step)")
      }
      #expect(room.broker.head == Revision(11), "step \(step): something was saved twice")
    }
    #expect(step > 10, "hardly a step was taken")
  }

  @Test func `killed after any step of a deletion, what went does not come back`() throws {
    var step = 0
    var hasDied = true
    while hasDied {
      step += 1
      let room = Room()
      let laptop = try device(room, "laptop")
      let phone = try device(room, "phone")
      room.deathAfterSteps = step
      try laptop.delete("bundled-1-04")
      hasDied = room.deathAfterSteps == nil
      room.deathAfterSteps = nil
      let tablet = try device(room, "tablet")
      for device in [laptop, phone, tablet] {
        try device.restart()
        #expect(try ids(device) == all.subtracting(["bundled-1-04"]), "step \(step)")
        #expect(try device.reader.conflicts().isEmpty, "step \(step)")
      }
    }
  }

  @Test func `a new device a week offline keeps its edits, and brings nothing back`() throws {
    let room = Room()
    let laptop = try device(room, "laptop")
    let phone = try device(room, "phone", isOnline: false)
    try laptop.delete("bundled-1-01")
    try laptop.save("bundled-1-02", ["company": .string("Of the laptop")])
    try laptop.save("bundled-1-03", ["company": .string("Of the laptop")])
    try phone.save("bundled-1-03", ["company": .string("Of the phone")])
    try phone.save("bundled-1-04", ["note": .string("Of the phone")])
    try phone.delete("bundled-1-05")
    for _ in 0..<7 { try phone.restart() }
    #expect(try ids(phone).count == 9)
    try phone.goOnline()
    let tablet = try device(room, "tablet")
    for device in [laptop, phone, tablet] {
      #expect(try ids(device) == all.subtracting(["bundled-1-01", "bundled-1-05"]))
      #expect(try device.fields("bundled-1-02")?["company"] == .string("Of the laptop"))
      #expect(try device.fields("bundled-1-04")?["note"] == .string("Of the phone"))
      // Both had their say about one field: one stays, the other is listed.
      let conflicts = try device.reader.conflicts()
      let company = try #require(try device.fields("bundled-1-03")?["company"])
      #expect(conflicts.map(\.record.name.text) == ["bundled-1-03"])
      #expect(
        Set([company, try #require(conflicts.first?.losing)])
          == [.string("Of the laptop"), .string("Of the phone")])
      #expect(try device.reader.status().ledger.isBalanced)
    }
  }

  @Test func `one edited offline and deleted elsewhere meanwhile is kept, and listed`() throws {
    let room = Room()
    let laptop = try device(room, "laptop")
    let phone = try device(room, "phone", isOnline: false)
    try phone.save("bundled-1-06", ["note": .string("Do not lose")])
    try laptop.delete("bundled-1-06")
    try phone.goOnline()
    for device in [laptop, phone] {
      #expect(try device.fields("bundled-1-06")?["note"] == .string("Do not lose"))
      #expect(try device.reader.conflicts().map(\.kind) == [.deletedThere])
    }
  }

  @Test func `a bundled contact restored from the trash is one like any other`() throws {
    let room = Room()
    let laptop = try device(room, "laptop")
    let phone = try device(room, "phone")
    try laptop.delete("bundled-1-07")
    let restored = try phone.replica.restore(
      [RecordName(stored: "bundled-1-07")], now: Room.now)
    try phone.perform(restored.actions)
    for device in [laptop, phone] {
      try device.restart()
      #expect(try ids(device) == all)
    }
  }
}
