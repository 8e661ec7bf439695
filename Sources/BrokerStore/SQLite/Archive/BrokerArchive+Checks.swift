// Integrity checks of a broker's database, and the repair of what they find.

import FoundationEssentials
import GRDB
import Records
import SQLiteFile

extension BrokerArchive {
  /// The faults of the database, a sentence each; empty for a sound database. Reads the whole file.
  package func findings() throws(StoreError) -> [String] {
    try reading { db in
      var findings = try String.fetchAll(db, sql: "PRAGMA integrity_check(100)")
        .filter { $0 != "ok" }
      // NB: on a damaged file the queries below may never end, so SQLite's findings are returned alone.
      guard findings.isEmpty else { return findings }
      for (sentence, query) in Self.invariants {
        let count = try Int.fetchOne(db, sql: query) ?? 0
        if count > 0 { findings.append("\(count) \(sentence).") }
      }
      return try findings + DamagedRecords(database: db).damaged(atMost: 100).map(\.sentence)
    }
  }

  /// Replaces damaged record states by tombstones, so that devices send their copies again, and rebuilds
  /// indexes that disagree with their tables. Returns the changes made, a sentence each. Must be called on a
  /// file that no broker has open.
  /// - Throws: `damaged`, if more is damaged; then only a backup helps.
  package func repair(at now: Timestamp) throws(StoreError) -> [String] {
    try writing { database in
      try database.write { db in
        let indexes = try rebuildIndexes(db)
        let damagedRecords = DamagedRecords(database: db)
        let removed = try damagedRecords.remove(at: now)
        try damagedRecords.beginNewHistories(
          after: removed, namesAreReliable: indexes.namesAreReliable)
        return
          (indexes.wereSound ? [] : ["Indexes that did not match their tables were rebuilt."])
          + removed.map(\.sentence)
      }
    }
  }

  /// The invariants between rows: a sentence about violations, and a query that counts them.
  private static let invariants = [
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
        + "WHERE status < 2 AND (share.zone IS NULL OR zone.is_deleted OR zone.owner = account)"
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
