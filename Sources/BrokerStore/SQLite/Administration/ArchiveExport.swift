// An account as it is handed out: itself, its zones, and their records, as one moment of the database
// has them.

import BrokerCore
import FoundationEssentials
import GRDB
import Records
import SQLiteFile
import Synchronization

extension BrokerArchive {
  /// One thing of an account.
  package enum ExportedItem: Sendable {
    /// The account; the first item.
    case account(name: String, AccountID, displayName: String)
    /// A zone of its own, ahead of the zone's records.
    case zone(container: String, ZoneID, title: String)
    /// A record.
    case record(ExportedRecord)
    /// A record that is not as it was written, and is left out; told at the end of its zone.
    case damaged(DamagedState)
  }

  /// A record of an account.
  package struct ExportedRecord: Sendable {
    /// The application's name.
    package let container: String
    /// The zone.
    package let zone: ZoneID
    /// The record.
    package let change: Change
    /// Its fields.
    package let fields: Fields
  }

  /// Hands everything of an account to `body`: its own zones with their records, not those that
  /// others share with it, and what it made in public databases. Costs a reading of them, and of all
  /// public records.
  /// - Throws: `RecordsError` `unknownItem` where there is no such account; what `body` throws.
  package func export(account name: String, _ body: (ExportedItem) throws -> Void) throws {
    let database = try BrokerSchema.file.openForReading(path: path)
    defer { try? database.close() }
    try database.read { db in
      guard let account = try AccountTable(db: db).account(named: name) else {
        throw RecordsError(
          .unknownItem, "There is no account “\(name)”.", hint: "See `account list`.")
      }
      let displayName = try db.first(
        "SELECT display_name FROM account WHERE key = ?", [account.key]
      ) { $0[0] as String }
      try body(.account(name: name, account.id, displayName: displayName ?? ""))
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT container.key, container.name, zone.name FROM zone
          JOIN container ON container.key = zone.container
          WHERE owner = ? AND is_deleted = 0 ORDER BY zone.key
          """, arguments: [account.key])
      for row in rows {
        guard let zoneName = ZoneName(bytes: row[2] as Data) else { continue }
        let id = ZoneID(owner: account.id, name: zoneName)
        try export(id, of: row[0], named: row[1], in: db, body)
      }
      let containers = try Row.fetchAll(db, sql: "SELECT key, name FROM container ORDER BY key")
      for row in containers {
        try export(.public, of: row[0], named: row[1], madeBy: account.id, in: db, body)
      }
    }
  }

  private func export(
    _ id: ZoneID, of container: StoreKey, named name: String, madeBy creator: AccountID? = nil,
    in db: Database, _ body: (ExportedItem) throws -> Void
  ) throws {
    guard let zone = try ZoneTable(db: db, memory: nil).zone(id, container: container),
      let key = zone.key
    else { return }
    // Nobody has a public database, so it is only told where something in it was made.
    var isTold = false
    func tell() throws {
      if !isTold { try body(.zone(container: name, id, title: zone.title)) }
      isTold = true
    }
    if creator == nil { try tell() }
    let damaged = Mutex<[DamagedState]>([])
    let damages = DamageList { state in damaged.withLock { $0.append(state) } }
    let records = RecordTable(
      db: db, origins: OriginCache(), memory: nil, damages: damages,
      hidden: HiddenRecords(db: db))
    try records.visitAll(in: key) { change in
      guard creator == nil || change.created.origin.account == creator else { return }
      try tell()
      try body(
        .record(
          ExportedRecord(
            container: name, zone: id, change: change, fields: try change.record.fields())))
    }
    // Of a damaged record nobody knows who made it.
    guard creator == nil else { return }
    for state in damaged.withLock({ $0 }) { try body(.damaged(state)) }
  }
}
