// The `deleteSelf` references between records: a child is deleted when its parent is deleted. `reference`
// has a row for each such reference of an existing record, written in the transaction that changes the
// record. It is only an index: a cascade deletes a child only if the child's own bytes have the reference.
// So a damaged or stale row deletes nothing.
//
// `cascading` has the unfinished cascades: the deleted parents that still have children, with the device
// and the request that deleted them. Their descendants cannot be read (see `HiddenRecords`); a background
// job deletes them.

import BrokerCore
import Records
import SQLConnections

/// The tables `reference` and `cascading`.
struct ReferenceTable {
  let db: any SQLConnection

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

  /// Whether any record of the zone has a `deleteSelf` reference.
  func hasReferences(in zone: StoreKey) throws -> Bool {
    try db.first("SELECT EXISTS (SELECT 1 FROM reference WHERE zone = ?)", [zone]) { $0[0] }
      ?? false
  }

  /// Replaces the parents of `child` by `parents`. `before` are its present parents.
  func set(
    _ parents: [RecordName], before: [RecordName], of child: RecordName, in zone: StoreKey
  ) throws {
    for parent in before where !parents.contains(parent) {
      try remove(child, from: parent, in: zone)
    }
    for parent in parents where !before.contains(parent) {
      // The row may exist: a damaged record that is saved again has left its rows in the table.
      try db.run(
        "INSERT INTO reference (zone, parent, child) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        [zone, parent.text, child.text])
    }
  }

  /// Deletes the row of one reference.
  func remove(_ child: RecordName, from parent: RecordName, in zone: StoreKey) throws {
    try db.run(
      "DELETE FROM reference WHERE zone = ? AND parent = ? AND child = ?",
      [zone, parent.text, child.text])
  }

  /// The records that refer to a deleted parent and were last saved before it was deleted, by name. At most
  /// `limit`.
  func children(
    of parent: Cascade.Parent, in zone: StoreKey, limit: Int
  ) throws -> [RecordName] {
    var names: [RecordName] = []
    let statement = try db.statement(
      """
      SELECT child FROM reference CROSS JOIN record
        ON record.zone = reference.zone AND record.name = child
      WHERE reference.zone = ? AND parent = ? AND record.revision < ? AND kind = 0
      ORDER BY child LIMIT ?
      """)
    try statement.forEach([zone, parent.name.text, parent.tag.value, limit]) { row in
      names.append(RecordName(stored: row.text(0)))
      return true
    }
    return names
  }

  /// Deletes rows of deleted zones that cannot be restored, at most `rowsMaximum`. Returns their number.
  func deleteRowsOfErasedZones(rowsMaximum: Int) throws -> Int {
    try db.countChanges(
      """
      DELETE FROM reference WHERE (zone, parent, child) IN (
        SELECT reference.zone, parent, child
        FROM zone CROSS JOIN reference ON reference.zone = zone.key
        WHERE \(ZoneTable.isErased) LIMIT ?)
      """, [rowsMaximum])
  }

  // MARK: Pending cascades

  /// A deleted record that still has children to delete.
  struct PendingCascade {
    let zone: StoreKey
    let parent: Cascade.Parent
    /// The device whose request started the cascade.
    let device: StoreKey
    let number: RequestNumber
  }

  /// The zones with pending cascades.
  func cascadingZones() throws -> Set<StoreKey> {
    try Set(db.column("SELECT DISTINCT zone FROM cascading") as [StoreKey])
  }

  /// Whether a zone has pending cascades.
  func isCascading(_ zone: StoreKey) throws -> Bool {
    try db.first("SELECT EXISTS (SELECT 1 FROM cascading WHERE zone = ?)", [zone]) { $0[0] }
      ?? false
  }

  /// Returns the tag of the tombstone of `parent` if the cascade of its deletion is pending, or `nil`.
  func deletionTag(of parent: RecordName, in zone: StoreKey) throws -> Revision? {
    try db.first(
      "SELECT revision FROM cascading WHERE zone = ? AND parent = ?", [zone, parent.text]
    ) { Revision($0[0]) }
  }

  /// Whether a request of `device` has a pending cascade in the zone.
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

  /// Returns any pending cascade, or `nil` if there are none.
  func nextPendingCascade() throws -> PendingCascade? {
    try db.first("SELECT zone, parent, revision, device, number FROM cascading LIMIT 1", []) {
      PendingCascade(
        zone: $0[0],
        parent: Cascade.Parent(name: RecordName(stored: $0[1]), tag: Revision($0[2])),
        device: $0[3], number: RequestNumber($0[4]))
    }
  }

  /// Inserts a pending cascade. If its parent has one already, the later deletion counts.
  func insert(_ pending: PendingCascade) throws {
    try db.run(
      """
      INSERT INTO cascading (zone, parent, revision, device, number) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (zone, parent)
        DO UPDATE SET revision = max(cascading.revision, excluded.revision)
      """,
      [
        pending.zone, pending.parent.name.text, pending.parent.tag.value, pending.device,
        pending.number.value,
      ])
  }

  /// Deletes a pending cascade.
  func delete(_ pending: PendingCascade) throws {
    try db.run(
      "DELETE FROM cascading WHERE zone = ? AND parent = ?",
      [pending.zone, pending.parent.name.text])
  }
}
