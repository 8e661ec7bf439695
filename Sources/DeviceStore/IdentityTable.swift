// The identity of the device, and the sync machine for the state of its store.

import Foundation
import GRDB
import Records
import RecordsWire
import SQLiteFile
import SyncCore

enum IdentityTable {
  /// Creates the device's own row, the standard zone and the first records in one transaction, unless they
  /// exist.
  static func begin(
    _ db: Database, _ application: Application, generator: inout some RandomNumberGenerator,
    now: Timestamp
  ) throws {
    guard try db.number("SELECT count(*) FROM identity") == 0 else { return }
    try db.run(
      "INSERT INTO identity (id, device_key) VALUES (1, ?)", [Data(newKey(using: &generator))])
    let transaction = try DeviceTransaction(db, application, now: now)
    try beginAccount(transaction)
    try transaction.finish()
  }

  /// Creates the standard zone and the first records of the device's account.
  static func beginAccount(_ transaction: DeviceTransaction) throws {
    var zone = ZoneRow(zone: .standard, title: "", knownTitle: "", state: .present)
    try zone.store(transaction.db)
    try beginPublicDatabase(transaction.db, transaction.rules)
    try FirstRun.begin(zone: zone, transaction)
  }

  /// Creates the zone of the public database, unless it exists or nobody is signed in. It exists from the first start,
  /// because what is saved before the device ever met a broker waits in it.
  static func beginPublicDatabase(_ db: Database, _ rules: ApplicationRules) throws {
    guard !rules.publicTypes.isEmpty, try ZoneRow.load(db, .public) == nil,
      try !SignOut.isSignedOut(db)
    else { return }
    var zone = ZoneRow(
      zone: .public, title: "", knownTitle: "", role: .member, state: .present)
    try zone.store(db)
  }

  static func newKey(using generator: inout some RandomNumberGenerator) -> [UInt8] {
    DeviceKey.random(using: &generator).bytes
  }

  /// Creates the sync machine for the state of the store.
  /// - Throws: `invalidArguments` if the settings name another account than the one whose records are here: they
  ///   must never be sent to another account.
  static func machine(
    _ db: Database, settings: DeviceSettings, _ rules: ApplicationRules
  ) throws -> SyncMachine {
    guard let row = try db.row("SELECT * FROM identity WHERE id = 1") else {
      throw StoreError(.damaged, "The database lacks the device's own row.")
    }
    if let known = row["account_name"] as String?, let asked = settings.accountName,
      known != asked
    {
      throw RecordsError(
        .invalidArguments, "This device belongs to account “\(known)”, not “\(asked)”.",
        hint: "Sign out first, or use another file.",
        reason: "otherAccountName")
    }
    let chosen = try SettingTable.value(db, SignOut.account)
    let zones = try ZoneRow.all(db)
    let followed = zones.filter { $0.state == .present && !$0.zone.isPublic }.map { zone in
      (zone.zone, FollowedZone(token: zone.token, incarnation: zone.incarnation, sweep: zone.sweep))
    }
    let requests = try db.rows(
      "SELECT number, length(bytes) AS size FROM request ORDER BY number")
    var machine = SyncMachine(
      identity: SyncMachine.Identity(
        container: settings.container,
        accountName: settings.accountName ?? chosen ?? row["account_name"],
        deviceName: try SettingTable.value(db, SettingTable.deviceName) ?? settings.deviceName,
        key: [UInt8](row["device_key"] as Data),
        account: AccountID(column: row["account"]), device: DeviceID(column: row["device"]),
        invocation: settings.invocation, former: formerDevice(row)),
      lastNumber: RequestNumber(row["last_number"]),
      acknowledged: RequestNumber(row["acknowledged"]),
      directory: Revision(row["directory"]), zones: Dictionary(uniqueKeysWithValues: followed),
      abandoned: Set(zones.filter { $0.state == .deleting }.map(\.zone)),
      notifications: try NotificationState.load(db).position,
      requests: requests.map {
        NumberedRequest(number: RequestNumber($0["number"]), byteCount: $0["size"])
      },
      publicReading: PublicDatabaseSync(types: settings.readsPublicRecords ? rules.publicTypes : [])
    )
    if let reason = try SignOut.reason(db) { machine.stayOut(because: reason) }
    return machine
  }

  private static func formerDevice(_ row: Row) -> FormerDevice? {
    guard let device = DeviceID(column: row["former_device"]), let key = row["former_key"] as Data?
    else { return nil }
    return FormerDevice(device, key: [UInt8](key))
  }

  /// Renumbers the stored requests, starting after `number`.
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
