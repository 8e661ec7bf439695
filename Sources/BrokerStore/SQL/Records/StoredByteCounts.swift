// The bytes stored for each account. Each state of a record counts the bytes of its fields plus
// `BrokerLimits.bytesPerState`, from the save until its row is deleted. The counters are in the zone's row
// and, in the public database, in a row for the record's creator. The writer adds to them once a
// transaction. Triggers subtract, so that every deletion is counted, whichever statement makes it. What participants
// saved is counted a second time by itself.

import BrokerCore
import Records

/// The counters that the quota of stored bytes applies to.
enum StoredByteCounts {
  /// The table of the public database, and the triggers that subtract.
  static let schema = """
    CREATE TABLE public_bytes (
      container INTEGER NOT NULL,
      account INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      PRIMARY KEY (container, account)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER record_removed AFTER DELETE ON record BEGIN
      \(subtraction)
    END;
    CREATE TRIGGER past_removed AFTER DELETE ON past BEGIN
      \(subtraction)
    END;
    """

  /// The statements that count the bytes of all existing states.
  static let counting = [
    "UPDATE zone SET stored_bytes = 0, participants_records = 0, participants_bytes = 0",
    """
    UPDATE zone SET participants_records = total
      FROM (SELECT zone AS counted, count(*) AS total FROM record
        JOIN zone AS home ON home.key = zone JOIN device ON device.key = created_device
        WHERE kind = 0 AND device.account <> home.owner AND home.owner <> \(publicOwner)
        GROUP BY zone) AS sums
      WHERE counted = zone.key
    """,
    """
    UPDATE zone SET participants_bytes = total
      FROM (SELECT zone AS counted, sum(bytes) AS total
        FROM (SELECT zone, modified_device, \(size("fields")) AS bytes FROM record
          UNION ALL SELECT zone, modified_device, \(size("fields")) FROM past) AS state
        JOIN zone AS home ON home.key = zone JOIN device ON device.key = modified_device
        WHERE device.account <> home.owner AND home.owner <> \(publicOwner)
        GROUP BY zone) AS sums
      WHERE counted = zone.key
    """,
    """
    UPDATE zone SET stored_bytes = total
      FROM (SELECT zone AS counted, sum(bytes) AS total
        FROM (SELECT zone, \(size("fields")) AS bytes FROM record
          UNION ALL SELECT zone, \(size("fields")) FROM past) AS state
        GROUP BY zone) AS sums
      WHERE counted = zone.key
    """,
    "DELETE FROM public_bytes",
    """
    INSERT INTO public_bytes
      SELECT zone.container, device.account, sum(bytes)
      FROM (SELECT zone, created_device, \(size("fields")) AS bytes FROM record
          UNION ALL SELECT zone, created_device, \(size("fields")) FROM past) AS state
        JOIN zone ON zone.key = state.zone
        JOIN device ON device.key = state.created_device
      WHERE zone.owner = \(publicOwner)
      GROUP BY zone.container, device.account
    """,
  ]

  /// The row of the account that owns the public database. No user can have its name.
  static let publicOwner = "(SELECT key FROM account WHERE name = '')"

  private static func size(_ fields: String) -> String {
    "\(BrokerLimits.bytesPerState) + length(\(fields))"
  }

  private static let subtraction = """
    UPDATE zone SET stored_bytes = max(0, stored_bytes - (\(size("old.fields")))),
      participants_bytes = max(0, participants_bytes - CASE
        WHEN owner = (SELECT account FROM device WHERE key = old.modified_device) THEN 0
        ELSE \(size("old.fields")) END)
      WHERE key = old.zone;
    UPDATE public_bytes SET bytes = max(0, bytes - (\(size("old.fields"))))
      WHERE (container, account) = (
        SELECT zone.container, device.account FROM zone
          JOIN device ON device.key = old.created_device
        WHERE zone.key = old.zone AND zone.owner = \(publicOwner));
    """
}
