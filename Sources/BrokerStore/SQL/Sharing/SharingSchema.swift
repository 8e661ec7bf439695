// The tables of shares. A zone has at most one share. Permissions derive from `participant` alone: only a
// row with the status `accepted` grants access. The secrets of share links are not stored, only their
// digests. An index finds a link by its digest; this leaks nothing through timing, because the digests of
// random secrets are unrelated.

/// The SQL of the sharing tables, one statement list for each migration.
enum SharingSchema {
  static let accounts = """
    ALTER TABLE account ADD COLUMN display_name TEXT NOT NULL DEFAULT '';
    ALTER TABLE account ADD COLUMN is_discoverable INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX account_discoverable ON account (name) WHERE is_discoverable = 1;
    """

  // `record_count` is updated by every save and deletion, so a preview does not count records. `sequence`
  // is the order in which participants joined and left; it decides which former participants to delete,
  // independently of the clock.
  static let counts = """
    ALTER TABLE zone ADD COLUMN record_count INTEGER NOT NULL DEFAULT 0;
    UPDATE zone SET record_count =
      (SELECT count(*) FROM record WHERE record.zone = zone.key AND kind = 0);
    CREATE INDEX zone_of_owner ON zone (owner, container) WHERE is_deleted = 0;
    ALTER TABLE participant ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;
    UPDATE participant SET sequence = (SELECT count(*) FROM participant AS earlier
      WHERE earlier.zone = participant.zone AND earlier.changed_at <= participant.changed_at);
    """

  // Inactive links are retained up to `BrokerLimits.linksPerZone`, so that an account that presents one
  // learns why it was rejected. Former participants are retained up to `formerParticipantsPerZone`, so that
  // a removed one cannot join again through the public link.
  static let shares = """
    CREATE TABLE share (
      zone INTEGER PRIMARY KEY REFERENCES zone,
      public_permission INTEGER NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE share_link (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      zone INTEGER NOT NULL REFERENCES zone,
      digest BLOB NOT NULL UNIQUE,
      expires_at INTEGER,
      uses_left INTEGER,
      is_revoked INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX share_link_zone ON share_link (zone, key);
    CREATE TABLE participant (
      zone INTEGER NOT NULL REFERENCES zone,
      account INTEGER NOT NULL REFERENCES account,
      role INTEGER NOT NULL,
      permission INTEGER NOT NULL,
      status INTEGER NOT NULL,
      changed_at INTEGER NOT NULL,
      PRIMARY KEY (zone, account)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX participant_account ON participant (account, zone);
    CREATE TABLE access_request (
      zone INTEGER NOT NULL REFERENCES zone,
      account INTEGER NOT NULL REFERENCES account,
      asked_at INTEGER NOT NULL,
      standing INTEGER NOT NULL,
      PRIMARY KEY (zone, account)
    ) STRICT, WITHOUT ROWID;
    """

  // Deferred jobs, see `DeferredJobTable`; account 0 means all members of the zone. The migration adds a
  // job for each shared zone, because directory entries contain more since this version (names of members).
  static let deferredJobs = """
    CREATE TABLE errand (
      zone INTEGER NOT NULL REFERENCES zone,
      account INTEGER NOT NULL,
      PRIMARY KEY (zone, account)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO errand SELECT DISTINCT zone, 0 FROM participant WHERE status = 1;
    """
}
