// Who the device is, and the machine that goes on where the store stands.

import Contacts
import Foundation
import GRDB
import Records
import RecordsWire
import SQLiteFile
import SyncCore

enum DeviceIdentity {
  /// Makes the device's own row, the standard zone and the first contacts, in one transaction with
  /// each other, unless that was done before.
  static func begin(
    _ db: Database, bundled: [(name: RecordName, fields: Fields)],
    contacts: ContactIndex, generator: inout some RandomNumberGenerator, now: Timestamp
  ) throws {
    guard try db.number("SELECT count(*) FROM identity") == 0 else { return }
    try db.run(
      "INSERT INTO identity (id, device_key) VALUES (1, ?)", [Data(newKey(using: &generator))])
    let transaction = try DeviceTransaction(db, contacts: contacts, now: now)
    try beginAccount(transaction, bundled: bundled)
    try transaction.finish()
  }

  /// Makes the standard zone and the first contacts of whoever the device belongs to.
  static func beginAccount(
    _ transaction: DeviceTransaction, bundled: [(name: RecordName, fields: Fields)]
  ) throws {
    var zone = ZoneRow(zone: .standard, title: "", knownTitle: "", state: .present)
    try zone.store(transaction.db)
    try TimelineIndex.begin(transaction.db)
    try FirstRun.begin(bundled, zone: zone, transaction)
  }

  static func newKey(using generator: inout some RandomNumberGenerator) -> [UInt8] {
    DeviceKey.random(using: &generator).bytes
  }

  /// The machine of this store.
  /// - Throws: `invalidArguments` when the settings name another account than the one whose
  ///   contacts are here: they must never be sent to somebody else's.
  static func machine(_ db: Database, settings: DeviceSettings) throws -> SyncMachine {
    guard let row = try db.row("SELECT * FROM identity WHERE id = 1") else {
      throw StoreError(.damaged, "The database lacks the device's own row.")
    }
    if let known = row["account_name"] as String?, let asked = settings.accountName,
      known != asked
    {
      throw RecordsError(
        .invalidArguments, "This device belongs to account “\(known)”, not “\(asked)”.",
        hint: "Sign out first (contactsctl signout), or use another state directory.")
    }
    let chosen = try SettingTable.value(db, SignOut.account)
    let zones = try ZoneRow.all(db)
    let followed = zones.filter { $0.state == .present && !$0.zone.isPublic }.map { zone in
      (zone.zone, ZoneReading(token: zone.token, incarnation: zone.incarnation, sweep: zone.sweep))
    }
    let requests = try db.rows("SELECT number FROM request ORDER BY number")
    var machine = SyncMachine(
      identity: SyncMachine.Identity(
        container: settings.container,
        accountName: settings.accountName ?? chosen ?? row["account_name"],
        deviceName: try SettingTable.value(db, SettingTable.deviceName) ?? settings.deviceName,
        key: [UInt8](row["device_key"] as Data),
        account: AccountID(column: row["account"]), device: DeviceID(column: row["device"]),
        invocation: settings.invocation),
      lastNumber: RequestNumber(row["last_number"]),
      acknowledged: RequestNumber(row["acknowledged"]),
      directory: Revision(row["directory"]), zones: Dictionary(uniqueKeysWithValues: followed),
      abandoned: Set(zones.filter { $0.state == .deleting }.map(\.zone)),
      notifications: try NotificationState.load(db).position,
      requests: requests.map { RequestNumber($0["number"]) },
      publicReading: PublicReading(types: settings.hasTimeline ? TimelineIndex.types : []))
    if let reason = try SignOut.reason(db) { machine.stayOut(because: reason) }
    return machine
  }

  /// Numbers the frozen requests anew, from the one after `number`.
  static func renumber(_ db: Database, after number: RequestNumber) throws {
    var next = number
    for row in try db.rows("SELECT number, bytes FROM request ORDER BY number") {
      next = next.next
      let old: Int64 = row["number"]
      let request = try ModifyRequest(encoded: [UInt8](row["bytes"] as Data))
      let renumbered = ModifyRequest(
        number: next, acknowledged: number, groups: request.groups)
      try db.run("DELETE FROM request WHERE number = ?", [old])
      try db.run(
        "INSERT INTO request VALUES (?, ?)", [next.value, Data(renumbered.encoded)])
      try db.run("UPDATE outbox SET number = ? WHERE number = ?", [next.value, old])
      try db.run("UPDATE layer SET flight = ? WHERE flight = ?", [next.value, old])
    }
    try db.run("UPDATE identity SET last_number = ?, acknowledged = ?", [next.value, number.value])
  }
}
