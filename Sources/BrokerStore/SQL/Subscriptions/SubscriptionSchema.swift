// The tables of subscriptions and notifications. A change inserts one `notification` row, regardless of how
// many devices it notifies; `targets` lists them. About a second later the entries of devices that have not
// acknowledged move to `waiting`, one row for each device, or are collapsed into `fold` if a device is at its
// limit. Entries with numbers above `notification_head.swept` are therefore in `targets`, all others in
// `waiting` and `fold`.

/// The SQL of the subscription and notification tables.
enum SubscriptionSchema {
  // A row is one version of a subscription. `state` is 0 for active, 1 for replaced, 2 for deleted, and 3
  // for fired once. Replaced and fired versions retain `bytes`, their content, while a notification may
  // refer to them: until all numbers up to `retired` are gone. `revision` is the directory's; it is 0 if the
  // directory does not list the row, because a later row represents the subscription.
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
