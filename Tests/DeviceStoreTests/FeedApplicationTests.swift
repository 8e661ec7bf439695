import Contacts
import Records
import RecordsWire
import SyncCore
import Testing

@testable import DeviceStore

@Suite("I16 records that the broker has lost")
struct FeedApplicationTests {
  private let room = Room()
  private let account = AccountID(0xACC)
  private var zone: ZoneID { .standard.resolved(for: account) }

  private func state(_ tag: Int64, note: String) -> Change {
    let stamp = Stamp(
      time: Room.now,
      origin: Origin(account: account, device: DeviceID(77), request: RequestNumber(tag)))
    return Change(
      name: RecordName(stored: "ada"), tag: Revision(tag), kind: .saved, type: ContactRecord.type,
      created: stamp, modified: stamp, record: EncodedRecord(["note": .string(note)]))
  }

  private func changes(
    _ changes: [Change], in history: UInt128, to revision: Int64
  ) -> BrokerMessage {
    .changes(
      ZoneChanges(
        zone: zone, incarnation: Incarnation(history), from: .zero, to: Revision(revision),
        scanStart: Revision(revision), changes: changes))
  }

  private func level(
    _ history: UInt128, _ revision: Int64, former: FormerHistory? = nil
  ) -> BrokerMessage {
    .level(
      zone: zone, incarnation: Incarnation(history), head: Revision(revision),
      scanStart: Revision(revision),
      former: former)
  }

  /// A device that was welcomed.
  private func device() throws -> TestDevice {
    let device = try TestDevice(room, "phone", isOnline: false)
    _ = device.replica.brokerAppeared()
    guard case .conversation(.send(let id, _)) = try device.replica.connected(now: Room.now).first
    else { throw RecordsError(.internalError, "The device does not greet.") }
    let welcome = Welcome(
      version: 1, account: account, accountName: "ada", device: DeviceID(5), lastNumber: .zero,
      directory: .zero, heartbeatSeconds: 30)
    _ = try device.replica.received(.welcome(welcome), replyTo: id, now: Room.now)
    return device
  }

  // The broker read the record for its answer to the deletion, then lost it to damage. The answer arrives while the new
  // history is read.
  @Test func `a record that an answer brought from before the damage is sent again`() throws {
    let device = try device()
    func receive(_ message: BrokerMessage) throws -> [SyncAction] {
      try device.replica.received(message, replyTo: nil, now: Room.now)
    }
    _ = try receive(changes([state(2, note: "new")], in: 1, to: 2))
    _ = try receive(level(1, 2))
    let deletion = LocalEdit.delete(
      RecordID(zone: .standard, name: RecordName(stored: "ada")), version: nil)
    let sent = try device.replica.edit([deletion], now: Room.now)
    #expect(saves(sent) == [])

    _ = try receive(changes([], in: 2, to: 1))
    let changed = RecordsError(.serverRecordChanged, "Changed.")
    _ = try receive(
      .outcome(
        ModifyOutcome(
          number: RequestNumber(1),
          groups: [[.failed(changed, serverRecord: state(1, note: "old"))]])))
    var actions = try receive(changes([], in: 2, to: 1))
    let former = FormerHistory(
      incarnation: Incarnation(1), keptThrough: Revision(2),
      lostNames: [RecordName(stored: "ada")])
    actions += try receive(level(2, 1, former: former))
    #expect(try device.fields("ada") != nil)
    #expect(saves(actions).contains("ada"))
  }

  /// The names of the records that requests among the actions save.
  private func saves(_ actions: [SyncAction]) -> [String] {
    actions.flatMap { action -> [String] in
      guard case .conversation(.send(_, .modify(let request))) = action else { return [] }
      return request.groups.flatMap(\.operations).compactMap { operation in
        if case .save(let save) = operation { save.name.text } else { nil }
      }
    }
  }
}
