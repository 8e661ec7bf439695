// Tables of shared zones: the links made here, the records that move from one zone to another, the people.

enum ReplicaSharingSchema {
  /// `share_link` has the secrets of the links that this device created; the broker has only their digests.
  /// `invitation` is the default permission of invited accounts.
  ///
  /// A `move` means that the deletion of `name` in `source` waits until the broker has the record in `target`. It is
  /// deleted with the last entry of its record or of the group. The trigger checks this for each removed entry, so it must
  /// not read the other entries. Moves are rare, so it begins only if there is one.
  ///
  /// `zone_member` has the other participants of shared groups, for the names of authors. `access_request` has the
  /// requests for access to groups that this account manages. Both come from the directory.
  static let tables = """
    CREATE TABLE share_link (
      zone INTEGER NOT NULL REFERENCES zone ON DELETE CASCADE,
      digest BLOB NOT NULL,
      secret BLOB NOT NULL,
      PRIMARY KEY (zone, digest)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE invitation (
      zone INTEGER PRIMARY KEY REFERENCES zone ON DELETE CASCADE,
      permission INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE move (
      source INTEGER NOT NULL,
      name TEXT NOT NULL,
      target INTEGER NOT NULL,
      PRIMARY KEY (source, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX move_target ON move (target, name);
    CREATE TRIGGER move_ended AFTER DELETE ON outbox WHEN EXISTS (SELECT 1 FROM move) BEGIN
      DELETE FROM move
      WHERE source = OLD.zone AND OLD.kind = \(OutboxEntry.Kind.deleteZone.rawValue);
      DELETE FROM move WHERE source = OLD.zone AND name = OLD.name
        AND NOT EXISTS (SELECT 1 FROM outbox WHERE zone = OLD.zone AND name = OLD.name);
      UPDATE outbox SET moving = 0 WHERE name = OLD.name AND number IS NULL AND name IS NOT NULL
        AND zone IN (SELECT source FROM move WHERE target = OLD.zone AND name = OLD.name);
    END;
    CREATE TRIGGER move_forgotten AFTER DELETE ON move BEGIN
      UPDATE outbox SET moving = 0 WHERE zone = OLD.source AND name = OLD.name
        AND number IS NULL AND name IS NOT NULL;
    END;
    CREATE TRIGGER move_begun AFTER INSERT ON move BEGIN
      UPDATE outbox SET moving = 0 WHERE zone = NEW.source AND name = NEW.name
        AND number IS NULL AND name IS NOT NULL;
    END;
    CREATE TRIGGER move_turned AFTER UPDATE ON move BEGIN
      UPDATE outbox SET moving = 0 WHERE zone = NEW.source AND name = NEW.name
        AND number IS NULL AND name IS NOT NULL;
    END;
    CREATE TABLE zone_member (
      zone INTEGER NOT NULL REFERENCES zone ON DELETE CASCADE,
      account BLOB NOT NULL,
      name TEXT NOT NULL,
      display_name TEXT NOT NULL,
      present INTEGER NOT NULL,
      PRIMARY KEY (zone, account)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE access_request (
      zone INTEGER NOT NULL REFERENCES zone ON DELETE CASCADE,
      account BLOB NOT NULL,
      name TEXT NOT NULL,
      display_name TEXT NOT NULL,
      asked INTEGER NOT NULL,
      standing INTEGER NOT NULL,
      PRIMARY KEY (zone, account)
    ) STRICT, WITHOUT ROWID;

    """
}
