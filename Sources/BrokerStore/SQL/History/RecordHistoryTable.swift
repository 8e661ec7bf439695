// Earlier versions of records. A trigger copies a record's state into `past` whenever a statement changes
// the record. So every change is covered, in its own transaction, and a record's first save costs nothing.
// Each author of a record has `Limits.earlierVersionsPerAuthor` versions, so that no account can push out those of
// another. `record.states` counts the record's changes and numbers its versions. Rows are in the
// order of their insertion, so the oldest are found without a separate index.

import BrokerCore
import Records
import SQLConnections

/// The `past` table: earlier versions of records, and the trash.
package struct RecordHistoryTable {
  let records: RecordTable

  private var db: any SQLConnection { records.db }

  /// The table and its triggers. The index `tombstone_state` finds deletions that a later save undid,
  /// `record_gone` the others. One index with the author costs a save nothing; a second one without it would cost it half
  /// as much again. `first_revision`: see `ZoneTable.newZoneHead`.
  static let schema = """
    CREATE TABLE past (
      key INTEGER PRIMARY KEY,
      record INTEGER NOT NULL,
      author INTEGER NOT NULL,
      slot INTEGER NOT NULL,
      zone INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      type TEXT NOT NULL,
      modified_at INTEGER NOT NULL,
      modified_device INTEGER NOT NULL,
      modified_number INTEGER NOT NULL,
      superseded_at INTEGER NOT NULL,
      fields BLOB NOT NULL,
      created_at INTEGER NOT NULL,
      created_device INTEGER NOT NULL,
      created_number INTEGER NOT NULL,
      checksum INTEGER NOT NULL,
      former_versions BLOB,
      UNIQUE (record, author, slot)
    ) STRICT;
    CREATE INDEX tombstone_state ON past (zone, revision) WHERE kind = 1;
    CREATE INDEX record_gone ON record (zone, revision) WHERE kind = 1;
    CREATE TRIGGER record_past_end AFTER DELETE ON record BEGIN
      DELETE FROM past WHERE record = old.key;
    END;
    CREATE TRIGGER record_past AFTER UPDATE OF revision ON record BEGIN
      \(expiry);
      INSERT INTO past (record, author, slot, zone, revision, kind, type, modified_at,
        modified_device, modified_number, superseded_at, fields, created_at, created_device,
        created_number, checksum, former_versions)
      VALUES (old.key, \(author), old.states, old.zone, old.revision, old.kind, old.type,
        old.modified_at, old.modified_device, old.modified_number, new.modified_at, old.fields,
        old.created_at, old.created_device, old.created_number, old.checksum, old.former_versions);
    END;
    CREATE TABLE first_revision (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      revision INTEGER NOT NULL
    ) STRICT;
    INSERT INTO first_revision VALUES (1, 0);
    """

  /// An SQL expression for the account that wrote the state that a trigger replaces.
  package static let author =
    "coalesce((SELECT account FROM device WHERE device.key = old.modified_device), 0)"

  /// The statement that leaves room for one more version of the author.
  package static let expiry = """
    DELETE FROM past WHERE old.states >= \(Limits.earlierVersionsPerAuthor)
      AND past.record = old.key AND past.author = \(author)
      AND slot <= (SELECT slot FROM past AS mine
        WHERE mine.record = old.key AND mine.author = \(author)
        ORDER BY slot DESC LIMIT 1 OFFSET \(Limits.earlierVersionsPerAuthor - 1))
    """

  // MARK: Reading

  private static let columns = StoredState.columns(of: "past")

  private static let historySelection = """
    SELECT \(columns), past.superseded_at FROM past JOIN record ON record.key = past.record
    WHERE past.record = ?1 AND past.revision < ?2 AND past.revision > coalesce((
      SELECT max(revision) FROM past WHERE record = ?1 AND kind = 1 AND revision <= ?3), 0)
      AND (?4 = 0 OR past.revision >= coalesce((SELECT max(revision) FROM (
        SELECT revision FROM past WHERE record = ?1
        UNION ALL SELECT revision FROM record WHERE key = ?1) AS state WHERE revision <= ?4), 0))
    ORDER BY past.revision DESC
    """

  private static let trashSelection = """
    SELECT \(StoredState.columns(of: "record")), \(columns)
    FROM record JOIN past ON past.record = record.key AND past.revision = (
      SELECT max(revision) FROM past WHERE record = record.key AND kind = 0)
    WHERE record.zone = ?1 AND record.kind = 1 AND record.revision > ?2 AND record.revision < ?3
      AND past.revision > coalesce((SELECT max(revision) FROM past
        WHERE record = record.key AND kind = 1 AND revision <= ?2), 0)
      AND record.revision > ?4 AND past.revision >= coalesce((SELECT max(revision) FROM past
        WHERE record = record.key AND revision <= ?4), 0)
    ORDER BY record.revision DESC LIMIT \(BrokerLimits.pageRows)
    """

  private var reader: StateReader {
    StateReader(db: db, origins: records.origins, damages: records.damages)
  }

  /// The earlier versions of a record below a revision, the latest first. A page has about
  /// `BrokerLimits.pageBytes`, and at most `Limits.versionsPerPage` versions. Versions erased with the trash,
  /// and damaged ones, are left out.
  /// - Parameter joined: the version that was current at this revision of the zone is the first one.
  func history(
    of name: RecordName, in zone: StoredZone, below: Revision?, joined: Revision
  ) throws -> HistoryPage {
    let whole = HistoryPage(states: [], isWhole: true)
    let record = try db.first(
      """
      SELECT key, kind, revision FROM record WHERE zone = ? AND name = ?
      """, [zone.key, name.text]
    ) { $0 }
    guard let record else { return whole }
    let isErased = record[1] == 1 && (record[2] as Int64) <= zone.erasedThrough.value
    guard !isErased else { return whole }
    var states: [HistoryPage.State] = []
    var byteCount = 0
    var isWhole = true
    try db.statement(Self.historySelection).forEach(
      [record[0] as Int64, below?.value ?? .max, zone.erasedThrough.value, joined.value]
    ) { row in
      isWhole = byteCount < BrokerLimits.pageBytes && states.count < Limits.versionsPerPage
      guard isWhole else { return false }
      guard case .intact(let change) = try reader.state(of: row, zone: zone.key ?? 0) else {
        return true
      }
      byteCount += change.record.bytes.count + 128
      let end = Timestamp(microseconds: row.number(StoredState.columnCount))
      states.append(HistoryPage.State(change: change, superseded: end))
      return true
    }
    return HistoryPage(states: states, isWhole: isWhole)
  }

  /// The deleted records of a zone with their last versions, the latest first. Damaged ones are left out.
  /// - Parameter joined: records that were deleted through this revision of the zone are left out.
  func trash(of zone: StoredZone, below: Revision?, joined: Revision) throws -> TrashPage {
    var items: [TrashPage.Item] = []
    var (rowCount, byteCount) = (0, 0)
    var reached: Revision?
    try db.statement(Self.trashSelection).scan(
      [zone.key, zone.erasedThrough.value, below?.value ?? .max, joined.value]
    ) { row in
      rowCount += 1
      reached = Revision(row.number(1))
      let key = zone.key ?? 0
      guard case .intact(let tombstone) = try reader.state(of: row, zone: key),
        case .intact(let last) = try reader.state(
          of: row, from: StoredState.columnCount, zone: key)
      else { return true }
      items.append(TrashPage.Item(tombstone: tombstone, last: last))
      byteCount += last.record.bytes.count + 256
      return byteCount < BrokerLimits.pageBytes
    }
    let isFull = byteCount >= BrokerLimits.pageBytes || rowCount == BrokerLimits.pageRows
    return TrashPage(items: items, next: isFull ? reached : nil)
  }

  // MARK: Expiry

  /// Deletes old versions, at most `rowsMaximum` and `BrokerLimits.storedBytesPerTransaction` bytes. Returns
  /// whether there may be more.
  ///
  /// NB: rows are in the order of insertion, so the scan stops at the first row that is not old. Rows dated
  /// in the future are skipped: they were inserted while the clock was ahead.
  func expire(_ old: AgeCutoff, rowsMaximum: Int) throws -> Bool {
    let rows = try db.rows(
      """
      SELECT key, superseded_at, length(fields) FROM past WHERE key > ? ORDER BY key LIMIT ?
      """, [records.memory?.historyScanStart ?? 0, rowsMaximum])
    var bytesLeft = BrokerLimits.storedBytesPerTransaction
    var isMore = rows.count == rowsMaximum
    var last: Int64 = 0
    for row in rows {
      let (key, time): (Int64, Timestamp) = (row[0], Timestamp(microseconds: row[1]))
      if old.contains(time) {
        guard bytesLeft > 0 else {
          isMore = true
          break
        }
        bytesLeft -= row[2]
        try db.run("DELETE FROM past WHERE key = ?", [key])
      } else if time <= old.present {
        isMore = false
        break
      }
      last = key
    }
    records.memory?.historyScanStart = isMore ? last : 0
    return isMore
  }

  /// Erases the versions of some records whose trash was emptied: at most `BrokerLimits.erasuresPerStep`
  /// records of one zone. Returns whether there may be more.
  func eraseEmptiedTrash() throws -> Bool {
    let zone = try db.first(
      """
      SELECT key, erased_through, swept_through FROM zone
      WHERE erased_through > swept_through LIMIT 1
      """
    ) { $0 }
    guard let zone else { return false }
    let (key, through, swept): (Int64, Int64, Int64) = (zone[0], zone[1], zone[2])
    let tombstones = try db.rows(
      """
      SELECT key, revision FROM record
      WHERE zone = ?1 AND kind = 1 AND revision > ?2 AND revision <= ?3
      UNION ALL SELECT record, revision FROM past
      WHERE zone = ?1 AND kind = 1 AND revision > ?2 AND revision <= ?3
      ORDER BY revision LIMIT ?4
      """, [key, swept, through, BrokerLimits.erasuresPerStep])
    var lastErased = swept
    var bytesLeft = BrokerLimits.storedBytesPerTransaction
    var reached = tombstones.count == BrokerLimits.erasuresPerStep ? nil : through
    for tombstone in tombstones {
      let (record, revision): (Int64, Int64) = (tombstone[0], tombstone[1])
      guard bytesLeft > 0 else {
        // NB: no other tombstone has the last revision, because each change has a revision of its own.
        reached = nil
        break
      }
      bytesLeft -= try erase(record, through: revision, in: key)
      lastErased = revision
    }
    try db.run(
      "UPDATE zone SET swept_through = ? WHERE key = ?", [reached ?? lastErased, key])
    return true
  }

  /// Erases the versions of a record up to a revision. Returns their bytes.
  private func erase(_ record: Int64, through revision: Int64, in zone: Int64) throws -> Int {
    let bytes = try db.first(
      "SELECT coalesce(sum(length(fields)), 0) FROM past WHERE record = ? AND revision <= ?",
      [record, revision]
    ) { $0[0] as Int }
    try db.run("DELETE FROM past WHERE record = ? AND revision <= ?", [record, revision])
    try AssetTable(db: db).eraseUses(by: record, of: zone, through: Revision(revision))
    return bytes ?? 0
  }
}
