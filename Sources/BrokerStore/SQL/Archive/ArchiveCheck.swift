// Integrity checks of a broker's database.

import BrokerCore
import Records
import SQLConnections

extension RecordArchive {
  /// The faults of the database, a sentence each; empty for a sound database. Reads all of it.
  package func findings() throws -> [String] {
    try snapshot { db in
      var findings = try faults(on: db)
      // NB: on a damaged file the queries below may never end, so the database's findings are returned alone.
      guard findings.isEmpty else { return findings }
      for (sentence, query) in ArchiveInvariants.all {
        let count: Int = try db.value(query) ?? 0
        if count > 0 { findings.append("\(count) \(sentence).") }
      }
      return try findings + DamagedRecords(db: db).damaged(atMost: 100).map(\.sentence)
    }
  }
}

/// Invariants between rows.
private enum ArchiveInvariants {
  /// A sentence about violations, and a query that counts them, for each.
  static let all = [
    (
      "records have a higher revision than their zone",
      "SELECT count(*) FROM record JOIN zone ON zone.key = zone WHERE revision > head"
    ),
    (
      "records belong to no zone",
      "SELECT count(*) FROM record LEFT JOIN zone ON zone.key = zone WHERE zone.key IS NULL"
    ),
    (
      "records were written by an unknown device",
      "SELECT count(*) FROM record LEFT JOIN device ON device.key = modified_device "
        + "WHERE device.key IS NULL"
    ),
    (
      "directory entries have a higher revision than their directory",
      "SELECT count(*) FROM directory JOIN directory_head USING (container, account) "
        + "WHERE directory.revision > directory_head.revision"
    ),
    (
      "pending deliveries belong to no notification",
      "SELECT count(*) FROM waiting LEFT JOIN notification USING (number) "
        + "WHERE notification.number IS NULL"
    ),
    (
      "notifications have a number that was not assigned yet",
      "SELECT count(*) FROM notification "
        + "WHERE number > (SELECT notification_head.number FROM notification_head)"
    ),
    (
      "participants belong to a zone that is not shared, or that they own",
      "SELECT count(*) FROM participant LEFT JOIN share USING (zone) "
        + "LEFT JOIN zone ON zone.key = participant.zone "
        + "WHERE status < 2 AND (share.zone IS NULL OR zone.is_deleted = 1 OR zone.owner = account)"
    ),
    (
      "shares, links or access requests belong to no zone",
      "SELECT count(*) FROM (SELECT zone FROM share_link UNION ALL SELECT zone FROM access_request "
        + "UNION ALL SELECT zone FROM share) AS what LEFT JOIN zone ON zone.key = what.zone "
        + "WHERE zone.key IS NULL"
    ),
    (
      "references belong to deleted records",
      "SELECT count(*) FROM reference JOIN zone ON zone.key = reference.zone "
        + "LEFT JOIN record ON record.zone = reference.zone AND record.name = child "
        + "WHERE is_deleted = 0 AND (record.key IS NULL OR kind = 1)"
    ),
    (
      "record versions refer to a file that no account has",
      "SELECT count(*) FROM asset_use LEFT JOIN asset USING (digest) WHERE asset.digest IS NULL"
    ),
  ]
}
