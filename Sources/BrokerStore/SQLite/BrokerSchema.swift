// The broker's tables. Rows refer to each other by small integer keys, so a record's row takes the bytes of
// its fields and about sixty more. A record's row is also its entry in the zone's feed: (zone, revision) is
// unique, and a save moves the row to the feed's end.

import GRDB
import Records
import SQLiteFile

/// The broker's tables and their migrations.
enum BrokerSchema {
  /// The bytes “CKbr”.
  static let applicationID: Int32 = 0x434B_6272

  static var file: SQLiteFile {
    // NB: SQLite need not check foreign keys, because a transaction reads every row that it refers to. The
    // checks would cost each save two more searches and a statement journal.
    SQLiteFile(
      applicationID: applicationID, migrator: migrator, cacheKibibytes: 64 << 10,
      checksReferences: false)
  }

  /// An empty, migrated database, from which databases in memory are copied.
  static let empty = Result { () throws(StoreError) in try file.openInMemory() }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 foundation") { db in
      try db.execute(sql: accounts)
      try db.execute(sql: zones)
      try db.execute(sql: AssetTable.schema)
      try db.execute(sql: RecordHistoryTable.schema)
      try db.execute(sql: ClockTable.schema)
      try db.execute(sql: SubscriptionSchema.subscriptions)
      try db.execute(sql: SubscriptionSchema.notifications)
    }
    migrator.registerMigration("2 sharing") { db in
      try db.execute(sql: SharingSchema.accounts)
      try db.execute(sql: SharingSchema.shares)
    }
    migrator.registerMigration("3 checksums", migrate: ChecksumMigration.run)
    migrator.registerMigration("4 declared indexes") { db in
      try db.execute(sql: IndexTable.schema)
    }
    migrator.registerMigration("5 public database") { db in
      try db.execute(sql: PublicSchema.database)
    }
    migrator.registerMigration("6 counts") { db in
      try db.execute(sql: SharingSchema.counts)
    }
    migrator.registerMigration("7 references", migrate: ReferenceMigration.run)
    migrator.registerMigration("8 former histories") { db in try db.execute(sql: formerHistories) }
    migrator.registerMigration("9 errands and quotas") { db in
      try db.execute(sql: SharingSchema.deferredJobs)
      try db.execute(sql: RecordCounts.schema)
    }
    migrator.registerMigration("10 lost assets") { db in
      try db.execute(sql: LostAssetTable.schema)
    }
    migrator.registerMigration("11 stored bytes") { db in
      try db.execute(sql: StoredByteCounts.schema)
    }
    migrator.registerMigration("12 lost records") { db in
      try db.execute(sql: DamagedRecords.schema)
    }
    migrator.registerMigration("13 watched time") { db in try db.execute(sql: ClockTable.gaps) }
    migrator.registerMigration("14 forgotten zones") { db in
      try db.execute(sql: DirectoryExpiry.schema)
    }
    migrator.registerMigration("15 device invitations") { db in
      try db.execute(sql: InvitationTable.schema)
    }
    migrator.registerMigration("16 renamed devices") { db in
      try db.execute(sql: DeviceTable.renaming)
    }
    migrator.registerMigration("17 versions by author") { db in
      try db.execute(sql: RecordHistoryTable.versionsByAuthor)
    }
    migrator.registerMigration("18 restorable zones") { db in
      try db.execute(sql: ZoneTable.deletionTime)
    }
    migrator.registerMigration("19 assets of participants") { db in
      try db.execute(sql: AssetTable.participants)
    }
    migrator.registerMigration("20 former versions") { db in
      try db.execute(sql: RecordHistoryTable.formerVersions)
    }
    return migrator
  }

  // The history that a zone's present one continues after a restore; see `FormerHistory`.
  private static let formerHistories = """
    ALTER TABLE zone ADD COLUMN former_incarnation BLOB;
    ALTER TABLE zone ADD COLUMN kept_through INTEGER NOT NULL DEFAULT 0;
    """

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
      is_disabled INTEGER NOT NULL DEFAULT 0
    ) STRICT;
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
      is_revoked INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE outcome (
      device INTEGER NOT NULL REFERENCES device,
      number INTEGER NOT NULL,
      fingerprint BLOB NOT NULL,
      bytes BLOB NOT NULL,
      PRIMARY KEY (device, number)
    ) STRICT, WITHOUT ROWID;
    """

  private static let zones = """
    CREATE TABLE zone (
      key INTEGER PRIMARY KEY,
      container INTEGER NOT NULL REFERENCES container,
      owner INTEGER NOT NULL REFERENCES account,
      name BLOB NOT NULL,
      title TEXT NOT NULL,
      incarnation BLOB NOT NULL,
      head INTEGER NOT NULL DEFAULT 0,
      reaped_through INTEGER NOT NULL DEFAULT 0,
      is_deleted INTEGER NOT NULL DEFAULT 0,
      erased_through INTEGER NOT NULL DEFAULT 0,
      swept_through INTEGER NOT NULL DEFAULT 0,
      UNIQUE (container, owner, name)
    ) STRICT;
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
      UNIQUE (zone, name),
      UNIQUE (zone, revision)
    ) STRICT;
    CREATE INDEX tombstone ON record (modified_at) WHERE kind = 1;
    CREATE TABLE directory_head (
      container INTEGER NOT NULL,
      account INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      subscriptions_from INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (container, account)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE directory (
      container INTEGER NOT NULL,
      account INTEGER NOT NULL,
      zone INTEGER NOT NULL REFERENCES zone,
      revision INTEGER NOT NULL,
      PRIMARY KEY (container, account, zone),
      UNIQUE (container, account, revision)
    ) STRICT, WITHOUT ROWID;
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
