// The tables of shares. A zone has at most one share, and rights are read from `participant` alone: a
// row whose status is accepted lets in, nothing else does. Secrets of links are nowhere; a digest is
// found by an index, and as digests of random secrets tell nothing of each other, the time that takes
// tells nothing either.

/// The tables.
enum SharingSchema {
  static let accounts = """
    ALTER TABLE account ADD COLUMN display_name TEXT NOT NULL DEFAULT '';
    ALTER TABLE account ADD COLUMN is_discoverable INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX account_discoverable ON account (name) WHERE is_discoverable = 1;
    """

  // `record_count` follows every save and deletion, so that a preview costs nothing, however much there
  // is. `sequence` is the order in which participants came and went: no clock says whom to forget.
  static let counts = """
    ALTER TABLE zone ADD COLUMN record_count INTEGER NOT NULL DEFAULT 0;
    UPDATE zone SET record_count =
      (SELECT count(*) FROM record WHERE record.zone = zone.key AND kind = 0);
    CREATE INDEX zone_of_owner ON zone (owner, container) WHERE is_deleted = 0;
    ALTER TABLE participant ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;
    UPDATE participant SET sequence = (SELECT count(*) FROM participant AS earlier
      WHERE earlier.zone = participant.zone AND earlier.changed_at <= participant.changed_at);
    """

  // Links that lead in no more are kept for a while (`BrokerLimits.linksPerZone`), so that who shows
  // one is told why; participants who are gone (`goneParticipantsPerZone`), so that who was removed
  // does not come in by the public link.
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

  // Who has still to be told of a zone, and cleared of it where it may no longer see it; account 0 is
  // everybody who is in. At the beginning all who share a zone: what the directory says of it – names,
  // for one – has become more since they were told last.
  static let errands = """
    CREATE TABLE errand (
      zone INTEGER NOT NULL REFERENCES zone,
      account INTEGER NOT NULL,
      PRIMARY KEY (zone, account)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO errand SELECT DISTINCT zone, 0 FROM participant WHERE status = 1;
    """
}
