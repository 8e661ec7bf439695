// A row that the tables refuse must not keep a device from applying the rest of an outcome.

import DeviceRoom
import DeviceStore
import Records
import SyncCore
import Testing

@Suite("I16, I17 outcomes that cannot be stored")
struct UnstoredOutcomeTests {
  private let room = Room()
  /// The row of Bob, once the broker has another state of him.
  fileprivate static let bob = "NEW.name = 'bob' AND NEW.tag IS NOT OLD.tag"

  /// A device with edits of three contacts that wait.
  private func device(deleting: Bool = false) throws -> TestDevice {
    let device = try TestDevice(room, "laptop")
    for name in ["ada", "bob", "eve"] { try device.save(name, ["firstName": .string(name)]) }
    try device.goOffline()
    for name in ["ada", "bob", "eve"] {
      if deleting { try device.delete(name) } else { try edit(name, on: device) }
    }
    return device
  }

  private func edit(_ name: String, _ company: String = "Works", on device: TestDevice) throws {
    try device.save(name, ["company": .string(company)])
  }

  private func expectQuiet(_ device: TestDevice, rejected: Int = 0) throws {
    let status = try device.reader.status()
    #expect(device.isConnected)
    #expect(status.waitingEntries == 0)
    #expect(status.ledger.isBalanced)
    #expect(status.ledger.rejected == rejected)
  }

  /// Tables that a row's outcome is stored in, and what is refused there.
  enum Refusal: CaseIterable {
    case insertsIntoPast, updatesOfRecord, nothing

    func apply(to device: TestDevice) throws {
      switch self {
      case .insertsIntoPast: try device.refuse(insertsInto: "past", where: "NEW.name = 'bob'")
      case .updatesOfRecord:
        try device.refuse(updatesOf: "record", where: UnstoredOutcomeTests.bob)
      case .nothing: break
      }
    }
  }

  @Test(arguments: [Refusal.updatesOfRecord, .nothing])
  func `new records are confirmed together, around an edit and one that cannot be stored`(
    refusal: Refusal
  ) throws {
    let device = try TestDevice(room, "laptop")
    try device.save("old", ["firstName": .string("old")])
    try device.goOffline()
    let new = ["ann", "ada", "bob", "eve", "zoe"]
    for name in new {
      try device.save(name, ["firstName": .string(name)])
      if name == "ada" { try edit("old", on: device) }
    }
    try refusal.apply(to: device)
    let requests = room.broker.requests.count
    try device.goOnline()
    try expectQuiet(device)
    #expect(room.broker.requests.count == requests + 1)
    for name in new {
      #expect(try room.broker.fields(name)?["firstName"] == .string(name))
      #expect(try device.fields(name)?["firstName"] == .string(name))
    }
    #expect(try room.broker.fields("old")?["company"] == .string("Works"))
    #expect(try device.reader.status().ledger.applied == 7)
    #expect(device.reports.contains { $0.contains("could not be stored") } == (refusal != .nothing))
    try device.restart()
    try expectQuiet(device)
    #expect(room.broker.requests.count == requests + 1)
  }

  @Test func `new records are confirmed beside a group of edits that the broker refuses`() throws {
    let device = try TestDevice(room, "laptop")
    try device.save("old", ["firstName": .string("old")])
    let other = try TestDevice(room, "phone")
    try device.goOffline()
    try device.save("ann", ["firstName": .string("ann")])
    try device.save("ada", ["firstName": .string("ada")])
    try edit("old", "Mine", on: device)
    try device.save("eve", ["firstName": .string("eve")])
    try other.save("old", ["company": .string("Theirs")])
    try device.goOnline()
    let status = try device.reader.status()
    #expect(status.waitingEntries == 0 && status.ledger.isBalanced)
    for name in ["ann", "ada", "eve"] {
      #expect(try room.broker.fields(name)?["firstName"] == .string(name))
    }
  }

  @Test(arguments: Refusal.allCases, [false, true])
  func `the others of the request are applied, once`(refusal: Refusal, deleting: Bool) throws {
    let device = try device(deleting: deleting)
    try refusal.apply(to: device)
    let requests = room.broker.requests.count
    try device.goOnline()
    try expectQuiet(device)
    #expect(room.broker.requests.count == requests + 1)
    for name in ["ada", "bob", "eve"] {
      #expect(try (room.broker.fields(name) == nil) == deleting)
      #expect(try (device.fields(name) == nil) == deleting)
    }
    #expect(device.reports.contains { $0.contains("could not be stored") } == (refusal != .nothing))
    #expect(!device.reports.contains { $0.contains("bob") })
    try edit("ada", "Later", on: device)
    #expect(try room.broker.fields("ada")?["company"] == .string("Later"))
    try device.restart()
    try expectQuiet(device)
    #expect(room.broker.requests.count == requests + 2)
  }

  @Test func `the record goes on once its row can be stored again`() throws {
    let device = try device()
    try device.refuse(updatesOf: "record", where: Self.bob)
    try device.goOnline()
    try expectQuiet(device)
    try device.refuse(updatesOf: "record", where: nil)
    try edit("bob", "Later", on: device)
    #expect(try device.fields("bob")?["company"] == .string("Later"))
    #expect(try room.broker.fields("bob")?["company"] == .string("Later"))
    try expectQuiet(device)
    let phone = try TestDevice(room, "phone")
    try edit("bob", "Of the phone", on: phone)
    #expect(try device.fields("bob")?["company"] == .string("Of the phone"))
  }

  @Test func `what the broker refused is listed with what was typed`() throws {
    let device = try device()
    room.broker.refusesAlways[RecordName(stored: "bob")] = RecordsError(
      .invalidArguments, "Not like this.", record: RecordName(stored: "bob"))
    try device.refuse(updatesOf: "record", where: Self.bob)
    try device.goOnline()
    try expectQuiet(device, rejected: 1)
    let rejected = try #require(try device.reader.rejectedEdits().first)
    #expect(rejected.changes.set["company"] == .string("Works"))
    #expect(try room.broker.fields("eve")?["company"] == .string("Works"))
  }

  @Test func `a merge that cannot be stored sends nothing for ever`() throws {
    let device = try device()
    let phone = try TestDevice(room, "phone")
    try edit("bob", "Of the phone", on: phone)
    try device.refuse(updatesOf: "record", where: Self.bob)
    let requests = room.broker.requests.count
    try device.goOnline()
    #expect(device.isConnected)
    #expect(room.broker.requests.count < requests + 5)
    #expect(try device.reader.status().waitingEntries == 0)
    #expect(try device.reader.rejectedEdits().count == 1)
    #expect(try room.broker.fields("eve")?["company"] == .string("Works"))
  }

  @Test func `a row that cannot be swept keeps no reading from its end`() throws {
    let device = try device()
    try device.goOnline()
    try device.goOffline()
    for name in ["bob", "eve"] {
      room.broker.remove(name, in: .standard.resolved(for: room.broker.account))
    }
    room.broker.reapTombstones()
    try device.refuse(insertsInto: "trash", where: "NEW.name = 'bob'")
    try device.refuse(updatesOf: "record", where: "NEW.name = 'bob' AND NEW.shown IS NULL")
    try device.refuse(deletionsFrom: "record", where: "OLD.name = 'bob'")
    try device.goOnline()
    #expect(device.isConnected)
    #expect(try device.fields("eve") == nil && device.fields("ada") != nil)
    #expect(device.reports.contains { $0.contains("could not be read") })
    try edit("ada", "Later", on: device)
    #expect(try room.broker.fields("ada")?["company"] == .string("Later"))
    try expectQuiet(device)
  }
}
