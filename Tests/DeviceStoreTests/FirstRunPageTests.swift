// A rejected import whose contacts arrive in several pages of the feed. A contact of a later page must not be
// removed and added again, because its history and its notifications would be lost.

import Contacts
import DeviceRoom
import Records
import SyncCore
import Testing

@testable import DeviceStore

@Suite("A1 the first run's import, told in pages")
struct FirstRunPageTests {
  private let room = Room()
  private let account = AccountID(0xACC)
  private let history = Incarnation(1)
  private var zone: ZoneID { ZoneID.standard.resolved(for: account) }

  private func change(_ name: String, _ tag: Int64, _ type: RecordType) -> Change {
    let stamp = Stamp(
      time: Room.now,
      origin: Origin(account: account, device: DeviceID(77), request: RequestNumber(1)))
    return Change(
      name: RecordName(stored: name), tag: Revision(tag), kind: .saved, type: type,
      created: stamp, modified: stamp, record: EncodedRecord(["firstName": .string(name)]))
  }

  private func page(_ from: Int64, _ to: Int64, _ changes: Change...) -> BrokerMessage {
    .changes(
      ZoneChanges(
        zone: zone, incarnation: history, from: Revision(from), to: Revision(to), scanStart: nil,
        changes: changes))
  }

  private func level(_ head: Int64) -> BrokerMessage {
    .level(zone: zone, incarnation: history, head: Revision(head), scanStart: Revision(head))
  }

  private func hear(_ messages: BrokerMessage..., on replica: Replica) throws {
    for message in messages { _ = try replica.received(message, replyTo: nil, now: Room.now) }
  }

  private func meet(_ replica: Replica, lastNumber: Int64) throws {
    _ = replica.brokerAppeared()
    guard case .conversation(.send(let id, _)) = try replica.connected(now: Room.now).first else {
      return
    }
    let welcome = Welcome(
      version: 1, account: account, accountName: "ada", device: DeviceID(5),
      lastNumber: RequestNumber(lastNumber), directory: .zero, heartbeatSeconds: 30)
    _ = try replica.received(.welcome(welcome), replyTo: id, now: Room.now)
  }

  @Test func `a contact of a later page stays, and one of no page goes at the end`() throws {
    let bundled = (1...3).map { number in
      let name = "bundled-1-0\(number)"
      return (name: RecordName(stored: name), fields: ["firstName": .string(name)] as Fields)
    }
    let phone = try TestDevice(room, "phone", isOnline: false, bundled: bundled)
    let replica = phone.replica
    try meet(replica, lastNumber: 0)
    try hear(level(0), on: replica)
    _ = try replica.disconnected(now: Room.now)
    try meet(replica, lastNumber: 1)
    let marker = change("import-bundled-1", 1, RecordType(stored: "ImportMarker"))
    try hear(page(0, 2, marker, change("bundled-1-01", 2, ContactRecord.type)), on: replica)
    let results: [OperationResult] = (0..<4).map {
      $0 == 0
        ? .failed(RecordsError(.serverRecordChanged, "There."), serverRecord: marker)
        : .failed(RecordsError(.batchRequestFailed, "Another."), serverRecord: nil)
    }
    try hear(.outcome(ModifyOutcome(number: RequestNumber(1), groups: [results])), on: replica)
    #expect(try phone.fields("bundled-1-02") != nil)
    #expect(try phone.fields("bundled-1-03") != nil)
    try hear(page(2, 500, change("bundled-1-02", 500, ContactRecord.type)), on: replica)
    try hear(level(500), on: replica)
    #expect(try phone.fields("bundled-1-02") != nil)
    #expect(try phone.fields("bundled-1-03") == nil)
    let deleted = try phone.reader.events(after: 0, limit: 100).events.filter {
      $0.kind == .deleted
    }
    #expect(deleted.map(\.id) == ["bundled-1-03"])
  }
}
