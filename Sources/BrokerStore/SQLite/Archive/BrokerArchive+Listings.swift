// Lists and counts of a broker's database, for the operator.

import FoundationEssentials
import GRDB
import Records
import SQLiteFile

extension BrokerArchive {
  /// The files that records refer to, in their newest state or an earlier version. Files without uses are
  /// left out, because they can be deleted at any moment.
  package func assets() throws(StoreError) -> [AssetDigest] {
    try reading { db in
      try Data.fetchAll(
        db, sql: "SELECT DISTINCT digest FROM asset WHERE unused_since IS NULL ORDER BY digest"
      )
      .compactMap { AssetDigest(bytes: $0) }
    }
  }

  /// A table for display.
  package struct Listing: Hashable, Sendable {
    /// The names of the columns, which are also the keys in JSON.
    package let columns: [String]
    /// The rows. Each has as many cells as there are columns.
    package let rows: [[Cell]]

    /// A value. A text may consist of digits only, such as an account's name.
    package enum Cell: Hashable, Sendable {
      case number(Int64)
      case text(String)
    }
  }

  /// The numbers of accounts, devices, records and so on, in one row. It counts the records of public
  /// databases, but not their zones.
  package func census() throws(StoreError) -> Listing {
    try listing(
      [
        "accounts", "devices", "zones", "records", "tombstones", "outcomesKept",
        "subscriptions", "notificationsKept", "files", "bytes", "unwatchedSeconds",
      ],
      """
      SELECT (SELECT count(*) FROM account WHERE name != ''), (SELECT count(*) FROM device),
        (SELECT count(*) FROM zone JOIN account ON account.key = owner
          WHERE is_deleted = 0 AND account.name != ''),
        (SELECT count(*) FROM record WHERE kind = 0),
        (SELECT count(*) FROM record WHERE kind = 1), (SELECT count(*) FROM outcome),
        (SELECT count(*) FROM subscription WHERE state = 0), (SELECT count(*) FROM notification),
        (SELECT count(DISTINCT digest) FROM asset),
        (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size),
        (SELECT coalesce(sum(end_at - start_at), 0) / 1000000 FROM clock_gap)
      """)
  }

  /// The accounts, by name, each with its number of records and the limit.
  package func accounts(recordsMaximum: Int) throws(StoreError) -> Listing {
    try listing(
      ["name", "id", "state", "devices", "records", "recordsMaximum"],
      """
      SELECT account.name, lower(hex(account.id)),
        iif(account.is_disabled, 'disabled', 'enabled'), count(device.key),
        \(RecordCounts.total), \(recordsMaximum)
      FROM account LEFT JOIN device ON device.account = account.key
      WHERE account.name != '' GROUP BY account.key ORDER BY account.name
      """)
  }

  /// The devices, by account and name, each with the time of its last sign-in.
  package func devices() throws(StoreError) -> Listing {
    try listing(
      ["account", "name", "id", "state", "lastSeen"],
      """
      SELECT account.name, device.name, lower(hex(device.id)),
        iif(device.is_revoked, 'revoked', 'enabled'),
        strftime('%Y-%m-%dT%H:%M:%SZ', device.seen_at / 1000000, 'unixepoch')
      FROM device JOIN account ON account.key = device.account
      ORDER BY account.name, device.name
      """)
  }

  /// The containers, by name, each with its numbers of zones and records.
  package func containers() throws(StoreError) -> Listing {
    try listing(
      ["name", "zones", "records"],
      """
      SELECT container.name, count(DISTINCT iif(account.name != '', zone.key, NULL)),
        count(record.key)
      FROM container LEFT JOIN zone ON zone.container = container.key AND zone.is_deleted = 0
        LEFT JOIN account ON account.key = zone.owner
        LEFT JOIN record ON record.zone = zone.key AND record.kind = 0
      GROUP BY container.key ORDER BY container.name
      """)
  }

  private func listing(_ columns: [String], _ query: String) throws(StoreError) -> Listing {
    try reading { db in
      let rows: [[Listing.Cell]] = try Row.fetchAll(db, sql: query).map { row in
        Array(row.databaseValues).map { value -> Listing.Cell in
          Int64.fromDatabaseValue(value).map(Listing.Cell.number)
            ?? .text(String.fromDatabaseValue(value) ?? "")
        }
      }
      return Listing(columns: columns, rows: rows)
    }
  }
}
