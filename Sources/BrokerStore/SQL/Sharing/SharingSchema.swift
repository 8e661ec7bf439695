// The tables of shares. A zone has at most one share. Permissions derive from `participant` alone: only a
// row with the status `accepted` grants access. The secrets of share links are not stored, only their
// digests. An index finds a link by its digest; this leaks nothing through timing, because the digests of
// random secrets are unrelated.

/// The SQL of the sharing tables.
enum SharingSchema {
  // Inactive links are retained up to `BrokerLimits.linksPerZone`, so that an account that presents one
  // learns why it was rejected. Former participants are retained up to `formerParticipantsPerZone`, so that
  // a removed one cannot join again through the public link. `sequence` is the order in which participants joined and left;
  // it decides which former participants to delete, independently of the clock.
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
      sequence INTEGER NOT NULL DEFAULT 0,
      joined_revision INTEGER,
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

  // Deferred jobs, see `DeferredJobTable`; account 0 means all members of the zone.
  static let deferredJobs = """
    CREATE TABLE deferred_job (
      zone INTEGER NOT NULL REFERENCES zone,
      account INTEGER NOT NULL,
      PRIMARY KEY (zone, account)
    ) STRICT, WITHOUT ROWID;
    """
}
