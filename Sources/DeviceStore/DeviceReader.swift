// Reads what a device shows. Each method is one read transaction on a reader of the pool, so reads never wait for
// writes.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

/// Reads a device's database. Methods throw `StoreError` when the disk fails.
package struct DeviceReader: Sendable {
  let database: DeviceDatabase
  /// The rules of the application's records.
  package let rules: ApplicationRules
  /// The device's name, unless the user has chosen another one.
  let deviceName: String
  /// What projections keep in memory for readers; empty for the reader of the executor that writes.
  var memories: [any Sendable] = []

  /// Returns what a projection keeps in memory for readers, by its type; `nil` if none does.
  package func memory<Memory>(_ type: Memory.Type = Memory.self) -> Memory? {
    memories.lazy.compactMap { $0 as? Memory }.first
  }

  /// Runs one read transaction, for the tables of a projection.
  /// - Throws: what `body` throws, or `StoreError`.
  package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try database.read(body)
  }

  /// Returns the record of this name in any group. If several groups have one, the account's own groups come first.
  package func record(named name: RecordName) throws -> RecordView? {
    try database.read { db in
      try db.row(
        """
        \(Self.recordSelection) WHERE record.name = ? AND shown IS NOT NULL
          AND \(Self.isOfGroup("record.zone"))
        ORDER BY zone.owner, zone.id LIMIT 1
        """, [name.text]
      ).map(Self.record)
    }
  }

  /// Returns those of `names` that records of this device have, in any group, shown or not.
  package func names(of names: [RecordName]) throws -> Set<RecordName> {
    try database.read { db in
      let statement = try HotStatement(
        borrowing: "SELECT 1 FROM record WHERE name = ? LIMIT 1", from: db)
      var found: Set<RecordName> = []
      for name in names
      where try statement.first(bind: { $0.bind(1, name.text) }, read: { _ in true }) == true {
        found.insert(name)
      }
      return found
    }
  }

  /// Returns the record, if it is shown.
  package func record(_ id: RecordID) throws -> RecordView? {
    try database.read { try Self.record(id, $0) }
  }

  /// Returns the record, if it is shown, as a transaction sees it.
  package static func record(_ id: RecordID, _ db: Database) throws -> RecordView? {
    try db.row(
      """
      \(recordSelection) WHERE zone.owner = ? AND zone.name = ? AND record.name = ?
        AND shown IS NOT NULL
      """, [id.zone.owner.column, id.zone.name.column, id.name.text]
    ).map(record)
  }

  /// Returns all shown records of a zone, by name, for checks and exports. Reads the whole zone.
  ///
  /// NB: SQLite would write what it sorts to a temporary file, which is not wiped when content is erased.
  package func records(in zone: ZoneID) throws -> [RecordView] {
    try database.read { db in
      try db.rows(
        """
        \(Self.recordSelection) WHERE zone.owner = ? AND zone.name = ? AND shown IS NOT NULL
        """, [zone.owner.column, zone.name.column]
      ).map(Self.record).sorted { $0.id.name < $1.id.name }
    }
  }

  /// Returns the zones that the user sees, in no particular order.
  package func zones() throws -> [ZoneView] {
    try database.read { try Self.zones($0).map(\.view) }
  }

  /// Returns the number of a zone's row; `nil` if this device does not have the zone, or only in the trash.
  package static func row(of zone: ZoneID, _ db: Database) throws -> Int64? {
    try db.first(
      "SELECT id FROM zone WHERE owner = ? AND name = ? AND state <> ?",
      [zone.owner.column, zone.name.column, ZoneRow.State.deleted.rawValue]
    ) { $0[0] }
  }

  /// Returns the ids of the zones that the user sees, with the numbers of their rows.
  package static func zoneIDs(_ db: Database) throws -> [(row: Int64, zone: ZoneID)] {
    let rows = try db.rows(
      """
      SELECT id, owner, name FROM zone
      WHERE \(ZoneRow.State.isShown) AND owner <> ? AND NOT \(GroupDeletion.hides("zone.id"))
      """, [AccountID.public.column])
    return try rows.map { row in
      guard let zone = zone(owner: row["owner"], name: row["name"]) else {
        throw StoreError(.damaged, "A zone's row is damaged.")
      }
      return (row["id"], zone)
    }
  }

  /// Returns the zones that the user sees, with the numbers of their rows.
  package static func zones(_ db: Database) throws -> [(row: Int64, view: ZoneView)] {
    let rows = try db.rows(
      """
      SELECT zone.*,
        EXISTS (SELECT 1 FROM outbox WHERE outbox.zone = zone.id AND outbox.name IS NULL)
          AS waiting
      FROM zone
      WHERE \(ZoneRow.State.isShown) AND owner <> ? AND NOT \(GroupDeletion.hides("zone.id"))
      """, [AccountID.public.column])
    return try rows.map { row in
      guard let zone = zone(owner: row["owner"], name: row["name"]) else {
        throw StoreError(.damaged, "A zone's row is damaged.")
      }
      let view = ZoneView(
        zone: zone, title: row["title"],
        role: DirectoryEntry.Role(rawValue: UInt8(clamping: row["role"] as Int)) ?? .member,
        isWritable: row["writable"], ownerName: row["owner_name"],
        ownerDisplayName: row["owner_display_name"], isShared: row["shared"],
        isSynced: !row["waiting"])
      return (row["id"], view)
    }
  }

  /// Returns the status of the device.
  package func status() throws -> DeviceStatus {
    try database.read { db in
      guard let row = try db.row("SELECT * FROM identity") else {
        throw StoreError(.damaged, "The database lacks the device's own row.")
      }
      var ledger = EditLedger(row: row)
      ledger.pending = try db.number("SELECT sum(edits) FROM outbox")
      return DeviceStatus(
        account: AccountID(column: row["account"]), accountName: row["account_name"],
        device: DeviceID(column: row["device"]),
        deviceName: try SettingTable.value(db, SettingTable.deviceName) ?? deviceName,
        waitingEdits: try Self.waitingEdits(db) + ReplicaSubscriptionTable.waiting(db, rules),
        waitingEntries: try db.number("SELECT count(*) FROM outbox")
          + ReplicaSubscriptionTable.waiting(db, rules),
        heldDeletions: try db.number("SELECT count(*) FROM outbox WHERE held = 1"),
        lastSync: (row["last_sync"] as Int64?).map { Timestamp(microseconds: $0) },
        conflicts: try conflicts(db).count,
        rejectedEdits: try db.number("SELECT count(*) FROM rejected_edit WHERE is_unseen = 0"),
        unheldSubscriptions: try db.number(
          """
          SELECT count(*) FROM subscription
          WHERE (pending_change = 3 OR pending_change = 0 AND off = 1) AND \(ReplicaSubscriptionTable.isOfPeople(rules))
          """),
        badge: try Self.badge(db),
        lastEvent: row["last_event"],
        ledger: ledger)
    }
  }

  private static func waitingEdits(_ db: Database) throws -> Int {
    try db.number(
      """
      SELECT count(*) FROM (
        SELECT DISTINCT outbox.zone, outbox.name FROM outbox
        LEFT JOIN record ON record.zone = outbox.zone AND record.name = outbox.name
        WHERE record.type IS NULL OR record.type NOT IN (?, ?))
      """, [ConflictRecord.recordType.text, FirstRecords.markerType.text])
  }

  /// Returns the number of the newest event.
  package func lastEvent() throws -> Int64 {
    try database.read { Int64(try $0.number("SELECT last_event FROM identity")) }
  }

  /// Returns at most `limit` events after number `sequence`, in order.
  /// - Returns: the events, and the number of the oldest retained event, by which a caller detects a gap.
  package func events(
    after sequence: Int64, limit: Int
  ) throws -> (events: [LocalEvent], oldest: Int64) {
    try database.read { db in
      let rows = try db.rows(
        "SELECT * FROM event WHERE sequence > ? ORDER BY sequence LIMIT ?", [sequence, limit])
      let oldest = try db.number("SELECT min(sequence) FROM event")
      return (try rows.compactMap(Self.event), Int64(oldest))
    }
  }

  /// Returns the unresolved conflicts of records on this device, oldest first, 1,000 at most.
  package func conflicts() throws -> [ConflictView] {
    try database.read(conflicts)
  }

  private func conflicts(_ db: Database) throws -> [ConflictView] {
    let device = DeviceID(column: try db.row("SELECT device FROM identity")?["device"])
    let rows = try db.rows(
      """
      \(Self.recordSelection) WHERE record.type = 'Conflict' AND shown IS NOT NULL
      ORDER BY record.id LIMIT \(DeviceLimits.rowsPerList)
      """)
    return try rows.compactMap { row in
      let view = try Self.record(row)
      return try ConflictRecord(view.fields).flatMap { try conflict($0, view, on: device, db) }
    }
  }

  /// Returns the rejected edits, oldest first, 1,000 at most.
  package func rejectedEdits() throws -> [RejectedEditView] {
    try database.read { db in
      try db.rows(
        "SELECT * FROM rejected_edit WHERE is_unseen = 0 ORDER BY id LIMIT \(DeviceLimits.rowsPerList)"
      )
      .map(RejectedEdits.view)
    }
  }
}
