// Lists and counts of a broker's database, for the operator.

import BrokerCore
import Records
import SQLConnections

/// A table for display.
package struct ArchiveTable: Hashable, Sendable {
  /// The names of the columns, which are also the keys in JSON.
  package let columns: [String]
  /// The rows. Each has as many cells as there are columns.
  package let rows: [[Cell]]

  package init(columns: [String], rows: [[Cell]]) {
    self.columns = columns
    self.rows = rows
  }

  /// A value. A text may consist of digits only, such as an account's name.
  package enum Cell: Hashable, Sendable {
    case number(Int64)
    case text(String)
  }
}

extension RecordArchive {
  /// The files that records refer to, in their newest state or an earlier version. Files without uses are
  /// left out, because they can be deleted at any moment.
  package func assets() throws -> [AssetDigest] {
    try snapshot { db in
      let digests: [[UInt8]] = try db.column(
        "SELECT DISTINCT digest FROM asset WHERE unused_since IS NULL ORDER BY digest")
      return digests.compactMap { AssetDigest(bytes: $0) }
    }
  }

  /// The numbers of accounts, devices, records and so on, in one row. It counts the records of public
  /// databases, but not their zones.
  package func census() throws -> ArchiveTable {
    let counts = try snapshot { db -> [Int64] in
      let row = try db.first(
        """
        SELECT (SELECT count(*) FROM account WHERE name != ''), (SELECT count(*) FROM device),
          (SELECT count(*) FROM zone JOIN account ON account.key = owner
            WHERE is_deleted = 0 AND account.name != ''),
          (SELECT count(*) FROM record WHERE kind = 0),
          (SELECT count(*) FROM record WHERE kind = 1), (SELECT count(*) FROM outcome),
          (SELECT count(*) FROM subscription WHERE state = 0), (SELECT count(*) FROM notification),
          (SELECT count(DISTINCT digest) FROM asset)
        """
      ) { row in (0..<9).map { row[$0] as Int64 } }
      let gaps: Int64? = try db.value(
        "SELECT CAST(coalesce(sum(end_at - start_at), 0) AS bigint) / 1000000 FROM clock_gap")
      return try (row ?? []) + [byteCount(on: db), gaps ?? 0]
    }
    return ArchiveTable(
      columns: [
        "accounts", "devices", "zones", "records", "tombstones", "outcomesKept",
        "subscriptions", "notificationsKept", "files", "bytes", "unwatchedSeconds",
      ], rows: [counts.map { .number($0) }])
  }

  /// The accounts, by name, each with its number of records and the limit.
  package func accounts(recordsMaximum: Int) throws -> ArchiveTable {
    try listing(
      ["name", "id", "state", "devices", "records", "recordsMaximum"],
      """
      SELECT account.name, lower(hex(account.id)),
        CASE WHEN account.is_disabled = 1 THEN 'disabled' ELSE 'enabled' END, count(device.key),
        \(RecordCounts.total), \(recordsMaximum)
      FROM account LEFT JOIN device ON device.account = account.key
      WHERE account.name != '' GROUP BY account.key ORDER BY account.name
      """)
  }

  /// The devices, by account and name, each with the time of its last sign-in.
  package func devices() throws -> ArchiveTable {
    let listing = try listing(
      ["account", "name", "id", "state", "lastConnected"],
      """
      SELECT account.name, device.name, lower(hex(device.id)),
        CASE WHEN device.is_revoked = 1 THEN 'revoked' ELSE 'enabled' END, device.seen_at
      FROM device JOIN account ON account.key = device.account
      ORDER BY account.name, device.name
      """)
    return ArchiveTable(
      columns: listing.columns, rows: listing.rows.map { $0.dropLast() + [Self.time($0.last)] })
  }

  /// A time in whole seconds.
  private static func time(_ cell: ArchiveTable.Cell?) -> ArchiveTable.Cell {
    guard case .number(let microseconds) = cell else { return .text("") }
    return .text("\(Timestamp(microseconds: microseconds / 1_000_000 * 1_000_000))")
  }

  /// The containers, by name, each with its numbers of zones and records.
  package func containers() throws -> ArchiveTable {
    try listing(
      ["name", "zones", "records"],
      """
      SELECT container.name, count(DISTINCT CASE WHEN account.name != '' THEN zone.key END),
        count(record.key)
      FROM container LEFT JOIN zone ON zone.container = container.key AND zone.is_deleted = 0
        LEFT JOIN account ON account.key = zone.owner
        LEFT JOIN record ON record.zone = zone.key AND record.kind = 0
      GROUP BY container.key ORDER BY container.name
      """)
  }

  private func listing(_ columns: [String], _ query: String) throws -> ArchiveTable {
    try snapshot { db in
      ArchiveTable(
        columns: columns,
        rows: try db.rows(query).map { row in
          columns.indices.map { row.cell($0) }
        })
    }
  }
}

extension SQLRow {
  fileprivate func cell(_ column: Int) -> ArchiveTable.Cell {
    switch value(column) {
    case .integer(let number): .number(number)
    case let other: .text(other.text)
    }
  }
}
