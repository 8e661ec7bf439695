// Finds the record states that do not match their checksums, and repairs a database that has any. Most
// records that are damaged on the broker still exist on a device. So a repair replaces each by a tombstone
// and gives its zone a new history: the devices read the zone again, find the record missing, and send it.

import BrokerCore
import Records
import SQLConnections

/// The damaged record states of a broker's database.
struct DamagedRecords {
  /// A state that does not match its checksum.
  struct State {
    /// `record` or `past`.
    let table: String
    let key: Int64
    let zone: StoreKey
    let name: String
    let revision: Int64
    let zoneTitle: String
    let owner: String
    /// Whether a tombstone with its name has replaced it.
    var hasTombstone = false

    /// The message for the operator.
    var sentence: String {
      let state = table == "record" ? "The record" : "An earlier version of the record"
      let place = zoneTitle.isEmpty ? "the default zone" : "“\(zoneTitle)”"
      return "\(state) “\(name)” in \(place) of “\(owner)” is damaged (revision \(revision))."
    }
  }

  let db: any SQLConnection

  /// The damaged states, at most `limit` of each table. Reads every record and earlier version.
  func damaged(atMost limit: Int) throws -> [State] {
    try ["record", "past"].flatMap { try damaged(in: $0, atMost: limit) }
  }

  private func damaged(in table: String, atMost limit: Int) throws -> [State] {
    let reader = StateReader(
      db: db, origins: OriginCache(), damages: DamageList(report: { _ in }))
    let columns = StoredState.columnCount
    let rows = try db.statement(
      """
      SELECT \(StoredState.columns(of: table)), \(table).key, \(table).zone FROM \(table)
      \(table == "record" ? "" : "JOIN record ON record.key = past.record")
      """)
    var found: [State] = []
    try rows.scan([]) { row in
      guard case .damaged(let lost) = try reader.state(of: row, zone: 0) else { return true }
      let zone = row.number(columns + 1)
      let (title, owner) = try titleAndOwner(of: zone)
      found.append(
        State(
          table: table, key: row.number(columns), zone: zone, name: lost.name.text,
          revision: lost.tag.value, zoneTitle: title, owner: owner))
      return found.count < limit
    }
    return found
  }

  /// Whether the index of records by name has each damaged record under the name in its row. Must be called
  /// before indexes are rebuilt, because a rebuilt index repeats the names of the rows.
  func areNamesConfirmed() throws -> Bool {
    try damaged(in: "record", atMost: .max).allSatisfy { state in
      try db.value(
        "SELECT key FROM record INDEXED BY sqlite_autoindex_record_1 WHERE zone = ? AND name = ?",
        [state.zone, state.name]) == state.key
    }
  }

  private func titleAndOwner(of zone: StoreKey) throws -> (title: String, owner: String) {
    let sql = """
      SELECT title, account.name FROM zone JOIN account ON account.key = zone.owner
      WHERE zone.key = ?
      """
    return try db.first(sql, [zone]) { ($0[0] as String, $0[1] as String) }
      ?? ("", "unknown account")
  }

  // MARK: Repair

  /// The index of the tombstones of lost records. They have request number 0, which no client uses.
  static let schema = """
    CREATE INDEX record_lost ON record (zone, name) WHERE kind = 1 AND modified_number = 0 AND type = 'Damaged';
    """

  /// Removes the damaged states: replaces records by tombstones, which keep their earlier versions, and
  /// deletes damaged earlier versions. Returns the states removed.
  func remove(at now: Timestamp) throws -> [State] {
    var removed = try damaged(atMost: .max)
    for (index, state) in removed.enumerated() {
      if state.table == "record" {
        removed[index].hasTombstone = try replaceByTombstone(state, at: now)
      } else {
        try db.run("DELETE FROM past WHERE key = ?", [state.key])
      }
    }
    // NB: a device that saved a damaged record again has counted it twice, so everything is recounted.
    let recount =
      [
        """
        UPDATE zone SET record_count =
          (SELECT count(*) FROM record WHERE record.zone = zone.key AND kind = 0)
        """, "DELETE FROM public_count",
      ] + RecordCounts.counting + StoredByteCounts.counting
    for statement in recount { try db.run(statement) }
    return removed
  }

  /// Starts new histories in the zones that lost a record, so that devices read these zones again.
  /// - Parameter namesAreReliable: Whether the names of the removed records are reliable. If not, the zone's
  ///   former history is discarded: all records that a device has and the zone has not then count as lost.
  func beginNewHistories(
    after removed: [State], namesAreReliable: Bool, _ random: RandomSource
  ) throws {
    let unknown = zonesWithUnknownLosses(in: removed, namesAreReliable: namesAreReliable)
    for zone in zones(of: removed).sorted() {
      try NewHistory(db: db, random: random).begin(in: zone)
      if unknown.contains(zone) { try discardFormerHistory(of: zone) }
      let entries = try db.rows("SELECT container, account FROM directory WHERE zone = ?", [zone])
      for row in entries {
        _ = try DirectoryTable(db: db).touch(zone: zone, container: row[0], account: row[1])
      }
    }
  }

  /// The zones that lost the newest state of a record.
  private func zones(of removed: [State]) -> Set<StoreKey> {
    Set(removed.filter { $0.table == "record" }.map(\.zone))
  }

  /// The zones that lost a record whose name is unknown or not reliable.
  func zonesWithUnknownLosses(in removed: [State], namesAreReliable: Bool) -> Set<StoreKey> {
    zones(of: removed.filter { !namesAreReliable || !$0.hasTombstone })
  }

  /// Discards a zone's former history; its present one then continues no other.
  func discardFormerHistory(of zone: StoreKey) throws {
    try db.run("UPDATE zone SET former_incarnation = NULL, lineage = NULL WHERE key = ?", [zone])
  }

  /// Replaces a damaged record by a tombstone. If no device can be its author, or the revision is damaged,
  /// deletes the row instead. Returns whether there is a tombstone.
  ///
  /// The author and time of the damaged state may be wrong. So the tombstone has the present time and a
  /// device of the zone's owner; in the public database, whose owner has no devices, the device that the row
  /// names as the creator's. The record's assets are no longer in use.
  ///
  /// NB: the revision stays the same, so that the trigger does not copy the damaged state into `past`.
  private func replaceByTombstone(_ state: State, at now: Timestamp) throws -> Bool {
    let key: SQLArguments = [state.zone, state.name]
    try db.run("DELETE FROM reference WHERE zone = ? AND child = ?", key)
    try db.run("UPDATE asset_use SET is_past = 1 WHERE zone = ? AND name = ?", key)
    let device =
      try
      (db.value(
        """
        SELECT coalesce(
          (SELECT device.key FROM zone JOIN device ON device.account = zone.owner
            WHERE zone.key = ?1 ORDER BY device.key LIMIT 1),
          (SELECT device.key FROM record JOIN device ON device.key = created_device
            WHERE record.key = ?2))
        """, [state.zone, state.key]) as Int64?)
    guard let device, state.revision > 0 else {
      try db.run("DELETE FROM record WHERE key = ?", [state.key])
      return false
    }
    let (account, id) = try OriginCache().origin(of: device, in: db)
    let stamp = Stamp(time: now, origin: Origin(account: account, device: id, request: .zero))
    let tombstone = Change(
      inPlaceOfDamaged: RecordName(stored: state.name), tag: Revision(state.revision), stamp: stamp)
    try db.run(
      """
      UPDATE record SET kind = 1, type = ?1, created_at = ?2, created_device = ?3,
        created_number = 0, modified_at = ?2, modified_device = ?3, modified_number = 0,
        fields = ?6, former_versions = NULL, checksum = ?4 WHERE key = ?5
      """,
      [
        tombstone.type.text, now.microseconds, device, tombstone.checksum, state.key, [UInt8](),
      ])
    return true
  }
}
