// Which records go with which. A row for each `deleteSelf` reference of a record that exists, written
// in the transaction that changes the record; so what goes with a deleted record is found by one
// search, and a zone without such references costs nobody anything. The rows are an index: what they
// say counts only where the record's own bytes say the same, so a row that a disk has spoilt, or that
// a damaged record left behind, deletes nothing.
//
// What is left of a cascade stands in `cascading`: the deleted records that others still go with, and
// whose act it was. Nothing below them can be read (see HiddenRecords), and they are worked off in the
// background.

import BrokerCore
import GRDB
import Records
import SQLiteFile

/// The tables `reference` and `cascading`.
struct ReferenceTable {
  let db: Database

  static let schema = """
    CREATE TABLE reference (
      zone INTEGER NOT NULL,
      parent TEXT NOT NULL,
      child TEXT NOT NULL,
      PRIMARY KEY (zone, parent, child)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE cascading (
      zone INTEGER NOT NULL,
      parent TEXT NOT NULL,
      revision INTEGER NOT NULL,
      device INTEGER NOT NULL,
      number INTEGER NOT NULL,
      PRIMARY KEY (zone, parent)
    ) STRICT, WITHOUT ROWID;
    """

  // MARK: References

  /// Whether anything in the zone goes with anything.
  func isUsed(in zone: StoreKey) throws -> Bool {
    try db.first("SELECT EXISTS (SELECT 1 FROM reference WHERE zone = ?)", [zone]) { $0[0] }
      ?? false
  }

  /// Notes what a record goes with from now on, which it did not before, and the other way round.
  func set(
    _ parents: [RecordName], before: [RecordName], of child: RecordName, in zone: StoreKey
  ) throws {
    for parent in before where !parents.contains(parent) {
      try remove(child, from: parent, in: zone)
    }
    for parent in parents where !before.contains(parent) {
      // A damaged record that is saved anew left its rows behind.
      try db.run(
        "INSERT OR IGNORE INTO reference (zone, parent, child) VALUES (?, ?, ?)",
        [zone, parent.text, child.text])
    }
  }

  /// A record goes no longer with another.
  func remove(_ child: RecordName, from parent: RecordName, in zone: StoreKey) throws {
    try db.run(
      "DELETE FROM reference WHERE zone = ? AND parent = ? AND child = ?",
      [zone, parent.text, child.text])
  }

  /// Records that go with a deleted one: those that are there since before it was deleted.
  func children(
    of parent: Cascade.Parent, in zone: StoreKey, limit: Int
  ) throws -> [RecordName] {
    var names: [RecordName] = []
    let statement = try HotStatement(
      borrowing: """
        SELECT child FROM reference CROSS JOIN record
          ON record.zone = reference.zone AND record.name = child
        WHERE reference.zone = ? AND parent = ? AND record.revision < ? AND kind = 0
        ORDER BY child LIMIT ?
        """, from: db)
    try statement.forEach([zone, parent.name.text, parent.tag.value, limit]) { row in
      names.append(RecordName(stored: row.text(0)))
      return true
    }
    return names
  }

  /// Removes rows of zones that are deleted. Returns their number.
  func reapDeletedZones(rowsMaximum: Int) throws -> Int {
    try db.run(
      """
      DELETE FROM reference WHERE (zone, parent, child) IN (
        SELECT reference.zone, parent, child
        FROM zone CROSS JOIN reference ON reference.zone = zone.key
        WHERE zone.is_deleted = 1 LIMIT ?)
      """, [rowsMaximum])
    return db.changesCount
  }

  // MARK: Cascades that are not at their end

  /// A deleted record that others still go with.
  struct Rest {
    let zone: StoreKey
    let parent: Cascade.Parent
    /// The device that began it, and its request.
    let device: StoreKey
    let number: RequestNumber
  }

  /// The zones that have any.
  func cascadingZones() throws -> Set<StoreKey> {
    try StoreKey.fetchSet(db.cachedStatement(sql: "SELECT DISTINCT zone FROM cascading"))
  }

  /// Whether a zone has any.
  func isCascading(_ zone: StoreKey) throws -> Bool {
    try db.first("SELECT EXISTS (SELECT 1 FROM cascading WHERE zone = ?)", [zone]) { $0[0] }
      ?? false
  }

  /// The tag under which a record was deleted that others may still go with.
  func cascadingTag(of parent: RecordName, in zone: StoreKey) throws -> Revision? {
    try db.first(
      "SELECT revision FROM cascading WHERE zone = ? AND parent = ?", [zone, parent.text]
    ) { Revision($0[0]) }
  }

  /// Whether something is left of what a request deleted.
  func isCascading(
    _ zone: StoreKey, by device: StoreKey, _ number: RequestNumber
  ) throws -> Bool {
    try db.first(
      """
      SELECT EXISTS (
        SELECT 1 FROM cascading WHERE zone = ? AND device = ? AND number = ?)
      """, [zone, device, number.value]
    ) { $0[0] } ?? false
  }

  /// Any one that is left.
  func anyRest() throws -> Rest? {
    try db.first("SELECT zone, parent, revision, device, number FROM cascading LIMIT 1", []) {
      Rest(
        zone: $0[0],
        parent: Cascade.Parent(name: RecordName(stored: $0[1]), tag: Revision($0[2])),
        device: $0[3], number: RequestNumber($0[4]))
    }
  }

  /// Keeps what is left.
  func keep(_ rest: Rest) throws {
    try db.run(
      """
      INSERT INTO cascading (zone, parent, revision, device, number) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET revision = max(revision, excluded.revision)
      """,
      [
        rest.zone, rest.parent.name.text, rest.parent.tag.value, rest.device, rest.number.value,
      ])
  }

  /// Nothing is left of it.
  func end(_ rest: Rest) throws {
    try db.run(
      "DELETE FROM cascading WHERE zone = ? AND parent = ?", [rest.zone, rest.parent.name.text])
  }
}

// MARK: - Coming from an earlier version

extension ReferenceTable {
  private static let rowsPerStep = 1000

  /// Makes the tables and enters the references that records have already. Reads every record once.
  /// A reference to what is not there stays one: nobody knows any more how it came to be.
  static func migrate(_ db: Database) throws {
    try db.execute(sql: schema)
    let table = ReferenceTable(db: db)
    let rows = try HotStatement(
      """
      SELECT key, zone, name, fields FROM record WHERE kind = 0 AND key > ?
      ORDER BY key LIMIT \(rowsPerStep)
      """, in: db)
    var last = Int64.min
    while true {
      var count = 0
      var found: [(zone: StoreKey, name: RecordName, parents: [RecordName])] = []
      try rows.forEach([last]) { row in
        last = row.number(0)
        count += 1
        let parents = EncodedRecord(stored: row.bytes(3)).mentions.parents
        if !parents.isEmpty {
          found.append((row.number(1), RecordName(stored: row.text(2)), parents))
        }
        return true
      }
      for (zone, name, parents) in found {
        try table.set(parents, before: [], of: name, in: zone)
      }
      if count < rowsPerStep { return }
    }
  }
}
