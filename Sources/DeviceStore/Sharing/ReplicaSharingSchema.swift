// Tables of shared zones: their owners, the links made here, the records that move from one zone to another,
// and whether data that this device lost access to must still be erased from the disk.

enum ReplicaSharingSchema {
  /// `share_link` has the secrets of the links that this device created; the broker has only their digests.
  /// `invitation` is the default permission of invited accounts.
  ///
  /// A `move` means that the deletion of `name` in `source` waits until the broker has the record in `target`. It is
  /// deleted with the waiting entry of the outbox.
  ///
  /// `identity.to_erase` means that the file may still contain bytes of a zone that was removed.
  static let tables = """
    ALTER TABLE zone ADD COLUMN owner_name TEXT NOT NULL DEFAULT '';
    ALTER TABLE zone ADD COLUMN shared INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE identity ADD COLUMN to_erase INTEGER NOT NULL DEFAULT 0;
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
    CREATE INDEX outbox_sent_record ON outbox (zone, name)
      WHERE number IS NOT NULL AND name IS NOT NULL;
    CREATE TRIGGER move_ended AFTER DELETE ON outbox BEGIN
      DELETE FROM move WHERE source = OLD.zone AND (
        OLD.kind = \(OutboxEntry.Kind.deleteZone.rawValue)
        OR name = OLD.name AND NOT EXISTS (
          SELECT 1 FROM outbox WHERE zone = OLD.zone AND name = OLD.name));
    END;

    """

  /// `parked.typed` has only the fields that the user typed, and `typed_title` a title from these fields. They replace
  /// the edit when access to the group is lost. They are NULL in rows of earlier versions.
  ///
  /// An entry that waits for a `move` is `moving`, and is skipped until the move may have ended. The move is deleted
  /// with the last entry of its record or of the group. The triggers check this for each removed entry, so they must
  /// not read the other entries.
  static let moving = """
    ALTER TABLE parked ADD COLUMN typed BLOB;
    ALTER TABLE parked ADD COLUMN typed_title TEXT;
    ALTER TABLE outbox ADD COLUMN moving INTEGER NOT NULL DEFAULT 0;
    DROP INDEX outbox_unsent;
    CREATE INDEX outbox_unsent ON outbox (id)
      WHERE number IS NULL AND held = 0 AND awaited IS NULL AND moving = 0;
    DROP TRIGGER move_ended;
    CREATE TRIGGER move_group_ended AFTER DELETE ON outbox
    WHEN OLD.kind = \(OutboxEntry.Kind.deleteZone.rawValue) BEGIN
      DELETE FROM move WHERE source = OLD.zone;
    END;
    CREATE TRIGGER move_ended AFTER DELETE ON outbox WHEN OLD.name IS NOT NULL BEGIN
      DELETE FROM move WHERE source = OLD.zone AND name = OLD.name
        AND NOT EXISTS (SELECT 1 FROM outbox WHERE zone = OLD.zone AND name = OLD.name
          AND number IS NULL AND name IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM outbox WHERE zone = OLD.zone AND name = OLD.name
          AND number IS NOT NULL AND name IS NOT NULL);
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

    """

  /// One trigger in place of two, which begins only if there is a move. Moves are rare, and the triggers took more than half
  /// of the time that removing an entry takes.
  static let rareMoves = """
    DROP TRIGGER move_group_ended;
    DROP TRIGGER move_ended;
    CREATE TRIGGER move_ended AFTER DELETE ON outbox WHEN EXISTS (SELECT 1 FROM move) BEGIN
      DELETE FROM move
      WHERE source = OLD.zone AND OLD.kind = \(OutboxEntry.Kind.deleteZone.rawValue);
      DELETE FROM move WHERE source = OLD.zone AND name = OLD.name
        AND NOT EXISTS (SELECT 1 FROM outbox WHERE zone = OLD.zone AND name = OLD.name);
      UPDATE outbox SET moving = 0 WHERE name = OLD.name AND number IS NULL AND name IS NOT NULL
        AND zone IN (SELECT source FROM move WHERE target = OLD.zone AND name = OLD.name);
    END;

    """

  /// `zone_member` has the other participants of shared groups, for the names of authors. `access_request` has the
  /// requests for access to groups that this account manages. Both come from the directory, so the device reads the
  /// directory again from the start.
  static let people = """
    ALTER TABLE zone ADD COLUMN owner_display_name TEXT NOT NULL DEFAULT '';
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
    UPDATE identity SET directory = 0;

    """
}
