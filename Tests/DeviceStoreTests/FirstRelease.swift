// The tables as the first release made them in a device's database, word for word as SQLite keeps them.
// They never change again: what later versions make of such a file is tested with them.

/// A device's database of the first release.
enum FirstRelease {
  static let tables = """
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
    CREATE INDEX record_group ON record (id) WHERE type = 'ContactGroup';
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
    CREATE TABLE contact (
      record INTEGER PRIMARY KEY,
      zone INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      text TEXT NOT NULL
    ) STRICT;
    CREATE INDEX contact_modified ON contact (modified);
    CREATE VIRTUAL TABLE contact_text USING fts5(
      text, content = 'contact', content_rowid = 'record', columnsize = 0, tokenize = 'ascii',
      prefix = '1 2 3');
    CREATE TABLE contact_place (
      generation INTEGER NOT NULL,
      record INTEGER NOT NULL,
      zone INTEGER NOT NULL,
      last BLOB NOT NULL,
      first BLOB NOT NULL,
      company BLOB NOT NULL,
      PRIMARY KEY (generation, record)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX contact_last ON contact_place (generation, last);
    CREATE INDEX contact_first ON contact_place (generation, first);
    CREATE INDEX contact_company ON contact_place (generation, company);
    CREATE INDEX contact_zone_last ON contact_place (generation, zone, last);
    CREATE TABLE contact_section (
      generation INTEGER NOT NULL,
      zone INTEGER NOT NULL,
      sort INTEGER NOT NULL,
      section INTEGER NOT NULL,
      contacts INTEGER NOT NULL,
      PRIMARY KEY (generation, zone, sort, section)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE contact_ordering (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      generation INTEGER NOT NULL,
      language TEXT NOT NULL,
      version TEXT NOT NULL,
      words TEXT NOT NULL,
      next_language TEXT,
      next_version TEXT,
      done INTEGER NOT NULL DEFAULT 0
    ) STRICT;
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
    CREATE TABLE setting (
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE past (
      zone INTEGER NOT NULL,
      name TEXT NOT NULL,
      tag INTEGER NOT NULL,
      type TEXT NOT NULL,
      fields BLOB,
      stamp BLOB,
      making INTEGER NOT NULL,
      superseded INTEGER NOT NULL,
      PRIMARY KEY (zone, name, tag)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX past_age ON past (superseded);
    CREATE INDEX past_gone ON past (zone, name, tag) WHERE fields IS NULL;
    CREATE TABLE trash (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      zone INTEGER NOT NULL,
      name TEXT NOT NULL,
      type TEXT NOT NULL,
      title TEXT NOT NULL,
      fields BLOB NOT NULL,
      tag INTEGER,
      account BLOB,
      device BLOB,
      time INTEGER NOT NULL,
      UNIQUE (zone, name)
    ) STRICT;
    CREATE INDEX trash_age ON trash (time);
    CREATE INDEX trash_named ON trash (name);
    CREATE TABLE action (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      title TEXT NOT NULL,
      edits INTEGER NOT NULL,
      time INTEGER NOT NULL,
      undoes INTEGER,
      undone_by INTEGER
    ) STRICT;
    CREATE TABLE action_edit (
      action INTEGER NOT NULL REFERENCES action ON DELETE CASCADE,
      ordinal INTEGER NOT NULL,
      owner BLOB NOT NULL,
      zone_name BLOB NOT NULL,
      name TEXT,
      type TEXT NOT NULL,
      digest BLOB,
      before BLOB,
      after BLOB,
      title_before TEXT,
      title_after TEXT,
      PRIMARY KEY (action, ordinal)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX action_edit_record ON action_edit (name) WHERE name IS NOT NULL;
    CREATE TABLE device (
      id BLOB PRIMARY KEY,
      name TEXT NOT NULL,
      seen INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE asset (
      digest BLOB PRIMARY KEY,
      size INTEGER NOT NULL,
      unused_since INTEGER,
      is_erased INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX asset_unused ON asset (unused_since) WHERE unused_since IS NOT NULL;
    CREATE TABLE asset_use (
      kind INTEGER NOT NULL,
      holder INTEGER NOT NULL,
      digest BLOB NOT NULL,
      PRIMARY KEY (kind, holder, digest)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX asset_use_digest ON asset_use (digest);
    CREATE TABLE asset_wanted (
      digest BLOB PRIMARY KEY,
      owner BLOB NOT NULL,
      zone_name BLOB NOT NULL,
      size INTEGER NOT NULL,
      asked INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE asset_state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      bytes INTEGER NOT NULL,
      size_limit INTEGER NOT NULL,
      seen_at INTEGER
    ) STRICT;
    CREATE TRIGGER asset_entered AFTER INSERT ON asset BEGIN
      UPDATE asset_state SET bytes = bytes + NEW.size;
      DELETE FROM asset_wanted WHERE digest = NEW.digest;
    END;
    CREATE TRIGGER asset_left AFTER DELETE ON asset BEGIN
      UPDATE asset_state SET bytes = bytes - OLD.size;
    END;
    CREATE TRIGGER asset_named AFTER INSERT ON asset_use BEGIN
      UPDATE asset SET unused_since = NULL, is_erased = 0 WHERE digest = NEW.digest;
    END;
    CREATE TRIGGER asset_released AFTER DELETE ON asset_use
    WHEN NOT EXISTS (SELECT 1 FROM asset_use WHERE digest = OLD.digest) BEGIN
      UPDATE asset SET unused_since = is_erased WHERE digest = OLD.digest;
      DELETE FROM asset_wanted WHERE digest = OLD.digest;
    END;
    CREATE TRIGGER asset_record_left AFTER DELETE ON record BEGIN
      DELETE FROM asset_use WHERE kind = 0 AND holder = OLD.id;
    END;
    CREATE TRIGGER asset_parked_left AFTER DELETE ON parked BEGIN
      DELETE FROM asset_use WHERE kind = 1 AND holder = OLD.id;
    END;
    CREATE TABLE subscription (
      id TEXT PRIMARY KEY,
      known BLOB,
      wish INTEGER NOT NULL DEFAULT 0,
      wish_form BLOB,
      own_device INTEGER NOT NULL DEFAULT 0,
      generation INTEGER NOT NULL DEFAULT 0,
      off INTEGER NOT NULL DEFAULT 0,
      error_code TEXT,
      error_message TEXT,
      error_hint TEXT,
      error_field TEXT,
      error_column INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX subscription_wish ON subscription (generation) WHERE wish IN (1, 2);
    CREATE TABLE hook (
      subscription TEXT PRIMARY KEY,
      command TEXT NOT NULL,
      form BLOB NOT NULL,
      position INTEGER NOT NULL,
      orphaned INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE notification (
      sequence INTEGER PRIMARY KEY,
      number INTEGER NOT NULL,
      subscription TEXT NOT NULL,
      reason INTEGER,
      scope INTEGER,
      owner BLOB,
      zone_name BLOB,
      name TEXT,
      type TEXT,
      tag INTEGER,
      modified BLOB,
      record_title TEXT NOT NULL DEFAULT '',
      title TEXT,
      body TEXT,
      badge INTEGER NOT NULL DEFAULT 0,
      sound TEXT,
      category TEXT,
      silent INTEGER NOT NULL DEFAULT 0,
      collapse_key TEXT,
      fields BLOB,
      pruned INTEGER NOT NULL DEFAULT 0,
      first INTEGER,
      folded INTEGER,
      time INTEGER NOT NULL,
      seen INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX notification_number ON notification (number);
    CREATE INDEX notification_subscription ON notification (subscription, sequence);
    CREATE INDEX notification_record ON notification (name) WHERE name IS NOT NULL;
    CREATE INDEX notification_badge ON notification (sequence) WHERE badge = 1 AND seen = 0;
    CREATE TABLE notification_state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      position INTEGER NOT NULL DEFAULT 0,
      last INTEGER NOT NULL DEFAULT 0,
      released INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    """
}
