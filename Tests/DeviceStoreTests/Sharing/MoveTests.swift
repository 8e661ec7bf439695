import Contacts
import DeviceRoom
import Records
import SyncCore
import TestTiers
import Testing

@testable import DeviceStore

@Suite("Z1 contacts move between groups")
struct MoveTests {
  private let room = Room()
  private let group = ZoneID(name: ZoneName(5))

  private func moves(_ names: [String], _ ada: TestDevice, to zone: ZoneID, from source: ZoneID)
    throws -> [LocalEdit]
  {
    try names.flatMap { name in
      let fields = try #require(try ada.fields(name, in: source))
      return [
        LocalEdit.save(TestDevice.contact(name, fields, in: zone)),
        .delete(RecordID(zone: source, name: RecordName(stored: name)), version: nil),
      ]
    }
  }

  private func device(contacts: Int) throws -> (TestDevice, [String]) {
    let ada = try TestDevice(room, "laptop")
    try ada.edit([.createZone(group, title: "Rowing")])
    let names = (0..<contacts).map { "c\($0)" }
    try ada.edit(
      names.map { .save(TestDevice.contact($0, ["firstName": .string($0)])) })
    return (ada, names)
  }

  private func brokerHas(_ name: String, in zone: ZoneID) throws -> Bool {
    try room.broker.fields(name, in: zone) != nil
  }

  @Test func `one moves, and one undo puts it back`() throws {
    let (ada, _) = try device(contacts: 1)
    try ada.edit(moves(["c0"], ada, to: group, from: .standard))
    #expect(try brokerHas("c0", in: group))
    #expect(try !brokerHas("c0", in: .standard))
    try ada.perform(try ada.replica.undo(action: nil, now: Room.now).actions)
    #expect(try brokerHas("c0", in: .standard))
    #expect(try !brokerHas("c0", in: group))
    #expect(try ada.reader.status().ledger.pending == 0)
  }

  @Test(.onlyInCheck)
  func `a thousand move as one action, dying at any step, and are never in neither group`()
    throws
  {
    let (ada, names) = try device(contacts: 1000)
    let edits = try moves(names, ada, to: group, from: .standard)
    for death in [1, 2, 3, 5, 8, 13] {
      room.deathAfterSteps = death
      try ada.edit(death == 1 ? edits : [])
      for name in names {
        #expect(
          try brokerHas(name, in: group) || brokerHas(name, in: .standard), "\(name), \(death)")
      }
    }
    try ada.goOffline()
    try ada.goOnline()
    #expect(try ada.reader.status().waitingEntries == 0)
    for name in names {
      #expect(try brokerHas(name, in: group))
      #expect(try !brokerHas(name, in: .standard))
    }
    try ada.perform(try ada.replica.undo(action: nil, now: Room.now).actions)
    #expect(try names.allSatisfy { try brokerHas($0, in: .standard) })
    #expect(try names.allSatisfy { try !brokerHas($0, in: group) })
  }

  @Test func `the deletion here is not sent before the broker has the contact there`() throws {
    let (ada, _) = try device(contacts: 1)
    let before = room.broker.requests.count
    try ada.edit(moves(["c0"], ada, to: group, from: .standard))
    let requests = room.broker.requests.dropFirst(before)
    #expect(requests.map { $0.groups.map(\.zone) } == [[group], [.standard]])
  }

  @Test func `on its way twice, it waits where it is until it has arrived`() throws {
    let (ada, _) = try device(contacts: 1)
    let other = ZoneID(name: ZoneName(6))
    try ada.edit([.createZone(other, title: "Choir")])
    try ada.goOffline()
    try ada.edit(moves(["c0"], ada, to: group, from: .standard))
    try ada.edit(moves(["c0"], ada, to: other, from: group))
    room.broker.poison = (
      name: RecordName(stored: "c0"), error: RecordsError(.quotaExceeded, "Full.")
    )
    try ada.goOnline()
    #expect(try brokerHas("c0", in: .standard))
    #expect(try ada.fields("c0") != nil)
    #expect(try ada.reader.rejectedEdits().map(\.code) == [.quotaExceeded])
    room.broker.poison = nil
    try ada.edit(moves(["c0"], ada, to: other, from: .standard))
    #expect(try brokerHas("c0", in: other))
    #expect(try !brokerHas("c0", in: .standard))
  }

  @Test func `refused there, it shows again where it was, with what was typed meanwhile`() throws {
    let (ada, _) = try device(contacts: 1)
    room.broker.poison = (
      name: RecordName(stored: "c0"), error: RecordsError(.quotaExceeded, "Full.")
    )
    try ada.edit(moves(["c0"], ada, to: group, from: .standard))
    #expect(try ada.fields("c0") == ["firstName": .string("c0")])
    #expect(try ada.fields("c0", in: group) == nil)
    #expect(try brokerHas("c0", in: .standard))
    #expect(try ada.reader.status().waitingEntries == 0)
    let ledger = try ada.reader.status().ledger
    #expect(ledger.made == ledger.applied + ledger.coalesced + ledger.undone + ledger.rejected)
  }

  @Test func `the contacts of a group that goes are kept before it goes`() throws {
    let (ada, names) = try device(contacts: 30)
    try ada.edit(moves(names, ada, to: group, from: .standard))
    let before = room.broker.requests.count
    let kept = try names.map { name in
      LocalEdit.save(
        TestDevice.contact(name, try #require(try ada.fields(name, in: group))))
    }
    try ada.edit(kept + [.deleteZone(group)])
    let requests = room.broker.requests.dropFirst(before)
    #expect(requests.map { $0.groups.map(\.zone) } == [[.standard], [group]])
    #expect(try names.allSatisfy { try brokerHas($0, in: .standard) })
    #expect(room.broker.zones[group.resolved(for: room.broker.account)]?.isDeleted == true)
  }

  // MARK: Where it was going is gone

  /// Bob's group, in which a contact was put that is there no more.
  private func lose(
    _ name: String, _ bobs: BobsGroup, before: (TestDevice) throws -> Void
  ) throws -> TestDevice {
    let ada = try TestDevice(bobs.room, "laptop")
    try before(ada)
    try ada.goOffline()
    try ada.edit(moves([name], ada, to: bobs.zone, from: .standard))
    bobs.room.broker.take(bobs.zone)
    try ada.goOnline()
    let ledger = try ada.reader.status().ledger
    #expect(ledger.made == ledger.applied + ledger.coalesced + ledger.undone + ledger.rejected)
    return ada
  }

  @Test func `made here, not yet confirmed, it shows again where it was made`() throws {
    let bobs = BobsGroup()
    let ada = try lose("c0", bobs) { ada in
      ada.isDeaf = true
      try ada.save("c0", ["firstName": .string("Cora")])
    }
    #expect(try ada.fields("c0") == ["firstName": .string("Cora")])
    #expect(try bobs.room.broker.fields("c0") == ["firstName": .string("Cora")])
    #expect(try ada.reader.rejectedEdits().count == 1)
  }

  @Test func `edited here, not yet confirmed, it shows again as it was edited`() throws {
    let bobs = BobsGroup()
    let ada = try lose("c0", bobs) { ada in
      try ada.save("c0", ["firstName": .string("Cora")])
      ada.isDeaf = true
      try ada.save("c0", ["firstName": .string("Nora")])
    }
    #expect(try ada.fields("c0") == ["firstName": .string("Nora")])
    #expect(try bobs.room.broker.fields("c0") == ["firstName": .string("Nora")])
  }

  @Test func `one of the first contacts shows again where the group it went to is not made`()
    throws
  {
    let contact = (
      name: RecordName(stored: "bundled-1-01"), fields: ["firstName": .string("Ada")] as Fields
    )
    let ada = try TestDevice(room, "laptop", isOnline: false, bundled: [contact])
    try ada.edit([.createZone(group, title: "Rowing")])
    try ada.edit(moves(["bundled-1-01"], ada, to: group, from: .standard))
    room.broker.zoneRefusal = RecordsError(.quotaExceeded, "Full.")
    try ada.goOnline()
    #expect(try ada.fields("bundled-1-01") == contact.fields)
    #expect(try room.broker.fields("bundled-1-01") == contact.fields)
    #expect(try ada.reader.status().waitingEntries == 0)
    let ledger = try ada.reader.status().ledger
    #expect(ledger.made == ledger.applied + ledger.coalesced + ledger.undone + ledger.rejected)
  }

  // MARK: Many

  @Test(.onlyInCheck) func `thousands that wait keep nothing behind them from being sent`() throws {
    let ada = try TestDevice(room, "laptop")
    try ada.edit([.createZone(group, title: "Rowing")])
    let content: [UInt8] = Array(repeating: 7, count: 1000)
    let photo = Asset(digest: Array(repeating: 7, count: 32), sizeBytes: 1000)
    ada.files[photo.id] = content
    let names = (0..<DeviceLimits.entriesPerPass + 100).map { "c\($0)" }
    try ada.edit(
      [.keepAsset(photo)]
        + names.map { .save(TestDevice.contact($0, ["photo": .asset(photo)])) })
    #expect(try ada.reader.status().waitingEntries == 0)
    // The broker may have collected the file meanwhile; each connection asks again.
    try ada.goOffline()
    room.broker.assets.files = [:]
    room.broker.assets.refusal = RecordsError(.serviceUnavailable, "Busy.")
    try ada.edit(moves(names, ada, to: group, from: .standard))
    try ada.save("bob", ["firstName": .string("Bob")])
    try ada.goOnline()
    while ada.timers[.outbox] != nil { try ada.fire(.outbox) }
    #expect(try brokerHas("bob", in: .standard))
    #expect(try brokerHas("c7", in: .standard))
    // Looked at once, and not with whatever else happens.
    let looks = try ada.count(of: "UPDATE outbox SET moving") {
      try ada.save("bob", ["firstName": .string("Rob")])
    }
    #expect(looks == 0)
    room.broker.assets.refusal = nil
    try ada.restart()
    #expect(try ada.reader.status().waitingEntries == 0)
    #expect(try names.allSatisfy { try brokerHas($0, in: group) })
    #expect(try names.allSatisfy { try !brokerHas($0, in: .standard) })
  }

  @Test func `what many steps have moved is taken back in one`() throws {
    let ada = try TestDevice(room, "laptop")
    let nobody = RecordID(zone: .standard, name: RecordName(stored: "nobody"))
    let edits = Array(
      repeating: LocalEdit.delete(nobody, version: nil), count: DeviceLimits.editsPerAction + 1)
    func error(_ kind: ActionKind) -> RecordsError? {
      #expect(throws: RecordsError.self) {
        _ = try ada.replica.perform(edits, as: UserAction(kind), now: Room.now)
      }
    }
    #expect(error(.move)?.code == .limitExceeded)
    #expect(error(.move)?.message.contains("A moved contact counts as two") == true)
    #expect(error(.undo)?.code == .unknownItem)
  }

  @Test func `an entry that ends looks for the moves it ends, and walks no others`() throws {
    let ada = try TestDevice(room, "laptop")
    for trigger in ["move_ended", "move_forgotten", "move_begun", "move_turned"] {
      let plan = try ada.plan(ofTrigger: trigger)
      #expect(!plan.isEmpty)
      for step in plan where step.contains("outbox") {
        #expect(
          step.contains("outbox_unsent_record (zone=? AND name=?)")
            || step.contains("outbox_record (zone=? AND name=?)"), "\(trigger): \(step)")
      }
    }
  }

  @Test func `a picture of another's that is not here is not taken along, so it cannot be lost`()
    throws
  {
    let bobs = BobsGroup()
    let photo = Asset(digest: Array(repeating: 7, count: 32), sizeBytes: 90_000)
    bobs.room.broker.put(
      "yan", ["firstName": .string("Yan"), "photo": .asset(photo)], type: ContactRecord.type,
      in: bobs.zone)
    let ada = try TestDevice(bobs.room, "laptop")
    let yan = RecordName(stored: "yan")
    let fields: Fields = ["firstName": .string("Yan"), "photo": .asset(photo)]
    let error = #expect(throws: RecordsError.self) {
      _ = try ada.replica.edit(
        [
          .save(TestDevice.contact("yan", fields)),
          .delete(RecordID(zone: bobs.zone, name: yan), version: nil),
        ], now: Room.now)
    }
    #expect(error?.code == .assetNotAvailable)
    #expect(try ada.fields("yan", in: bobs.zone) == fields)
    // Where it stays, and what one's own contacts name, may be named without being here.
    try ada.save("yan", ["note": .string("x"), "photo": .asset(photo)], in: bobs.zone)
    #expect(try ada.fields("yan", in: bobs.zone)?["note"] == .string("x"))
  }
}
