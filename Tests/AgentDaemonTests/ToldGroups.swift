// Groups of other people for an agent without a broker: what a broker would say of them, said to its
// replica.

import DeviceDriver
import DeviceStore
import Records
import SyncCore

@testable import AgentDaemon

extension RunningAgent {
  /// A group of Bob's.
  static let rowing = ZoneID(owner: AccountID(0xB0B), name: ZoneName(7))
  /// Its id in paths.
  static var rowingID: String { GroupID.text(rowing) }

  /// The public id of a record.
  static func id(_ name: String, in zone: ZoneID = .standard) -> String {
    RecordID(zone: zone, name: RecordName(stored: name)).publicID.text
  }

  /// Says that Bob's group is there, with these contacts, as a broker that has just been met.
  func tell(
    of contacts: [(id: String, fields: Fields)], isWritable: Bool, revision: Int64 = 1
  ) async throws {
    let entry = DirectoryEntry(
      revision: Revision(revision), zone: Self.rowing, title: "Rowing", role: .member,
      isWritable: isWritable, incarnation: Incarnation(3), isDeleted: false, ownerName: "bob",
      isShared: true, ownerDisplayName: "Bob B.")
    let stamp = Stamp(
      time: Timestamp(microseconds: 5),
      origin: Origin(
        account: Self.rowing.owner, device: DeviceID(0xB), request: RequestNumber(1)))
    let head = Revision(Int64(contacts.count))
    let changes = contacts.enumerated().map { index, contact in
      Change(
        name: RecordName(stored: contact.id), tag: Revision(Int64(index) + 1), kind: .saved,
        type: RecordType(stored: "Contact"), created: stamp, modified: stamp,
        record: EncodedRecord(contact.fields))
    }
    let page = ZoneChanges(
      zone: Self.rowing, incarnation: Incarnation(3), from: .zero, to: head, scanStart: head,
      changes: changes)
    try await driver.edit { replica, now in
      var actions = try Self.meet(replica, now)
      let told: [BrokerMessage] = [
        .directory(
          DirectoryPage(
            from: Revision(revision - 1), to: Revision(revision), entries: [entry])),
        .changes(page),
        .level(
          zone: Self.rowing, incarnation: Incarnation(3), head: head, scanStart: head),
      ]
      for message in told {
        actions += try replica.received(message, replyTo: nil, now: now)
      }
      return ((), actions)
    }
  }

  /// Says that Bob's group is no longer shared with the account.
  func loseRowing() async throws {
    let gone = DirectoryEntry(
      revision: Revision(2), zone: Self.rowing, title: "", role: .member, isWritable: false,
      incarnation: Incarnation(3), isDeleted: true, isShared: true)
    let page = DirectoryPage(from: Revision(1), to: Revision(2), entries: [gone])
    try await driver.edit { replica, now in
      ((), try replica.received(.directory(page), replyTo: nil, now: now))
    }
  }

  /// Greets a broker, unless that was done.
  static func meet(_ replica: Replica, _ now: Timestamp) throws -> [SyncAction] {
    guard replica.phase == .offline else { return [] }
    _ = replica.brokerAppeared()
    guard case .conversation(.send(let id, _)) = try replica.connected(now: now).first else {
      return []
    }
    let welcome = Welcome(
      version: 1, account: account, accountName: "ada", device: DeviceID(8),
      lastNumber: .zero, directory: .zero, heartbeatSeconds: 600)
    return try replica.received(.welcome(welcome), replyTo: id, now: now)
  }
}
