// The tables of a replica. A record has one row; a second one (layer) only while something of it is on its way
// to the broker. What an application derives from records is in tables of its own, which follow these.

import GRDB

/// A step of a schema. Once released, it never changes.
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
    migrator.registerMigration("1 records, outbox, contacts, events") { db in
      try db.execute(
        sql: [
          identity, zones, records, outbox, events, SettingTable.table,
          PastSchema.tables, ReplicaDeviceTable.schema, ReplicaAssetTable.schema,
          ReplicaSubscriptionSchema.tables,
        ].joined(separator: "\n"))
    }
    migrator.registerMigration("2 what waits for files, what commands missed") { db in
      try db.execute(
        sql: [waits, ReplicaAssetTable.lostFiles, ReplicaSubscriptionSchema.missed].joined(
          separator: "\n"))
    }
    migrator.registerMigration("3 shared groups, moves") { db in
      try db.execute(sql: ReplicaSharingSchema.tables)
    }
    migrator.registerMigration("4 what was typed of refused edits, moves that wait") { db in
      try db.execute(sql: ReplicaSharingSchema.moving)
    }
    migrator.registerMigration("5 names, requests for access") { db in
      try db.execute(sql: ReplicaSharingSchema.people)
    }
    migrator.registerMigration("6 the timeline") { db in
      try db.execute(sql: publicState)
    }
    migrator.registerMigration("7 the history that was read before") { db in
      try db.execute(sql: "ALTER TABLE zone ADD COLUMN read_before BLOB")
    }
    migrator.registerMigration("8 what records left in the timeline, authors") { db in
      try db.execute(sql: ReplicaAssetTable.doubt)
    }
    migrator.registerMigration("9 requests answered, the log of events") { db in
      try db.execute(sql: [AnsweredRequest.schema, EventLog.schema].joined(separator: "\n"))
    }
    migrator.registerMigration("10 public ids, former ids") { db in
      try PublicIDTable.migrate(db)
    }
    migrator.registerMigration("11 deletion guard") { db in
      try db.execute(sql: DeletionCounter.tables)
    }
    migrator.registerMigration("12 moves") { db in try db.execute(sql: MovedAway.tables) }
    migrator.registerMigration("13 removed devices") { db in
      try db.execute(sql: ReplicaDeviceTable.removals)
    }
    migrator.registerMigration("14 public records") { db in
      try db.execute(sql: "ALTER TABLE timeline_state RENAME TO public_state")
    }
    migrator.registerMigration("15 former device") { db in
      try db.execute(sql: DeviceIdentity.formerDeviceColumns)
    }
    migrator.registerMigration("16 edits of groups") { db in
      try db.execute(sql: zoneEdits)
    }
    migrator.registerMigration("17 actions that could not be undone") { db in
      try db.execute(sql: PastSchema.failedUndo)
    }
    migrator.registerMigration("18 names of accounts") { db in
      try db.execute(sql: AccountNameTable.table)
    }
    migrator.registerMigration("19 moves in the trash") { db in
      try db.execute(sql: PastSchema.movedTrash)
    }
    migrator.registerMigration("20 counts of actions") { db in
      try db.execute(sql: PastSchema.countedThings)
    }
    migrator.registerMigration("21 room for stamps") { db in
      try db.execute(sql: roomForStamps)
    }
    migrator.registerMigration("22 one index of edits by record") { db in
      try db.execute(sql: [outboxRecord, ReplicaSharingSchema.rareMoves].joined(separator: "\n"))
    }
    migrator.registerMigration("23 edits in flight without their fields") { db in
      try db.execute(sql: flightIsShown)
    }
    migrator.registerMigration("24 records by name") { db in try RecordNameIndex.rebuild(db) }
    migrator.registerMigration("25 the beginnings of actions") { db in
      try db.execute(sql: PastSchema.begunActions)
    }
    migrator.registerMigration("26 deletions of zones") { db in
      try db.execute(sql: ZoneDeletionTable.schema)
    }
    migrator.registerMigration("27 deleted groups") { db in
      try db.execute(sql: DeletedGroups.columns)
    }
    migrator.registerMigration("28 former histories") { db in
      try db.execute(
        sql: [
          formerHistories, DeletedRecordTable.schema, DeletedZoneTable.schema, Rewind.schema,
        ].joined(separator: "\n"))
    }
    migrator.registerMigration("29 what deletions of zones had read") { db in
      try db.execute(sql: [ZoneDeletionTable.versions, DeletedZoneTable.versions].joined())
    }
    migrator.registerMigration("30 tombstones of what actions deleted") { db in
      try db.execute(sql: PastSchema.tombstones)
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
      last_look INTEGER,
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
      erased_through INTEGER NOT NULL DEFAULT 0,
      UNIQUE (owner, name)
    ) STRICT;

    """

  // `shown` is NULL when people see no such record. Without a row in `layer`, `shown` is what the
  // broker has at `tag`; tag 0 is that of a first record whose account's state the feed has still
  // to tell. `seen` is 0 for what a repeated reading has not found yet.
  static let recordColumns = """
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
    layered INTEGER NOT NULL DEFAULT 0
    """

  private static let records = """
    CREATE TABLE record (
      \(recordColumns),
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

  // `room` makes the row of a new record as long as its tag and its stamps will make it. An import fills pages of this table;
  // rows that grow would split them.
  private static let roomForStamps = "ALTER TABLE record ADD COLUMN room BLOB"

  // `flight_is_shown` is 1 if the record shows the fields in flight. They are not stored a second time then:
  // `flight_fields` is NULL.
  private static let flightIsShown =
    "ALTER TABLE layer ADD COLUMN flight_is_shown INTEGER NOT NULL DEFAULT 0"

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

  // `awaited`: see OutboxEntry. The order in which entries are sent passes over those that cannot be,
  // so the index has them not.
  private static let waits = """
    ALTER TABLE outbox ADD COLUMN awaited BLOB;
    ALTER TABLE outbox ADD COLUMN awaited_size INTEGER;
    DROP INDEX outbox_unsent;
    CREATE INDEX outbox_unsent ON outbox (id)
      WHERE number IS NULL AND held = 0 AND awaited IS NULL;
    CREATE INDEX outbox_waiting ON outbox (id) WHERE awaited IS NOT NULL;
    CREATE INDEX outbox_awaited ON outbox (awaited) WHERE awaited IS NOT NULL;

    """

  // Every list of zones asks whether a zone has an edit of its own. Few entries are of this kind. By `outbox_zone`, it
  // read all unsent edits of the zone: 10 ms for 100,000.
  private static let zoneEdits = """
    CREATE INDEX outbox_group ON outbox (zone) WHERE name IS NULL;

    """

  // The entries of a zone, of a record and of a group. The three indexes that this one replaces changed with each step of
  // an entry.
  private static let outboxRecord = """
    DROP INDEX outbox_sent_record;
    DROP INDEX outbox_zone;
    DROP INDEX outbox_group;
    CREATE INDEX outbox_record ON outbox (zone, name);

    """

  // How the reading of the public database stands.
  private static let publicState = """
    CREATE TABLE timeline_state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      head INTEGER NOT NULL DEFAULT 0,
      last_sync INTEGER,
      error_code TEXT,
      error_message TEXT
    ) STRICT;
    INSERT INTO timeline_state (id) VALUES (1);

    """

  // `lineage`: the histories that the zone's present one continues; `lineage_before` and `read_before`: the same of the
  // history that was read before the reading under way. `former`: see BrokerState. The last columns of a layer are those of
  // its lost state.
  private static let formerHistories = """
    ALTER TABLE zone ADD COLUMN is_rewound INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE zone ADD COLUMN listed_incarnation BLOB;
    ALTER TABLE zone ADD COLUMN lineage BLOB;
    ALTER TABLE zone ADD COLUMN lineage_before BLOB;
    ALTER TABLE zone ADD COLUMN title_revision INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE zone ADD COLUMN restorations INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE zone_deletion ADD COLUMN restorations INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE zone ADD COLUMN members_revision INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE record ADD COLUMN former BLOB;
    ALTER TABLE layer ADD COLUMN held_former BLOB;
    ALTER TABLE layer ADD COLUMN lost_versions BLOB;
    ALTER TABLE layer ADD COLUMN lost_fields BLOB;
    ALTER TABLE layer ADD COLUMN lost_created BLOB;
    ALTER TABLE layer ADD COLUMN lost_modified BLOB;
    ALTER TABLE layer ADD COLUMN lost_is_merged INTEGER NOT NULL DEFAULT 0;

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
