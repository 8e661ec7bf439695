// Zones. The column `head` is the zone's revision. Every transaction that changes a record raises it, which
// puts the writers of any database in an order.

import BrokerCore
import Records
import SQLConnections

/// The `zone` table.
struct ZoneTable {
  let db: any SQLConnection
  /// The writer's cache; `nil` for readers.
  let memory: WriterMemory?

  /// The zone with this id, which may be deleted; `nil` if it never existed.
  func zone(_ id: ZoneID, container: StoreKey) throws -> StoredZone? {
    guard let memory else { return try read(id, container: container) }
    return try memory.zone(WriterMemory.ZoneKey(container: container, id: id)) {
      try read(id, container: container)
    }
  }

  private func read(_ id: ZoneID, container: StoreKey) throws -> StoredZone? {
    let sql = """
      SELECT zone.key, title, incarnation, head, expired_through, is_deleted, erased_through,
        former_incarnation, kept_through, lineage, title_revision, restorations, deleted_at, record_count
      FROM zone JOIN account ON account.key = zone.owner
      WHERE container = ? AND account.id = ? AND zone.name = ?
      """
    return try db.first(sql, [container, id.owner.bytes, id.name.bytes]) { row in
      let incarnation: [UInt8] = row[2]
      var zone = StoredZone(
        key: row[0], id: id, title: row[1],
        incarnation: Incarnation(bytes: incarnation) ?? Incarnation(0), head: Revision(row[3]),
        expiredThrough: Revision(row[4]), isDeleted: row[5])
      zone.erasedThrough = Revision(row[6])
      zone.former = Self.formerHistory(row, from: 7)
      zone.titleRevision = Revision(row[10])
      zone.restorations = row[11]
      zone.deletedAt = (row[12] as Int64?).map { Timestamp(microseconds: $0) }
      if zone.isDeleted { zone.recordCount = row[13] }
      return zone
    }
  }

  /// Reads the columns `former_incarnation`, `kept_through` and `lineage`, of which the first is at `column`.
  static func formerHistory(_ row: SQLRow, from column: Int) -> FormerHistory? {
    guard let former = (row[column] as [UInt8]?).flatMap({ Incarnation(bytes: $0) }) else {
      return nil
    }
    if let lineage = (row[column + 2] as [UInt8]?).flatMap({ Lineage(bytes: $0) }) {
      return FormerHistory(lineage: lineage)
    }
    // The lineage is damaged: the last history is known without it.
    return FormerHistory(incarnation: former, keptThrough: Revision(row[column + 1]))
  }

  /// Returns `zone` with the present names of its lost records. With more than `Limits.lostNames`, the zone
  /// has no former history.
  func withLostNames(_ zone: StoredZone) throws -> StoredZone {
    guard let former = zone.former, let key = zone.key else { return zone }
    let names = try lostNames(in: key)
    var zone = zone
    zone.former =
      names.count > Limits.lostNames
      ? nil
      : FormerHistory(lineage: former.lineage, lostNames: Set(names))
    return zone
  }

  /// The lost records of a zone that no device has saved again. At most one more than `Limits.lostNames`.
  private func lostNames(in zone: StoreKey) throws -> [RecordName] {
    try
      (db.column(
        """
        SELECT name FROM record WHERE zone = ? AND kind = 1 AND modified_number = 0 AND type = 'Damaged'
        LIMIT \(Limits.lostNames + 1)
        """, [zone]) as [String]).map { RecordName(stored: $0) }
  }

  /// The zone with this row, which may be deleted; `nil` if it belongs to another container.
  func zone(at key: StoreKey, container: StoreKey) throws -> StoredZone? {
    let id = try db.first(
      """
      SELECT account.id, zone.name FROM zone JOIN account ON account.key = zone.owner
      WHERE zone.key = ? AND container = ?
      """, [key, container]
    ) { row -> ZoneID? in
      guard let owner = AccountID(bytes: row[0] as [UInt8]),
        let name = ZoneName(bytes: row[1] as [UInt8])
      else { return nil }
      return ZoneID(owner: owner, name: name)
    }
    return try (id ?? nil).flatMap { try zone($0, container: container) }
  }

  /// The zones in an account's directory, which may be deleted.
  func zones(inDirectoryOf account: StoreKey, container: StoreKey) throws -> [StoredZone] {
    let ids = try db.rows(
      """
      SELECT account.id, zone.name FROM directory
        JOIN zone ON zone.key = directory.zone JOIN account ON account.key = zone.owner
      WHERE directory.container = ? AND directory.account = ? ORDER BY zone.key
      """, [container, account])
    return try ids.compactMap { row in
      guard let owner = AccountID(bytes: row[0] as [UInt8]),
        let name = ZoneName(bytes: row[1] as [UInt8])
      else { throw StoreError(.damaged, "The id of a zone or its owner is not 16 bytes long.") }
      return try zone(ZoneID(owner: owner, name: name), container: container)
    }
  }

  /// The number of zones that an account owns or participates in, and of those in its directory.
  func counts(of account: StoreKey, container: StoreKey) throws -> ZoneCounts {
    try db.first(
      """
      SELECT (SELECT count(*) FROM zone WHERE owner = ?1 AND container = ?2 AND is_deleted = 0)
        + (SELECT count(*) FROM participant CROSS JOIN zone ON zone.key = participant.zone
          WHERE account = ?1 AND status = \(Participant.Status.accepted.rawValue)
            AND container = ?2),
        (SELECT count(*) FROM directory WHERE container = ?2 AND account = ?1)
      """, [account, container]
    ) { ZoneCounts(present: $0[0], named: $0[1]) } ?? ZoneCounts()
  }

  /// The revision at which a new zone begins: zero, until the broker is restored. The backup may lack a zone, and a device
  /// that saved records in it makes it again. None of the tags that another device knows may be one of the new zone's, or
  /// that device's save would replace a record that it has not read.
  var newZoneHead: Revision {
    get throws { Revision(try db.value("SELECT revision FROM first_revision") ?? 0) }
  }

  /// Inserts a zone of the account with row `owner`. Returns the zone's row.
  func insert(_ zone: StoredZone, container: StoreKey, owner: StoreKey) throws -> StoreKey {
    try db.insert(
      """
      INSERT INTO zone (container, owner, name, title, incarnation, title_revision, head)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        container, owner, zone.id.name.bytes, zone.title, zone.incarnation.bytes,
        zone.titleRevision.value, zone.head.value,
      ])
  }

  /// Updates a zone's title, whether and when it was deleted, and through which revision its trash is erased.
  func update(_ zone: StoredZone, key: StoreKey, container: StoreKey) throws {
    try db.run(
      """
      UPDATE zone SET title = ?, title_revision = ?, is_deleted = ?, deleted_at = ?,
        erased_through = ? WHERE key = ?
      """,
      [
        zone.title, zone.titleRevision.value, zone.isDeleted, zone.deletedAt?.microseconds,
        zone.erasedThrough.value, key,
      ])
    memory?.invalidateZone(WriterMemory.ZoneKey(container: container, id: zone.id))
  }

  /// Updates a deleted zone that was restored with a new history.
  func restore(_ zone: StoredZone, key: StoreKey, container: StoreKey) throws {
    try update(zone, key: key, container: container)
    try db.run(
      """
      UPDATE zone SET incarnation = ?, former_incarnation = ?, kept_through = ?, lineage = ?,
        restorations = ? WHERE key = ?
      """,
      [
        zone.incarnation.bytes, zone.former?.incarnation?.bytes,
        zone.former?.keptThrough.value ?? 0, zone.former?.lineage.bytes, zone.restorations, key,
      ])
  }

  /// Ends the time in which the owners of some deleted zones can restore them, at most `rowsMaximum`. Returns the number
  /// of zones. Their records are deleted in later steps, see `isErased`.
  func forgetDeleted(_ old: AgeCutoff, rowsMaximum: Int) throws -> Int {
    let latest = old.includesFuture ? old.present.microseconds : .max
    return try db.countChanges(
      """
      UPDATE zone SET deleted_at = NULL WHERE key IN (
        SELECT key FROM zone WHERE deleted_at < ? OR deleted_at > ? LIMIT ?)
      """, [old.before.microseconds, latest, rowsMaximum])
  }

  /// The condition in SQL for deleted zones that cannot be restored. Maintenance deletes what they contain.
  static let isErased = "zone.is_deleted = 1 AND zone.deleted_at IS NULL"
}
