// The tables of a replica. A record has one row; a second one (layer) only while something of it is on its way
// to the broker. What an application derives from records is in tables of its own, which follow these.

import GRDB

/// A step of a schema: the tables of a projection. Once released, it never changes.
package struct SchemaMigration: Sendable {
  let identifier: String
  let migrate: @Sendable (Database) throws -> Void

  /// A step.
  /// - Parameter identifier: names the step in the database, for ever. It begins with the name of the projection.
  package init(
    _ identifier: String, migrate: @escaping @Sendable (Database) throws -> Void
  ) {
    self.identifier = identifier
    self.migrate = migrate
  }
}

enum Schema {
  /// The steps of a replica, followed by those of its application.
  static func migrator(_ application: [SchemaMigration]) -> DatabaseMigrator {
    var migrator = own
    for migration in application {
      migrator.registerMigration(migration.identifier, migrate: migration.migrate)
    }
    return migrator
  }

  private static let own: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("replica 1") { db in try db.execute(sql: tables.joined()) }
    return migrator
  }()

  private static let tables = [
    identity, zones, records, outbox, events, SettingTable.table, PastSchema.tables,
    ReplicaDeviceTable.schema, ReplicaAssetTable.schema, ReplicaSubscriptionSchema.tables,
    ReplicaSharingSchema.tables, publicState, AnsweredRequest.schema, EventLog.schema,
    PublicIDTable.aliases, DeletionCounter.table, MovedAway.table, AccountNameTable.table,
    ZoneDeletionTable.schema, DeletedRecordTable.schema, DeletedZoneTable.schema, Rewind.schema,
  ]

  // `to_erase` is 1 while the file may still contain bytes of a zone that was removed. `former_device` and `former_key` are
  // those of the device that this one was, from when it took a new identity until the next welcome.
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
      last_look INTEGER,
      made INTEGER NOT NULL DEFAULT 0,
      applied INTEGER NOT NULL DEFAULT 0,
      merged INTEGER NOT NULL DEFAULT 0,
      coalesced INTEGER NOT NULL DEFAULT 0,
      undone INTEGER NOT NULL DEFAULT 0,
      rejected INTEGER NOT NULL DEFAULT 0,
      to_erase INTEGER NOT NULL DEFAULT 0,
      former_device BLOB,
      former_key BLOB
    ) STRICT;

    """

  // `state`: see ZoneRow.State. `revision` is NULL when the zone is read from the start, while
  // `incarnation` keeps the history that was read last. `sweep`: see SyncCore.Sweep.
  //
  // `lineage`: the histories that the zone's present one continues; `lineage_before` and `read_before`: the same of the
  // history that was read before the reading under way.
  //
  // `deleted_at` and the columns `kept_` are those of a group in the trash; see DeletedGroups.
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
      erased_through INTEGER NOT NULL DEFAULT 0,
      owner_name TEXT NOT NULL DEFAULT '',
      shared INTEGER NOT NULL DEFAULT 0,
      owner_display_name TEXT NOT NULL DEFAULT '',
      read_before BLOB,
      deleted_at INTEGER,
      kept_records INTEGER,
      kept_head INTEGER,
      kept_deleted INTEGER,
      is_rewound INTEGER NOT NULL DEFAULT 0,
      listed_incarnation BLOB,
      lineage BLOB,
      lineage_before BLOB,
      title_revision INTEGER NOT NULL DEFAULT 0,
      restorations INTEGER NOT NULL DEFAULT 0,
      members_revision INTEGER NOT NULL DEFAULT 0,
      UNIQUE (owner, name)
    ) STRICT;

    """

  // `shown` is NULL when people see no such record. Without a row in `layer`, `shown` is what the
  // broker has at `tag`; tag 0 is that of a first record whose account's state the feed has still
  // to tell. `seen` is 0 for what a repeated reading has not found yet. `former`: see BrokerState.
  //
  // `reserved` makes the row of a new record as long as its tag and its stamps will make it. An import fills pages of this table;
  // rows that grow would split them.
  //
  // The index of names begins with the name, so that it also serves a lookup in all zones. The records of an import have
  // names in no order, so each of them changes a page of the index; a second one by name alone would cost as much again.
  //
  // `flight_is_shown` is 1 if the record shows the fields in flight. They are not stored a second time then:
  // `flight_fields` is NULL. The last columns of a layer are those of its lost state.
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
      public_id TEXT,
      reserved BLOB,
      former BLOB
    ) STRICT;
    CREATE UNIQUE INDEX record_named ON record (name, zone);
    CREATE INDEX record_zone ON record (zone);
    CREATE INDEX record_conflict ON record (id) WHERE type = 'Conflict';
    CREATE INDEX record_gone ON record (zone, tag) WHERE shown IS NULL AND layered = 0;
    CREATE INDEX record_unseen ON record (zone) WHERE seen = 0;
    CREATE INDEX record_public ON record (public_id) WHERE public_id IS NOT NULL;
    CREATE TABLE layer (
      record INTEGER PRIMARY KEY REFERENCES record ON DELETE CASCADE,
      ancestor BLOB,
      flight INTEGER,
      flight_fields BLOB,
      held_tag INTEGER,
      held_fields BLOB,
      held_created BLOB,
      held_modified BLOB,
      bundled BLOB,
      held_move BLOB,
      departure BLOB,
      relocation_move BLOB,
      relocation_mover BLOB,
      relocation_base BLOB,
      flight_is_shown INTEGER NOT NULL DEFAULT 0,
      held_former BLOB,
      lost_versions BLOB,
      lost_fields BLOB,
      lost_created BLOB,
      lost_modified BLOB,
      lost_is_merged INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX layer_relocation ON layer (relocation_move) WHERE relocation_move IS NOT NULL;

    """

  // An entry without `number` is not frozen yet. Entries of one `action` go in one group. `edits`
  // counts what people did; a conflict found by the device itself counts nothing. `awaited`: see OutboxEntry.
  //
  // An entry that waits for a `move` is `moving`, and is skipped until the move may have ended.
  //
  // The order in which entries are sent passes over those that cannot be, so its index has them not. `outbox_record` has
  // the entries of a zone, of a record and of a group: each index more changes with each step of an entry.
  //
  // `rejected_edit.typed` has only the fields that the user typed, and `typed_title` a title from these fields. They replace
  // the edit when access to the group is lost.
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
      operation_index INTEGER,
      awaited BLOB,
      awaited_size INTEGER,
      moving INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE UNIQUE INDEX outbox_unsent_record ON outbox (zone, name)
      WHERE number IS NULL AND name IS NOT NULL;
    CREATE INDEX outbox_number ON outbox (number) WHERE number IS NOT NULL;
    CREATE INDEX outbox_action ON outbox (action) WHERE action IS NOT NULL;
    CREATE INDEX outbox_waiting ON outbox (id) WHERE awaited IS NOT NULL;
    CREATE INDEX outbox_awaited ON outbox (awaited) WHERE awaited IS NOT NULL;
    CREATE INDEX outbox_unsent ON outbox (id)
      WHERE number IS NULL AND held = 0 AND awaited IS NULL AND moving = 0;
    CREATE INDEX outbox_held ON outbox (zone) WHERE held = 1;
    CREATE INDEX outbox_record ON outbox (zone, name);
    CREATE TABLE request (
      number INTEGER PRIMARY KEY,
      bytes BLOB NOT NULL
    ) STRICT;
    CREATE TABLE rejected_edit (
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
      time INTEGER NOT NULL,
      typed BLOB,
      typed_title TEXT,
      is_unseen INTEGER NOT NULL DEFAULT 0,
      created_type TEXT
    ) STRICT;

    """

  // How the reading of the public database stands.
  private static let publicState = """
    CREATE TABLE public_state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      head INTEGER NOT NULL DEFAULT 0,
      last_sync INTEGER,
      error_code TEXT,
      error_message TEXT
    ) STRICT;
    INSERT INTO public_state (id) VALUES (1);

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
