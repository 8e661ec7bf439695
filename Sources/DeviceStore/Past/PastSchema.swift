// The tables of what is no longer shown: earlier states of records (a copy of what the broker
// keeps, so that a history can be read without it), what was deleted and can come back, and what
// people did here, so that it can be undone after a restart too.

enum PastSchema {
  /// `past` holds states that the broker had, by their tags; `fields` is NULL for a deletion, and
  /// `making` tells the one that made the record.
  ///
  /// `trash` holds what a deleted record showed last; `tag` is the tombstone's, once it is known. `counted`: see
  /// DeletionCounter. `moved` is 1 for a record that left its zone by a move. Its content is kept for a device that cannot
  /// read the zone it went to.
  ///
  /// An `action` is one thing a person did. Of each record it touched, `action_edit` keeps what
  /// undoing needs and no more: of a made record a digest, of a changed one the fields that
  /// changed, of a deleted one all. A group has no `name`, and titles instead of fields. There is no index of edits by
  /// record: records of an import have names in no order, so each of them would change another page of it.
  ///
  /// `edits` is the number of records and groups that the action edited: a record counts once, and a conflict is part of
  /// its record. `undo_failed` is 1 for an action that an undo without a number found unable to be undone, so that the next
  /// one continues with an older action. `begun` is the number of the last event before the action.
  ///
  /// `tombstone` is the lowest tag that the broker's tombstone of a deleted record can have; it is NULL if the broker did not
  /// have the record. Few edits are deletions, so the index costs an import nothing.
  static let tables = """
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
      public_id TEXT,
      counted INTEGER NOT NULL DEFAULT 0,
      moved INTEGER NOT NULL DEFAULT 0,
      UNIQUE (zone, name)
    ) STRICT;
    CREATE INDEX trash_age ON trash (time);
    CREATE INDEX trash_named ON trash (name);
    CREATE INDEX trash_public ON trash (public_id) WHERE public_id IS NOT NULL;
    CREATE INDEX trash_counted ON trash (zone) WHERE counted = 1;
    CREATE TABLE action (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      title TEXT NOT NULL,
      edits INTEGER NOT NULL,
      time INTEGER NOT NULL,
      undoes INTEGER,
      undone_by INTEGER,
      undo_failed INTEGER NOT NULL DEFAULT 0,
      begun INTEGER NOT NULL DEFAULT 0
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
      tombstone INTEGER,
      PRIMARY KEY (action, ordinal)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX action_edit_tombstone ON action_edit (name) WHERE tombstone IS NOT NULL;

    """

  /// The condition for a row of the trash that can be restored. A moved record exists in another zone, or was deleted
  /// there and can be restored there.
  static let isDiscarded = """
    (trash.moved = 0 OR NOT (
      EXISTS (
        SELECT 1 FROM record AS carrier WHERE carrier.name = trash.name
          AND carrier.zone <> trash.zone AND carrier.shown IS NOT NULL)
      OR EXISTS (
        SELECT 1 FROM trash AS deletion WHERE deletion.name = trash.name
          AND deletion.zone <> trash.zone AND deletion.moved = 0)))
    """
}
