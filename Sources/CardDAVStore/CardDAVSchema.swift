// The tables of the CardDAV face. Without an app password they are empty, and a transaction costs one lookup more.

import DeviceStore
import GRDB

/// The schema of the CardDAV tables.
package enum CardDAVSchema {
  /// The steps of the tables.
  package static let migrations = [
    SchemaMigration("CardDAV 1") { db in try db.execute(sql: tables) }
  ]

  // `dav_state` has a row while there are passwords: only then is a change noted. `oldest` is the number of the last
  // event whose deletions are not all known any more, and `touches` counts changes of cards without an event. Of the
  // clients that have the event `oldest`, those that have the change `oldest_touch` too know enough.
  //
  // `dav_book` and `dav_name` have the names that clients chose; other books are named by their groups, and other cards by
  // their records. `dav_gone` has the deleted
  // records, `dav_touched` those whose card changed without an event, and `dav_kept` cards as clients sent them:
  // with a `password` for its clients only, because other programs could not read them.
  //
  // `dav_uid` has the contacts whose record has another name than an import of their UID would give it.
  //
  // `dav_base` has the cards that the clients of a password know: `card` is 0 for the present one, of which no copy is
  // needed, or a row of `dav_card`, which several clients can share.
  private static let tables = """
    CREATE TABLE dav_state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      oldest INTEGER NOT NULL,
      oldest_touch INTEGER NOT NULL,
      touches INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE dav_password (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      digest BLOB NOT NULL UNIQUE,
      scope TEXT NOT NULL CHECK (scope IN ('computer', 'network')),
      created INTEGER NOT NULL,
      used INTEGER
    ) STRICT;
    CREATE TABLE dav_book (
      zone INTEGER PRIMARY KEY,
      resource TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE dav_name (
      zone INTEGER NOT NULL,
      record TEXT NOT NULL,
      resource TEXT NOT NULL,
      PRIMARY KEY (zone, record),
      UNIQUE (zone, resource)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE dav_uid (
      zone INTEGER NOT NULL,
      uid TEXT NOT NULL,
      record TEXT NOT NULL,
      PRIMARY KEY (zone, uid, record)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX dav_uid_record ON dav_uid (zone, record);
    CREATE TABLE dav_gone (
      zone INTEGER NOT NULL,
      record TEXT NOT NULL,
      sequence INTEGER NOT NULL,
      time INTEGER NOT NULL,
      PRIMARY KEY (zone, record)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX dav_gone_sequence ON dav_gone (zone, sequence);
    CREATE INDEX dav_gone_time ON dav_gone (time);
    CREATE TABLE dav_touched (
      record INTEGER PRIMARY KEY,
      zone INTEGER NOT NULL,
      touch INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX dav_touched_touch ON dav_touched (zone, touch);
    CREATE TABLE dav_kept (
      record INTEGER PRIMARY KEY,
      card BLOB NOT NULL,
      tag TEXT NOT NULL,
      password INTEGER
    ) STRICT;
    CREATE TABLE dav_card (
      id INTEGER PRIMARY KEY,
      digest BLOB NOT NULL UNIQUE,
      card BLOB NOT NULL
    ) STRICT;
    CREATE TABLE dav_base (
      record INTEGER NOT NULL,
      password INTEGER NOT NULL,
      card INTEGER NOT NULL,
      day INTEGER NOT NULL,
      PRIMARY KEY (record, password, card)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX dav_base_card ON dav_base (card) WHERE card > 0;
    CREATE INDEX dav_base_day ON dav_base (day);
    CREATE TRIGGER dav_picture_arrived AFTER INSERT ON asset
    WHEN EXISTS (SELECT 1 FROM dav_state) AND EXISTS (
      SELECT 1 FROM asset_use WHERE kind = 0 AND digest = NEW.digest) BEGIN
      UPDATE dav_state SET touches = touches + 1;
      INSERT OR REPLACE INTO dav_touched
        SELECT record.id, record.zone, dav_state.touches
        FROM asset_use JOIN record ON record.id = asset_use.holder JOIN dav_state
        WHERE asset_use.kind = 0 AND asset_use.digest = NEW.digest
          AND record.type IN ('Contact', 'ContactGroup');
    END;

    """
}
