// The tables of subscriptions and notifications. A change costs one row, whomever it concerns: its
// `targets` list them. What devices that are not here still need of it moves to rows of their own
// (`waiting`), and beyond their bound to `fold`, by a sweep that runs a second later. So numbers above
// `swept` are found in targets, the others in `waiting` and `fold`.

/// The tables.
enum SubscriptionSchema {
  // A subscription's row is one wording of it. `state`: 0 is in force; 1 was replaced and 3 was told
  // once, and both keep their words while something told in them may wait (until all numbers up to
  // `retired` are gone); 2 was deleted. `revision` is the directory's, 0 where a later row tells.
  static let subscriptions = """
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
    """

  static let notifications = """
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
    INSERT INTO notification_head VALUES (1, 0, 0);
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
