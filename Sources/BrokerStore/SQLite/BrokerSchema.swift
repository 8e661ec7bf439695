// The broker's tables. Rows refer to each other by small integer keys, so a record's row takes the bytes of
// its fields and about sixty more. A record's row is also its entry in the zone's feed: (zone, revision) is
// unique, and a save moves the row to the feed's end.

import GRDB
import Records
import SQLiteFile

/// The broker's tables.
package enum BrokerSchema {
  /// The bytes “CKbr”.
  static let applicationID: Int32 = 0x434B_6272

  /// The database file with this schema.
  package static var file: SQLiteFile {
    // NB: SQLite need not check foreign keys, because a transaction reads every row that it refers to. The
    // checks would cost each save two more searches and a statement journal.
    SQLiteFile(
      applicationID: applicationID, migrator: migrator, cacheKibibytes: 64 << 10,
      checksReferences: false)
  }

  /// An empty database with the tables, from which databases in memory are copied.
  package static let empty = Result { () throws(StoreError) in try file.openInMemory() }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("broker 1") { db in
      for statements in tables { try db.execute(sql: statements) }
    }
    return migrator
  }

  private static let tables = [
    accounts, zones, AssetTable.schema, RecordHistoryTable.schema, ClockTable.schema,
    SubscriptionSchema.subscriptions, SubscriptionSchema.notifications, SharingSchema.shares,
    IndexTable.schema, PublicSchema.database, ReferenceTable.schema, SharingSchema.deferredJobs,
    RecordCounts.schema, LostAssetTable.schema, StoredByteCounts.schema, DamagedRecords.schema,
    InvitationTable.schema,
  ]

  // `renamed_from` is the name that a device greeted with when another device renamed it, and `given_before` the name that
  // it had been given before the latest one.
  private static let accounts = """
    CREATE TABLE container (
      key INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE account (
      key INTEGER PRIMARY KEY,
      id BLOB NOT NULL UNIQUE,
      name TEXT NOT NULL UNIQUE,
      created_at INTEGER NOT NULL,
      is_disabled INTEGER NOT NULL DEFAULT 0,
      display_name TEXT NOT NULL DEFAULT '',
      is_discoverable INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX account_discoverable ON account (name) WHERE is_discoverable = 1;
    CREATE TABLE credential (
      kind TEXT NOT NULL,
      value TEXT NOT NULL,
      account INTEGER NOT NULL REFERENCES account,
      PRIMARY KEY (kind, value)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE device (
      key INTEGER PRIMARY KEY,
      id BLOB NOT NULL UNIQUE,
      account INTEGER NOT NULL REFERENCES account,
      name TEXT NOT NULL,
      key_digest BLOB NOT NULL,
      created_at INTEGER NOT NULL,
      seen_at INTEGER NOT NULL,
      last_number INTEGER NOT NULL DEFAULT 0,
      acknowledged_number INTEGER NOT NULL DEFAULT 0,
      is_revoked INTEGER NOT NULL DEFAULT 0,
      renamed_from TEXT,
      given_before TEXT
    ) STRICT;
    CREATE TABLE outcome (
      device INTEGER NOT NULL REFERENCES device,
      number INTEGER NOT NULL,
      fingerprint BLOB NOT NULL,
      bytes BLOB NOT NULL,
      PRIMARY KEY (device, number)
    ) STRICT, WITHOUT ROWID;
    """

  // `record_count` is updated by every save and deletion, so a preview does not count records. `former_incarnation`,
  // `kept_through` and `lineage` have the histories that a zone's present one continues after a restore; see
  // `FormerHistory`. `deleted_at` is NULL unless the zone is deleted and can be restored. `former_versions` has what a state
  // contains of former histories.
  private static let zones = """
    CREATE TABLE zone (
      key INTEGER PRIMARY KEY,
      container INTEGER NOT NULL REFERENCES container,
      owner INTEGER NOT NULL REFERENCES account,
      name BLOB NOT NULL,
      title TEXT NOT NULL,
      incarnation BLOB NOT NULL,
      head INTEGER NOT NULL DEFAULT 0,
      expired_through INTEGER NOT NULL DEFAULT 0,
      is_deleted INTEGER NOT NULL DEFAULT 0,
      erased_through INTEGER NOT NULL DEFAULT 0,
      swept_through INTEGER NOT NULL DEFAULT 0,
      record_count INTEGER NOT NULL DEFAULT 0,
      former_incarnation BLOB,
      kept_through INTEGER NOT NULL DEFAULT 0,
      stored_bytes INTEGER NOT NULL DEFAULT 0,
      participants_records INTEGER NOT NULL DEFAULT 0,
      participants_bytes INTEGER NOT NULL DEFAULT 0,
      deleted_at INTEGER,
      lineage BLOB,
      title_revision INTEGER NOT NULL DEFAULT 0,
      restorations INTEGER NOT NULL DEFAULT 0,
      members_revision INTEGER NOT NULL DEFAULT 0,
      UNIQUE (container, owner, name)
    ) STRICT;
    CREATE INDEX zone_to_sweep ON zone (key) WHERE erased_through > swept_through;
    CREATE INDEX zone_of_owner ON zone (owner, container) WHERE is_deleted = 0;
    CREATE INDEX zone_kept ON zone (owner, container) WHERE deleted_at IS NOT NULL;
    CREATE INDEX zone_kept_since ON zone (deleted_at) WHERE deleted_at IS NOT NULL;
    CREATE TABLE record (
      key INTEGER PRIMARY KEY,
      zone INTEGER NOT NULL REFERENCES zone,
      name TEXT NOT NULL,
      revision INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      type TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      created_device INTEGER NOT NULL,
      created_number INTEGER NOT NULL,
      modified_at INTEGER NOT NULL,
      modified_device INTEGER NOT NULL,
      modified_number INTEGER NOT NULL,
      states INTEGER NOT NULL DEFAULT 0,
      fields BLOB NOT NULL,
      checksum INTEGER NOT NULL DEFAULT 0,
      former_versions BLOB,
      UNIQUE (zone, name),
      UNIQUE (zone, revision)
    ) STRICT;
    CREATE INDEX tombstone ON record (modified_at) WHERE kind = 1;
    CREATE TABLE directory_head (
      container INTEGER NOT NULL,
      account INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      subscriptions_from INTEGER NOT NULL DEFAULT 0,
      zones_from INTEGER NOT NULL DEFAULT 0,
      rewound_at INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (container, account)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE directory (
      container INTEGER NOT NULL,
      account INTEGER NOT NULL,
      zone INTEGER NOT NULL REFERENCES zone,
      revision INTEGER NOT NULL,
      gone_at INTEGER,
      PRIMARY KEY (container, account, zone),
      UNIQUE (container, account, revision)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX directory_gone ON directory (gone_at) WHERE gone_at IS NOT NULL;
    CREATE TABLE directory_device (
      container INTEGER NOT NULL,
      account INTEGER NOT NULL,
      device INTEGER NOT NULL REFERENCES device,
      revision INTEGER NOT NULL,
      PRIMARY KEY (container, account, device),
      UNIQUE (container, account, revision)
    ) STRICT, WITHOUT ROWID;
    """
}
