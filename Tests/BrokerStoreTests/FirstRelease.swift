// The schema of a broker's database in the first release, exactly as SQLite stores it. It never changes, so
// that tests can migrate such a file to the current version.

/// A broker's database of the first release.
enum FirstRelease {
  static let tables = """
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
    CREATE TABLE asset (
      container INTEGER NOT NULL,
      account INTEGER NOT NULL,
      digest BLOB NOT NULL,
      size INTEGER NOT NULL,
      unused_since INTEGER,
      PRIMARY KEY (container, account, digest)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX asset_digest ON asset (digest);
    CREATE INDEX asset_unused ON asset (unused_since) WHERE unused_since IS NOT NULL;
    CREATE TABLE asset_use (
      key INTEGER PRIMARY KEY,
      zone INTEGER NOT NULL REFERENCES zone,
      name TEXT NOT NULL,
      digest BLOB NOT NULL,
      revision INTEGER NOT NULL,
      is_past INTEGER NOT NULL DEFAULT 0,
      UNIQUE (zone, name, digest, revision)
    ) STRICT;
    CREATE INDEX asset_use_past ON asset_use (key) WHERE is_past = 1;
    CREATE INDEX asset_use_digest ON asset_use (digest, zone);
    CREATE TABLE asset_charge (
      container INTEGER NOT NULL,
      account INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      PRIMARY KEY (container, account)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER asset_entered AFTER INSERT ON asset BEGIN
      INSERT INTO asset_charge VALUES (NEW.container, NEW.account, NEW.size)
      ON CONFLICT DO UPDATE SET bytes = bytes + NEW.size;
    END;
    CREATE TRIGGER asset_left AFTER DELETE ON asset BEGIN
      UPDATE asset_charge SET bytes = bytes - OLD.size
      WHERE container = OLD.container AND account = OLD.account;
    END;
    CREATE TABLE asset_clock (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      seen_at INTEGER NOT NULL,
      checked_through INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE past (
      key INTEGER PRIMARY KEY,
      record INTEGER NOT NULL,
      slot INTEGER NOT NULL,
      zone INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      type TEXT NOT NULL,
      modified_at INTEGER NOT NULL,
      modified_device INTEGER NOT NULL,
      modified_number INTEGER NOT NULL,
      superseded_at INTEGER NOT NULL,
      fields BLOB NOT NULL,
      UNIQUE (record, slot)
    ) STRICT;
    CREATE INDEX tombstone_state ON past (zone, revision) WHERE kind = 1;
    CREATE INDEX record_gone ON record (zone, revision) WHERE kind = 1;
    CREATE INDEX zone_to_sweep ON zone (key) WHERE erased_through > swept_through;
    CREATE TRIGGER record_past AFTER UPDATE OF revision ON record BEGIN
      INSERT OR REPLACE INTO past (record, slot, zone, revision, kind, type, modified_at,
        modified_device, modified_number, superseded_at, fields)
      VALUES (old.key, old.states % 50, old.zone, old.revision, old.kind,
        old.type, old.modified_at, old.modified_device, old.modified_number, new.modified_at,
        old.fields);
    END;
    CREATE TRIGGER record_past_end AFTER DELETE ON record BEGIN
      DELETE FROM past WHERE record = old.key;
    END;
    CREATE TABLE clock (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      seen_at INTEGER,
      doubted_at INTEGER
    ) STRICT;
    CREATE TABLE subscription (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      container INTEGER NOT NULL,
      account INTEGER NOT NULL,
      id TEXT NOT NULL,
      device INTEGER,
      zone INTEGER,
      state INTEGER NOT NULL DEFAULT 0,
      revision INTEGER NOT NULL,
      retired INTEGER NOT NULL DEFAULT 0,
      failure TEXT,
      bytes BLOB
    ) STRICT;
    CREATE UNIQUE INDEX subscription_in_force ON subscription (container, account, id)
      WHERE state = 0;
    CREATE INDEX subscription_name ON subscription (container, account, id);
    CREATE UNIQUE INDEX subscription_told ON subscription (container, account, revision)
      WHERE revision > 0;
    CREATE INDEX subscription_retired ON subscription (retired) WHERE state IN (1, 3)
      AND bytes IS NOT NULL;
    CREATE INDEX subscription_zone ON subscription (zone) WHERE state = 0 AND zone IS NOT NULL;
    CREATE INDEX subscription_device ON subscription (device)
      WHERE state = 0 AND device IS NOT NULL;
    CREATE TABLE receiver (
      key INTEGER PRIMARY KEY,
      container INTEGER NOT NULL,
      account INTEGER NOT NULL,
      device INTEGER NOT NULL,
      position INTEGER NOT NULL,
      acknowledged INTEGER NOT NULL DEFAULT 0,
      waiting INTEGER NOT NULL DEFAULT 0,
      is_folding INTEGER NOT NULL DEFAULT 0,
      is_lapsed INTEGER NOT NULL DEFAULT 0,
      acknowledged_at INTEGER NOT NULL,
      UNIQUE (container, device)
    ) STRICT;
    CREATE INDEX receiver_account ON receiver (container, account);
    CREATE INDEX receiver_absent ON receiver (acknowledged_at) WHERE waiting > 0;
    CREATE TABLE notification_head (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      number INTEGER NOT NULL,
      swept INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE notification (
      number INTEGER PRIMARY KEY,
      zone INTEGER NOT NULL,
      name TEXT NOT NULL,
      type TEXT NOT NULL,
      revision INTEGER NOT NULL,
      modified_at INTEGER NOT NULL,
      modified_device INTEGER NOT NULL,
      modified_number INTEGER NOT NULL,
      old_fields BLOB,
      new_fields BLOB,
      remaining INTEGER NOT NULL DEFAULT 0,
      targets BLOB NOT NULL
    ) STRICT;
    CREATE TABLE waiting (
      receiver INTEGER NOT NULL,
      number INTEGER NOT NULL,
      subscription INTEGER NOT NULL,
      reason INTEGER NOT NULL,
      PRIMARY KEY (receiver, number, subscription)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE fold (
      receiver INTEGER NOT NULL,
      is_open INTEGER NOT NULL,
      last INTEGER NOT NULL,
      id TEXT NOT NULL,
      first INTEGER NOT NULL,
      count INTEGER NOT NULL,
      zones BLOB NOT NULL,
      PRIMARY KEY (receiver, is_open, id, first)
    ) STRICT, WITHOUT ROWID;
    """
}
