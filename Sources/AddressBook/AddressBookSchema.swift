// The tables of the address book.

import DeviceStore
import GRDB
import SQLiteFile

extension AddressBook {
  /// The steps of the tables.
  package static let schema = [
    SchemaMigration("address book 1") { db in
      try db.execute(sql: tables)
      for index in listIndexes { try index.create(db) }
    }
  ]

  // What lists and searches read; all of it can be made again from the records. `text`: see
  // ContactSearch. `contact_place` has the places of `generation`: one language's, in the version
  // of the tables they were made with; while another is being made both are kept. `contact_section`
  // counts what stands under each heading, so that nobody has to.
  //
  // `contact_deferred` names the contacts that `contact_text` does not have yet. Their rows in `contact_place` have
  // `indexed` 0 until the lists' indexes have them, which may be sooner; see DeferredContacts.
  //
  // Beginnings of three letters are not in `contact_text`: SQLite finds them as quickly among the words, and they took a
  // tenth of the time of indexing and of the file. Eight parts of the index are merged at a time instead of four, because
  // each merge writes them again.
  private static let tables = """
    CREATE INDEX record_group ON record (id) WHERE type = 'ContactGroup';
    CREATE TABLE contact (
      record INTEGER PRIMARY KEY,
      zone INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      text TEXT NOT NULL
    ) STRICT;
    CREATE INDEX contact_modified ON contact (modified);
    CREATE VIRTUAL TABLE contact_text USING fts5(
      text, content = 'contact', content_rowid = 'record', columnsize = 0, tokenize = 'ascii',
      prefix = '1 2');
    INSERT INTO contact_text (contact_text, rank) VALUES ('automerge', 8);
    CREATE TABLE contact_deferred (record INTEGER PRIMARY KEY) STRICT;
    CREATE TABLE contact_place (
      generation INTEGER NOT NULL,
      record INTEGER NOT NULL,
      zone INTEGER NOT NULL,
      last BLOB NOT NULL,
      first BLOB NOT NULL,
      company BLOB NOT NULL,
      indexed INTEGER NOT NULL DEFAULT 1,
      PRIMARY KEY (generation, record)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE contact_section (
      generation INTEGER NOT NULL,
      zone INTEGER NOT NULL,
      sort INTEGER NOT NULL,
      section INTEGER NOT NULL,
      contacts INTEGER NOT NULL,
      PRIMARY KEY (generation, zone, sort, section)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE contact_ordering (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      generation INTEGER NOT NULL,
      language TEXT NOT NULL,
      version TEXT NOT NULL,
      words TEXT NOT NULL,
      next_language TEXT,
      next_version TEXT,
      done INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    """

  /// The indexes of the lists.
  ///
  /// NB: `indexed` is in the indexes, although it is 1 in all of them: otherwise SQLite 3.40 looks up each contact of a list
  /// in the table, which takes twice as long as the list.
  static let listIndexes = [
    ListIndex(name: "contact_last", columns: "generation, last, record, indexed"),
    ListIndex(name: "contact_first", columns: "generation, first, record, indexed"),
    ListIndex(name: "contact_company", columns: "generation, company, record, indexed"),
    ListIndex(name: "contact_zone_last", columns: "generation, zone, last, record, indexed"),
  ]

  /// An index of `contact_place`.
  struct ListIndex {
    let name: String
    let columns: String

    /// Creates the index. SQLite sorts the keys first, which takes a tenth of the time of entering them one by one.
    func create(_ db: Database) throws {
      try db.run("CREATE INDEX \(name) ON contact_place (\(columns)) WHERE indexed = 1")
    }

    func drop(_ db: Database) throws { try db.run("DROP INDEX IF EXISTS \(name)") }
  }
}
