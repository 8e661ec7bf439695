// The tables. A record has one row; a second one (layer) only while something of it is on its way
// to the broker. What lists and searches need stands in tables of its own and can be made again
// from the records.

import GRDB

enum Schema {
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 records, outbox, contacts, events") { db in
      try db.execute(
        sql: identity + zones + records + outbox + contacts + events + SettingTable.table)
    }
    return migrator
  }()

  private static let identity = """
    CREATE TABLE identity (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      device_key BLOB NOT NULL,
      device BLOB,
      account BLOB,
      account_name TEXT,
      last_number INTEGER NOT NULL DEFAULT 0,
      acknowledged INTEGER NOT NULL DEFAULT 0,
      directory INTEGER NOT NULL DEFAULT 0,
      last_event INTEGER NOT NULL DEFAULT 0,
      last_sync INTEGER,
      made INTEGER NOT NULL DEFAULT 0,
      applied INTEGER NOT NULL DEFAULT 0,
      merged INTEGER NOT NULL DEFAULT 0,
      coalesced INTEGER NOT NULL DEFAULT 0,
      undone INTEGER NOT NULL DEFAULT 0,
      rejected INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    """

  // `state`: see ZoneRow.State. `revision` is NULL when the zone is read from the start, while
  // `incarnation` keeps the history that was read last. `sweep`: see SyncCore.Sweep.
  private static let zones = """
    CREATE TABLE zone (
      id INTEGER PRIMARY KEY,
      owner BLOB NOT NULL,
      name BLOB NOT NULL,
      title TEXT NOT NULL,
      known_title TEXT,
      role INTEGER NOT NULL,
      writable INTEGER NOT NULL,
      state INTEGER NOT NULL,
      incarnation BLOB,
      revision INTEGER,
      scan_start INTEGER,
      sweep INTEGER NOT NULL DEFAULT 0,
      UNIQUE (owner, name)
    ) STRICT;

    """

  // `shown` is NULL when people see no such record. Without a row in `layer`, `shown` is what the
  // broker has at `tag`; tag 0 is that of a bundled contact whose account's state the feed has still
  // to tell. `seen` is 0 for what a repeated reading has not found yet.
  private static let records = """
    CREATE TABLE record (
      id INTEGER PRIMARY KEY,
      zone INTEGER NOT NULL REFERENCES zone,
      name TEXT NOT NULL,
      type TEXT NOT NULL,
      shown BLOB,
      tag INTEGER,
      created BLOB,
      modified BLOB,
      local_created INTEGER NOT NULL,
      local_modified INTEGER NOT NULL,
      version INTEGER NOT NULL,
      seen INTEGER NOT NULL DEFAULT 1,
      layered INTEGER NOT NULL DEFAULT 0,
      UNIQUE (zone, name)
    ) STRICT;
    CREATE INDEX record_named ON record (name);
    CREATE INDEX record_conflict ON record (id) WHERE type = 'Conflict';
    CREATE INDEX record_gone ON record (zone, tag) WHERE shown IS NULL AND layered = 0;
    CREATE INDEX record_unseen ON record (zone) WHERE seen = 0;
    CREATE TABLE layer (
      record INTEGER PRIMARY KEY REFERENCES record ON DELETE CASCADE,
      ancestor BLOB,
      flight INTEGER,
      flight_fields BLOB,
      held_tag INTEGER,
      held_fields BLOB,
      held_created BLOB,
      held_modified BLOB,
      bundled BLOB
    ) STRICT;

    """

  // An entry without `number` is not frozen yet. Entries of one `action` go in one group. `edits`
  // counts what people did; a conflict found by the device itself counts nothing.
  private static let outbox = """
    CREATE TABLE outbox (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      zone INTEGER NOT NULL,
      name TEXT,
      kind INTEGER NOT NULL,
      title TEXT,
      action INTEGER,
      asked INTEGER NOT NULL,
      deletion INTEGER NOT NULL,
      edits INTEGER NOT NULL,
      held INTEGER NOT NULL DEFAULT 0,
      alone INTEGER NOT NULL DEFAULT 0,
      number INTEGER,
      group_index INTEGER,
      operation_index INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX outbox_unsent_record ON outbox (zone, name)
      WHERE number IS NULL AND name IS NOT NULL;
    CREATE INDEX outbox_unsent ON outbox (id) WHERE number IS NULL;
    CREATE INDEX outbox_number ON outbox (number) WHERE number IS NOT NULL;
    CREATE INDEX outbox_action ON outbox (action) WHERE action IS NOT NULL;
    CREATE INDEX outbox_zone ON outbox (zone);
    CREATE TABLE request (
      number INTEGER PRIMARY KEY,
      bytes BLOB NOT NULL
    ) STRICT;
    CREATE TABLE parked (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      owner BLOB NOT NULL,
      zone_name BLOB NOT NULL,
      name TEXT,
      title TEXT NOT NULL,
      code TEXT NOT NULL,
      message TEXT NOT NULL,
      set_fields BLOB NOT NULL,
      removed TEXT NOT NULL,
      deletion INTEGER NOT NULL,
      time INTEGER NOT NULL
    ) STRICT;

    """

  private static let contacts = """
    CREATE TABLE contact (
      record INTEGER PRIMARY KEY REFERENCES record ON DELETE CASCADE,
      zone INTEGER NOT NULL,
      display TEXT NOT NULL,
      key_last TEXT NOT NULL,
      key_first TEXT NOT NULL,
      key_company TEXT NOT NULL
    ) STRICT;
    CREATE INDEX contact_last ON contact (key_last, record);
    CREATE INDEX contact_first ON contact (key_first, record);
    CREATE INDEX contact_company ON contact (key_company, record);
    CREATE INDEX contact_zone_last ON contact (zone, key_last, record);
    CREATE INDEX contact_display ON contact (display);
    CREATE TABLE phone (
      record INTEGER NOT NULL,
      reversed TEXT NOT NULL,
      PRIMARY KEY (record, reversed)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX phone_reversed ON phone (reversed);
    CREATE VIRTUAL TABLE contact_text USING fts5(
      text, tokenize = "unicode61 remove_diacritics 2", prefix = '1 2 3');

    """

  private static let events = """
    CREATE TABLE event (
      sequence INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      type TEXT NOT NULL,
      owner BLOB NOT NULL,
      zone_name BLOB NOT NULL,
      id TEXT NOT NULL,
      title TEXT NOT NULL,
      account BLOB,
      device BLOB,
      local INTEGER NOT NULL,
      time INTEGER NOT NULL
    ) STRICT;
    """
}
