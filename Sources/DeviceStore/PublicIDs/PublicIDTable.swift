// Public ids in the database. Each record and each place in the trash stores its own id, so a list
// hashes nothing and a lookup is one search in an index. A record that is moved to another group gets
// another id; its former ones are kept as aliases, so that what a person or a script noted down
// still finds it.

import GRDB
import Records
import SQLiteFile

enum PublicIDTable {
  /// The former ids that a record keeps. Beyond, the oldest are forgotten.
  static let aliasesPerRecord = 8

  /// The table of the former ids of the record `name` in `zone`; ordinal 0 is the newest.
  ///
  /// NB: the indexes of ids are not unique. A participant can search for two names in a group of theirs
  /// whose ids are equal, and a row that cannot be stored would stop the device. A lookup that finds
  /// two records refuses to choose instead.
  static let aliases = """
    CREATE TABLE public_alias (
      zone INTEGER NOT NULL REFERENCES zone ON DELETE CASCADE,
      name TEXT NOT NULL,
      ordinal INTEGER NOT NULL,
      id TEXT NOT NULL,
      PRIMARY KEY (zone, name, ordinal)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX public_alias_id ON public_alias (id);

    """

  /// What the column of a record's id holds: nothing for the public database, whose records go by
  /// their names.
  /// - Parameter publicID: The record's public id, if it is known already.
  static func column(of record: RecordID, _ publicID: PublicID? = nil) -> String? {
    record.zone.isPublic ? nil : (publicID ?? record.publicID).text
  }

  // MARK: Aliases

  /// Keeps the ids under which `source` was known for `target`, which it has become: its own, and
  /// its former ones. To be called wherever this device learns of a move, its own or another
  /// device's; a second call changes nothing. Neither record need be here; their zones need to be.
  static func addAlias(
    from source: (zone: Int64, name: RecordName), to target: (zone: Int64, name: RecordName),
    _ db: Database
  ) throws {
    guard source.zone != target.zone || source.name != target.name,
      let former = try record(source, db)
    else { return }
    let ids = [former.publicID.text] + (try aliases(of: source, db))
    try forgetAliases(of: source, db)
    try addAliases(ids, to: target, db)
  }

  /// Keeps the id of a record whose zone is no longer here for `target`, which was made in its
  /// place.
  static func addAlias(
    from former: RecordID, to target: (zone: Int64, name: RecordName), _ db: Database
  ) throws {
    try addAliases([former.publicID.text], to: target, db)
  }

  private static func addAliases(
    _ newer: [String], to target: (zone: Int64, name: RecordName), _ db: Database
  ) throws {
    guard let own = try record(target, db).flatMap({ column(of: $0) }) else { return }
    var ids: [String] = []
    for id in newer + (try aliases(of: target, db)) where id != own && !ids.contains(id) {
      ids.append(id)
    }
    try forgetAliases(of: target, db)
    for (ordinal, id) in ids.prefix(aliasesPerRecord).enumerated() {
      try db.run(
        "INSERT INTO public_alias (zone, name, ordinal, id) VALUES (?, ?, ?, ?)",
        [target.zone, target.name.text, ordinal, id])
    }
  }

  /// Forgets the former ids of a record.
  static func forgetAliases(
    of place: (zone: Int64, name: RecordName), _ db: Database
  ) throws {
    try db.run(
      "DELETE FROM public_alias WHERE zone = ? AND name = ?", [place.zone, place.name.text])
  }

  /// The former ids of a record, the newest first.
  static func aliases(
    of place: (zone: Int64, name: RecordName), _ db: Database
  ) throws -> [String] {
    try db.rows(
      "SELECT id FROM public_alias WHERE zone = ? AND name = ? ORDER BY ordinal",
      [place.zone, place.name.text]
    ).map { $0["id"] }
  }

  private static func record(
    _ place: (zone: Int64, name: RecordName), _ db: Database
  ) throws -> RecordID? {
    guard let row = try db.row("SELECT owner, name FROM zone WHERE id = ?", [place.zone]),
      let zone = DeviceReader.zone(owner: row["owner"], name: row["name"])
    else { return nil }
    return RecordID(zone: zone, name: place.name)
  }

  /// Forgets the former ids of records that are neither shown nor in the trash.
  static func reap(_ db: Database) throws {
    try db.run(
      """
      DELETE FROM public_alias WHERE
        NOT EXISTS (SELECT 1 FROM record
          WHERE record.zone = public_alias.zone AND record.name = public_alias.name)
        AND NOT EXISTS (SELECT 1 FROM trash
          WHERE trash.zone = public_alias.zone AND trash.name = public_alias.name)
      """)
  }
}
