// Exports the data of an account (the account itself, its zones and their records) from one snapshot of
// the database.

import BrokerCore
import Records
import SQLConnections
import Synchronization

/// What an export passes on.
package enum ArchiveExport {
  /// An item of an exported account.
  package enum Item: Sendable {
    /// The account; always the first item.
    case account(name: String, AccountID, displayName: String)
    /// A zone, followed by its exported records. A public zone appears only if the account created records
    /// in it.
    case zone(container: String, ZoneID, title: String)
    /// A record of the last zone.
    case record(Record)
    /// A damaged record, which is left out. Damaged records follow the intact ones of their zone.
    case damaged(DamagedState)
  }

  /// A record of an exported account, with its container and its decoded fields.
  package struct Record: Sendable {
    /// The name of the container.
    package let container: String
    /// The zone that contains the record.
    package let zone: ZoneID
    /// The current state of the record.
    package let change: Change
    /// The decoded fields.
    package let fields: Fields
  }
}

extension RecordArchive {
  /// Passes the data of an account to `body`: its own zones with their records, and the records it created
  /// in public databases, but no zones that other accounts share with it. Reads its zones and all public
  /// records.
  /// - Throws: `RecordsError` `unknownItem` if there is no such account, and any error of `body`.
  package func export(account name: String, _ body: (ArchiveExport.Item) throws -> Void) throws {
    try snapshot { db in
      guard let account = try AccountTable(db: db).account(named: name) else {
        throw RecordsError(
          .unknownItem, "There is no account “\(name)”.", hint: "See `account list`.")
      }
      let displayName = try db.first(
        "SELECT display_name FROM account WHERE key = ?", [account.key]
      ) { $0[0] as String }
      try body(.account(name: name, account.id, displayName: displayName ?? ""))
      let rows = try db.rows(
        """
        SELECT container.key, container.name, zone.name FROM zone
        JOIN container ON container.key = zone.container
        WHERE owner = ? AND is_deleted = 0 ORDER BY zone.key
        """, [account.key])
      for row in rows {
        guard let zoneName = ZoneName(bytes: row[2] as [UInt8]) else { continue }
        let id = ZoneID(owner: account.id, name: zoneName)
        try export(id, of: row[0], named: row[1], in: db, body)
      }
      let containers = try db.rows("SELECT key, name FROM container ORDER BY key")
      for row in containers {
        try export(.public, of: row[0], named: row[1], madeBy: account.id, in: db, body)
      }
    }
  }

  private func export(
    _ id: ZoneID, of container: StoreKey, named name: String, madeBy creator: AccountID? = nil,
    in db: any SQLConnection, _ body: (ArchiveExport.Item) throws -> Void
  ) throws {
    guard let zone = try ZoneTable(db: db, memory: nil).zone(id, container: container),
      let key = zone.key
    else { return }
    // A public zone has no owner among the accounts, so it is passed only with a record in it.
    var isPassed = false
    func passZone() throws {
      if !isPassed { try body(.zone(container: name, id, title: zone.title)) }
      isPassed = true
    }
    if creator == nil { try passZone() }
    let damaged = Mutex<[DamagedState]>([])
    let damages = DamageList { state in damaged.withLock { $0.append(state) } }
    let records = RecordTable(
      db: db, origins: OriginCache(), memory: nil, damages: damages,
      hidden: HiddenRecords(db: db))
    try records.visitAll(in: key) { change in
      guard creator == nil || change.created.origin.account == creator else { return }
      try passZone()
      try body(
        .record(
          ArchiveExport.Record(
            container: name, zone: id, change: change, fields: try change.record.fields())))
    }
    // The creator of a damaged record is unknown, so public zones report none.
    guard creator == nil else { return }
    for state in damaged.withLock({ $0 }) { try body(.damaged(state)) }
  }
}
