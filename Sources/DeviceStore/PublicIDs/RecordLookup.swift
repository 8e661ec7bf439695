// Which records a text names that a person or a program gives as an id. The ways in which it may be
// meant are tried one after another, and the first that finds anything decides: the id of a record,
// a former id, the bare name that was its id in the first releases, the beginning of an id. More than one
// record found means that the text does not say which; the caller refuses it and shows them.

import GRDB
import Records
import SQLiteFile

extension DeviceReader {
  /// Records that an ambiguous id is shown with. More are not read.
  private static let candidatesMaximum = 20

  /// The shown records of `type` in groups that `text` names: one where the id is right, several
  /// where it is ambiguous, 20 at most.
  package func records(
    identifiedBy text: String, type: RecordType
  ) throws -> [RecordView] {
    try database.read { db in
      // NB: with the type as a parameter, SQLite compiles the statement again each time that the parameter is set, because
      // an index has records of one type only. Types are letters, digits and “_”.
      let condition = "record.shown IS NOT NULL AND record.type = '\(type.text)'"
      return try Self.rows(identifiedBy: text, in: "record", where: condition, db)
        .compactMap { try db.row("\(Self.recordSelection) WHERE record.id = ?", [$0]) }
        .map(Self.record)
    }
  }

  /// What lies in the trash here that `text` names, 20 at most.
  package func discarded(identifiedBy text: String) throws -> [DiscardedView] {
    try database.read { db in
      try Self.rows(identifiedBy: text, in: "trash", where: PastSchema.isDiscarded, db)
        .compactMap { try db.row("\(Self.trashSelection) WHERE trash.id = ?", [$0]) }
        .map(Self.discarded)
    }
  }

  /// The records that `text` names and of which only earlier states are kept; a bare name, because
  /// such a record has no row that holds its id.
  package func pastRecords(named text: String) throws -> [RecordID] {
    try database.read { db in
      try db.rows(
        """
        SELECT DISTINCT zone.owner, zone.name FROM zone CROSS JOIN past
          ON past.zone = zone.id AND past.name = ?
        WHERE zone.owner <> ? ORDER BY zone.id LIMIT \(Self.candidatesMaximum)
        """, [text, AccountID.public.column]
      ).compactMap { row in
        Self.zone(owner: row[0], name: row[1]).map {
          RecordID(zone: $0, name: RecordName(stored: text))
        }
      }
    }
  }

  /// The former ids of a record, the newest first.
  package func formerIDs(of record: RecordID) throws -> [PublicID] {
    try database.read { db in
      guard let zone = try ZoneRow.load(db, record.zone) else { return [] }
      return try PublicIDTable.aliases(of: (zone.key, record.name), db).map {
        PublicID(stored: $0)
      }
    }
  }

  /// The rows of `table` (`record` or `trash`) that `text` names.
  private static func rows(
    identifiedBy text: String, in table: String, where condition: String, _ db: Database
  ) throws -> [Int64] {
    var ways = [
      "\(table) WHERE \(table).public_id = ?1",
      """
      public_alias CROSS JOIN \(table)
        ON \(table).zone = public_alias.zone AND \(table).name = public_alias.name
      WHERE public_alias.id = ?1
      """,
      "\(table) WHERE \(table).name = ?1 AND \(isOfGroup("\(table).zone"))",
    ]
    if text.count >= Limits.idBeginningCharactersMinimum {
      ways.append("\(table) WHERE \(isBeginning("\(table).public_id"))")
    }
    for way in ways {
      let found = try db.rows(
        """
        SELECT \(table).id FROM \(way) AND \(condition)
        ORDER BY \(table).id LIMIT \(candidatesMaximum)
        """, [text])
      if !found.isEmpty { return found.map { $0[0] } }
    }
    return []
  }

  /// The condition that parameter `?1` is a beginning of `column`, which contains ASCII only. A range, so that
  /// SQLite can search an index.
  private static func isBeginning(_ column: String) -> String {
    "\(column) >= ?1 AND \(column) < ?1 || '~'"
  }

  /// The names of the public records of `type` whose names begin with `text`, 2 at most. It is empty if
  /// `text` is shorter than `Limits.idBeginningCharactersMinimum`.
  package func publicRecordNames(
    beginningWith text: String, type: RecordType
  ) throws -> [RecordName] {
    guard text.count >= Limits.idBeginningCharactersMinimum else { return [] }
    return try database.read { db in
      try db.rows(
        """
        SELECT record.name FROM zone CROSS JOIN record INDEXED BY record_named
          ON record.zone = zone.id
        WHERE zone.owner = ?2 AND record.type = ?3 AND record.shown IS NOT NULL
          AND \(Self.isBeginning("record.name"))
        ORDER BY record.name LIMIT 2
        """, [text, AccountID.public.column, type.text]
      ).map { RecordName(stored: $0[0]) }
    }
  }
}
