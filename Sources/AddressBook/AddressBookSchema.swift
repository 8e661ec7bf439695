// The tables of the address book.

import DeviceStore
import GRDB

extension AddressBook {
  /// The steps of the tables.
  package static let schema = [
    // NB: the first releases created these tables along with those of the replica.
    SchemaMigration("address book 1") { db in
      guard try !db.tableExists("contact") else { return }
      try db.execute(sql: tables)
    },
    SchemaMigration("address book 2 deferred indexes") { db in
      try db.execute(sql: deferredIndexes)
    },
    SchemaMigration("address book 3 covering indexes") { db in
      try db.execute(sql: coveringIndexes)
    },
  ]

  // What lists and searches read; all of it can be made again from the records. `text`: see
  // ContactSearch. `contact_place` has the places of `generation`: one language's, in the version
  // of the tables they were made with; while another is being made both are kept. `contact_section`
  // counts what stands under each heading, so that nobody has to.
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
      prefix = '1 2 3');
    CREATE TABLE contact_place (
      generation INTEGER NOT NULL,
      record INTEGER NOT NULL,
      zone INTEGER NOT NULL,
      last BLOB NOT NULL,
      first BLOB NOT NULL,
      company BLOB NOT NULL,
      PRIMARY KEY (generation, record)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX contact_last ON contact_place (generation, last);
    CREATE INDEX contact_first ON contact_place (generation, first);
    CREATE INDEX contact_company ON contact_place (generation, company);
    CREATE INDEX contact_zone_last ON contact_place (generation, zone, last);
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

  // `contact_deferred` names the contacts that `contact_text` does not have yet, and whose rows in `contact_place` have
  // `indexed` 0; see DeferredContacts.
  private static let deferredIndexes = """
    CREATE TABLE contact_deferred (record INTEGER PRIMARY KEY) STRICT;
    ALTER TABLE contact_place ADD COLUMN indexed INTEGER NOT NULL DEFAULT 1;

    """

  // NB: `indexed` is in the indexes, although it is 1 in all of them: otherwise SQLite 3.40 looks up each contact of a list
  // in the table, which takes twice as long as the list.
  private static let coveringIndexes = """
    DROP INDEX IF EXISTS contact_last;
    DROP INDEX IF EXISTS contact_first;
    DROP INDEX IF EXISTS contact_company;
    DROP INDEX IF EXISTS contact_zone_last;
    CREATE INDEX contact_last ON contact_place (generation, last, record, indexed)
      WHERE indexed = 1;
    CREATE INDEX contact_first ON contact_place (generation, first, record, indexed)
      WHERE indexed = 1;
    CREATE INDEX contact_company ON contact_place (generation, company, record, indexed)
      WHERE indexed = 1;
    CREATE INDEX contact_zone_last ON contact_place (generation, zone, last, record, indexed)
      WHERE indexed = 1;

    """
}
