// The tables of subscriptions, their notifications, and the commands that run for them.

/// The schema of subscriptions and notifications.
enum ReplicaSubscriptionSchema {
  /// `known` is the broker's form, `pending_change` the pending change (see `SubscriptionRow.PendingChange`). The error is the
  /// reason why the broker rejected the subscription or switched it off.
  ///
  /// A `hook` belongs to the form that it was set for; `position` is the last notification that it ran for.
  /// `orphaned` is set when the subscription is deleted. The hook still runs for earlier notifications.
  /// `missed` counts the notifications that were deleted before the command ran for them.
  ///
  /// A `notification` has one row for each subscription that caused it. `number` is the broker's number, `sequence`
  /// this device's, without gaps. Collapsed notifications set only `first`, `number` and `folded`. Notifications after
  /// `released` wait for their records and are not shown.
  static let tables = """
    CREATE TABLE subscription (
      id TEXT PRIMARY KEY,
      known BLOB,
      pending_change INTEGER NOT NULL DEFAULT 0,
      pending_form BLOB,
      own_device INTEGER NOT NULL DEFAULT 0,
      generation INTEGER NOT NULL DEFAULT 0,
      off INTEGER NOT NULL DEFAULT 0,
      error_code TEXT,
      error_message TEXT,
      error_hint TEXT,
      error_field TEXT,
      error_column INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX subscription_pending ON subscription (generation) WHERE pending_change IN (1, 2);
    CREATE TABLE hook (
      subscription TEXT PRIMARY KEY,
      command TEXT NOT NULL,
      form BLOB NOT NULL,
      position INTEGER NOT NULL,
      orphaned INTEGER,
      missed INTEGER NOT NULL DEFAULT 0
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
    INSERT INTO notification_state (id) VALUES (1);

    """
}
