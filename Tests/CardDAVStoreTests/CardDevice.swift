// A device whose contacts are read by CardDAV clients with app passwords.

import AgentStore
import CardDAV
import CardDAVStore
import Contacts
import DeviceRoom
import DeviceStore
import GRDB
import Records

/// A device with an app password “phone”.
struct CardDevice {
  static let day: Int64 = 86_400
  /// A group of another account.
  static let shared = ZoneID(owner: AccountID(0xB0B), name: ZoneName(7))

  let room: Room
  let device: TestDevice

  init(room: Room = Room(), isOnline: Bool = false, passwords: [String] = ["phone"]) throws {
    self.room = room
    device = try TestDevice(room, "laptop", isOnline: isOnline)
    for name in passwords { try add(password: name) }
  }

  // MARK: Passwords

  func add(password name: String, at now: Timestamp = Room.now) throws {
    try edit(at: now) { edit in
      try AppPasswordTable(edit.transaction.db).add(
        name, digest: AppPassword.digest(of: name), scope: .computer, now: now)
    }
  }

  @discardableResult
  func remove(password name: String) throws -> Bool {
    try edit { try AppPasswordTable($0.transaction.db).remove(name) }
  }

  func password(_ name: String = "phone") throws -> AppPasswordView? {
    try read { try AppPasswordTable($0).password(digest: AppPassword.digest(of: name)) }
  }

  // MARK: Transactions

  @discardableResult
  func edit<Result>(
    at now: Timestamp = Room.now, _ body: (inout EditTransaction) throws -> Result
  ) throws -> Result {
    let done = try device.replica.edit(now: now, body)
    try device.perform(done.actions)
    return done.result
  }

  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try device.reader.read(body)
  }

  /// The number of rows of a table.
  func count(_ table: String) throws -> Int {
    try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
  }

  /// Does everything that is left for the background.
  func expire(at now: Timestamp) throws {
    // A clock that has jumped is trusted when it is looked at again.
    _ = try device.replica.forgetPast(now: now)
    while try device.replica.forgetPast(now: now) {}
  }

  // MARK: Contacts

  /// Creates or changes a contact, or a group of cards.
  func save(
    _ name: String, in zone: ZoneID = .standard, isGroup: Bool = false,
    at now: Timestamp = Room.now, _ change: (inout ContactEdit) -> Void
  ) throws {
    try edit(at: now) { transaction in
      let id = RecordID(zone: zone, name: RecordName(stored: name))
      let fields = try transaction.record(id)?.fields ?? Fields()
      var edit = ContactEdit()
      change(&edit)
      let changes = try edit.changes(to: fields, naming: DerivedEntryID.byContent)
      try transaction.apply([
        .save(
          LocalEdit.RecordSave(
            id: id, type: isGroup ? GroupRecord.type : ContactRecord.type, changes: changes))
      ])
    }
  }

  func delete(_ name: String, in zone: ZoneID = .standard, at now: Timestamp = Room.now) throws {
    try edit(at: now) {
      try $0.apply([.delete(RecordID(zone: zone, name: RecordName(stored: name)), version: nil)])
    }
  }

  // MARK: Cards

  /// The card of a contact.
  func card(_ record: String, in zone: ZoneID = .standard) throws -> CardResource? {
    try read { try CardResources($0).card(RecordID(zone: zone, name: RecordName(stored: record))) }
  }

  /// The card at an address.
  func card(named name: String, in zone: ZoneID = .standard) throws -> CardResource? {
    try read { try CardResources($0).card(named: name, in: zone) }
  }

  func changes(
    since token: String = "", limit: Int = 1_000, in zone: ZoneID = .standard
  ) throws -> BookChanges {
    try read { try BookChanges(of: zone, since: token, limit: limit, $0) }
  }

  func token(of zone: ZoneID = .standard) throws -> String {
    try read { try BookChanges.token(of: zone, $0).text }
  }
}

extension BookChanges {
  /// The names of the cards that are new or changed, sorted.
  var names: [String] { cards.map(\.name).sorted() }
}
