// The tables of subscriptions, of what they told, and of the commands that run then.

enum ReplicaSubscriptionSchema {
  /// `known` is what the broker has, `wish` what it has still to hear (see SubscriptionRow.Wish). The
  /// error is that of a refusal, or why the broker switched the subscription off.
  ///
  /// A `hook` is bound to the words it was made with; `position` is the last notification it ran
  /// for. `orphaned` is set when the subscription went: what it told before still runs.
  ///
  /// A `notification` has one row for each subscription that told it. `number` is the broker's,
  /// `sequence` this device's, without gaps. Of a fold only `first`, `number` and `folded` are set.
  /// Those above `released` wait for their records and nobody is shown them.
  static let tables = """
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
    INSERT INTO notification_state (id) VALUES (1);

    """

  /// `missed` counts what was told beyond what is kept before the command came to it.
  static let missed = """
    ALTER TABLE hook ADD COLUMN missed INTEGER NOT NULL DEFAULT 0;
    """
}
