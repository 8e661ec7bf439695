// What groups of several people need in the store: whose they are, links made here, contacts on their
// way from one group to another, and whether what was lost has still to be wiped off the disk.

enum SharingSchema {
  /// `share_link` has the secrets of links made on this device; the broker has their digests only.
  /// `invitation` is what `share` said whoever is invited may do.
  ///
  /// A `move` says that the deletion of `name` in `source` waits until the broker has it in
  /// `target`; it goes with the entry of the outbox that waits.
  ///
  /// `to_erase` of the identity: bytes of a zone that is gone may still lie in the file.
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
}
