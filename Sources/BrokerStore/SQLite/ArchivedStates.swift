// All states of all records, looked at one by one: which of them are not as they were written, and how
// a broker goes on without them. What is lost on the broker is mostly on a device still, so a repair
// makes the devices read the zone anew: they find the record missing and send it, whole.

import BrokerCore
import FoundationEssentials
import GRDB
import Records
import SQLiteFile

/// The states in a broker's database.
struct ArchivedStates {
  /// A state that is not as it was written.
  struct Damaged {
    let table: String
    let key: Int64
    let zone: StoreKey
    let name: String
    let revision: Int64
    let zoneTitle: String
    let owner: String
    /// Whether a tombstone under its name took its place.
    var isNamed = false

    /// What an administrator is told.
    var sentence: String {
      let state = table == "record" ? "The record" : "An earlier state of the record"
      let place = zoneTitle.isEmpty ? "the standard zone" : "“\(zoneTitle)”"
      return "\(state) “\(name)” in \(place) of \(owner) is damaged, at revision \(revision)."
    }
  }

  let db: Database

  /// The damaged states, at most `limit`. Reads every record.
  func damaged(atMost limit: Int) throws -> [Damaged] {
    try ["record", "past"].flatMap { try damaged(in: $0, atMost: limit) }
  }

  private func damaged(in table: String, atMost limit: Int) throws -> [Damaged] {
    let reading = StateReading(
      db: db, origins: OriginCache(), damages: DamageList(report: { _ in }))
    let columns = StoredState.columnCount
    let rows = try HotStatement(
      """
      SELECT \(StoredState.columns(of: table)), \(table).key, \(table).zone FROM \(table)
      \(table == "record" ? "" : "JOIN record ON record.key = past.record")
      """, in: db)
    var found: [Damaged] = []
    try rows.forEach([]) { row in
      guard case .damaged(let lost) = try reading.state(of: row, zone: 0) else { return true }
      let zone = row.number(columns + 1)
      let (title, owner) = try place(of: zone)
      found.append(
        Damaged(
          table: table, key: row.number(columns), zone: zone, name: lost.name.text,
          revision: lost.tag.value, zoneTitle: title, owner: owner))
      return found.count < limit
    }
    return found
  }

  /// Whether the index of records by name, as it is, has each damaged record under the name that its row
  /// says. To be asked before indexes are made anew: then they say what the rows say.
  func areNamesSure() throws -> Bool {
    try damaged(in: "record", atMost: .max).allSatisfy { state in
      try db.first(
        "SELECT key FROM record INDEXED BY sqlite_autoindex_record_1 WHERE zone = ? AND name = ?",
        [state.zone, state.name]
      ) { $0[0] as Int64 } == state.key
    }
  }

  private func place(of zone: StoreKey) throws -> (title: String, owner: String) {
    let sql = """
      SELECT title, account.name FROM zone JOIN account ON account.key = zone.owner
      WHERE zone.key = ?
      """
    return try db.first(sql, [zone]) { ($0[0] as String, $0[1] as String) } ?? ("", "nobody")
  }

  // MARK: Taking out

  /// Finds the tombstones of lost records: clients' requests have numbers above 0.
  static let schema = """
    CREATE INDEX record_lost ON record (zone, name) WHERE kind = 1 AND modified_number = 0 AND type = 'Damaged';
    """

  /// The records of a zone that were taken out and that nobody has saved again; at most one more than
  /// `Limits.lostNames`.
  func lostNames(in zone: StoreKey) throws -> [RecordName] {
    try String.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT name FROM record WHERE zone = ? AND kind = 1 AND modified_number = 0 AND type = 'Damaged'
          LIMIT \(Limits.lostNames + 1)
          """), arguments: [zone]
    ).map { RecordName(stored: $0) }
  }

  /// Takes damaged states out: a record becomes a tombstone, with its past behind it, an earlier
  /// state goes. Returns what was taken out.
  func takeOut(at now: Timestamp) throws -> [Damaged] {
    var taken = try damaged(atMost: .max)
    for (index, state) in taken.enumerated() {
      if state.table == "record" {
        taken[index].isNamed = try bury(state, at: now)
      } else {
        try db.run("DELETE FROM past WHERE key = ?", [state.key])
      }
    }
    // NB: who saved a record anew that the disk did not keep counted it twice.
    try db.execute(
      sql: """
        UPDATE zone SET record_count =
          (SELECT count(*) FROM record WHERE record.zone = zone.key AND kind = 0);
        DELETE FROM public_count;
        \(RecordCounts.counting)
        \(StoredByteCounts.counting)
        """)
    return taken
  }

  /// Begins new histories in the zones that lost a record: devices read these again.
  /// - Parameter isNamed: whether the names of what was taken out can be believed. If not, everything counts
  ///   as lost that a device has and such a zone has not.
  func beginNewHistories(behind taken: [Damaged], isNamed: Bool) throws {
    let unnamed = unnamed(in: taken, isNamed: isNamed)
    for zone in zones(of: taken) {
      try db.execute(
        sql: """
          UPDATE zone SET former_incarnation = incarnation, kept_through = head,
            incarnation = randomblob(16) WHERE key = ?
          """, arguments: [zone])
      if unnamed.contains(zone) { try forgetFormerHistory(of: zone) }
      let followers = try Row.fetchAll(
        db.cachedStatement(sql: "SELECT container, account FROM directory WHERE zone = ?"),
        arguments: [zone])
      for row in followers {
        _ = try DirectoryTable(db: db).touch(zone: zone, container: row[0], account: row[1])
      }
    }
  }

  /// The zones that lost a record.
  private func zones(of taken: [Damaged]) -> Set<StoreKey> {
    Set(taken.filter { $0.table == "record" }.map(\.zone))
  }

  /// The zones that lost a record whose name nobody knows.
  func unnamed(in taken: [Damaged], isNamed: Bool) -> Set<StoreKey> {
    zones(of: taken.filter { !isNamed || !$0.isNamed })
  }

  /// Lets a zone's history go on from none.
  func forgetFormerHistory(of zone: StoreKey) throws {
    try db.run("UPDATE zone SET former_incarnation = NULL WHERE key = ?", [zone])
  }

  /// NB: its revision stays, so that nothing of it enters the past. Who made it, and when, may be
  /// what is damaged: it counts as deleted now, by a device of the zone's owner, or, in the public
  /// database, which has none, by the one that its row says made it. The files that it named are no
  /// longer in use. Returns whether there is a tombstone now.
  private func bury(_ state: Damaged, at now: Timestamp) throws -> Bool {
    let place: StatementArguments = [state.zone, state.name]
    try db.run("DELETE FROM reference WHERE zone = ? AND child = ?", place)
    try db.run("UPDATE asset_use SET is_past = 1 WHERE zone = ? AND name = ?", place)
    let device = try Int64.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT coalesce(
            (SELECT device.key FROM zone JOIN device ON device.account = zone.owner
              WHERE zone.key = ?1 ORDER BY device.key LIMIT 1),
            (SELECT device.key FROM record JOIN device ON device.key = created_device
              WHERE record.key = ?2))
          """), arguments: [state.zone, state.key])
    guard let device, state.revision > 0 else {
      try db.run("DELETE FROM record WHERE key = ?", [state.key])
      return false
    }
    let (account, id) = try OriginCache().origin(of: device, in: db)
    let stamp = Stamp(time: now, origin: Origin(account: account, device: id, request: .zero))
    let tombstone = Change(
      name: RecordName(stored: state.name), tag: Revision(state.revision), kind: .deleted,
      type: RecordType(stored: "Damaged"), created: stamp, modified: stamp, record: .empty)
    try db.run(
      """
      UPDATE record SET kind = 1, type = ?1, created_at = ?2, created_device = ?3,
        created_number = 0, modified_at = ?2, modified_device = ?3, modified_number = 0,
        fields = x'', checksum = ?4 WHERE key = ?5
      """,
      [
        tombstone.type.text, now.microseconds, device, tombstone.checksum, state.key,
      ])
    return true
  }
}
