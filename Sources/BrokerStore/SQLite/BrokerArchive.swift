// A broker's database as administrators handle it: copied, examined, counted, and given a new
// history after it was put back. All but the last read only, as one moment has the database, and
// run in a process of their own beside a broker that goes on writing.

import FoundationEssentials
import GRDB
import Records
import SQLiteFile

/// A broker's database file.
package struct BrokerArchive: Sendable {
  let path: String

  /// The database at `path`; nothing is opened yet.
  package init(path: String) {
    self.path = path
  }

  /// Copies the database as one moment has it. Costs a reading of the whole file.
  /// - Throws: `StoreError` when it cannot be read or the copy not be written.
  package func copy(to target: String) throws(StoreError) {
    let database = try BrokerSchema.file.openForReading(path: path)
    defer { try? database.close() }
    try SQLiteFile.copy(database, to: target)
  }

  /// What `mend` found and did.
  package struct Mending: Hashable, Sendable {
    /// Whether indexes did not agree with their tables and were made anew.
    package var hasNewIndexes = false
    /// Whether the names of the damaged records can be believed: indexes had the records under them.
    package var namesAreSure = true
    /// The damaged states of records, a sentence each, at most 100.
    package var damaged: [String] = []
    /// How many there are.
    package var damagedCount = 0
  }

  /// Makes a copy of a database usable, as far as that loses nothing: indexes that do not agree with
  /// their tables are made anew. Says which records are damaged; these stay as they are. Reads everything.
  /// To be called on a file that no broker serves.
  /// - Throws: `damaged` where more is.
  package func mend() throws(StoreError) -> Mending {
    try writing {
      try $0.write { db in
        var mending = Mending()
        let indexes = try mendIndexes(db)
        (mending.hasNewIndexes, mending.namesAreSure) = (!indexes.wereSound, indexes.namesAreSure)
        let damaged = try ArchivedStates(db: db).damaged(atMost: .max)
        mending.damagedCount = damaged.count
        mending.damaged = damaged.prefix(100).map(\.sentence)
        return mending
      }
    }
  }

  /// Makes indexes anew where something is wrong.
  /// - Returns: whether nothing was, and whether the indexes as they were confirm the names of damaged
  ///   records.
  /// - Throws: `damaged` where that was not all.
  private func mendIndexes(_ db: Database) throws -> (wereSound: Bool, namesAreSure: Bool) {
    func isSound() throws -> String? {
      let finding = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)")
      return finding == "ok" ? nil : finding ?? "nobody knows how"
    }
    guard try isSound() != nil else { return (true, true) }
    let namesAreSure = (try? ArchivedStates(db: db).areNamesSure()) ?? false
    // A table that cannot be read through, or has a key twice, stops it.
    try? db.execute(sql: "REINDEX")
    if let finding = try isSound() {
      throw StoreError(.damaged, "The database \(path) is damaged: \(finding).")
    }
    return (false, namesAreSure)
  }

  /// Begins a new history in every zone, because what came after this state of the database is
  /// lost: devices read everything again and send what the broker no longer has. Directories rise
  /// above every revision they can have had, so that no device takes an old one for the present.
  /// Damaged states are taken out, and files that are missing are marked, so that devices are asked for
  /// both. To be called on a file that no broker serves, after `mend`.
  /// - Parameters:
  ///   - namesAreSure: whether the names of damaged records can be believed, as `mend` has found.
  ///   - lost: the files that cannot be put back.
  package func beginNewHistory(
    at now: Timestamp, namesAreSure: Bool = true, lost: [AssetDigest] = [],
    using generator: inout some RandomNumberGenerator
  ) throws(StoreError) {
    // Drawn here: a closure cannot take what is passed in and out.
    let leaps = HistoryLeaps(using: &generator)
    try writing { database in
      try database.write { db in
        try db.execute(
          sql: """
            UPDATE zone SET former_incarnation = incarnation, kept_through = head,
              incarnation = randomblob(16)
            """)
        let states = ArchivedStates(db: db)
        for zone in try states.unnamed(in: states.takeOut(at: now), isNamed: namesAreSure) {
          try states.forgetFormerHistory(of: zone)
        }
        try leap(db, by: leaps)
        // A file that nothing named yet is not in the backup; who sent it sends it again.
        try db.execute(sql: "DELETE FROM asset WHERE unused_since IS NOT NULL")
        for digest in lost { _ = try LostAssetTable(db: db).lose(digest, at: now) }
      }
    }
  }

  private func leap(_ db: Database, by leaps: HistoryLeaps) throws {
    try db.execute(
      sql: "UPDATE directory SET revision = revision + ?", arguments: [leaps.directory])
    try db.execute(
      sql: "UPDATE directory_head SET revision = revision + ?1, zones_from = revision + ?1, "
        + "subscriptions_from = revision + ?1",
      arguments: [leaps.directory])
    try db.execute(
      sql: "UPDATE notification_head SET number = number + ?", arguments: [leaps.notifications])
  }

  // MARK: Examining

  /// What is wrong with the database, a sentence each; none when all is well. Reads everything.
  package func findings() throws(StoreError) -> [String] {
    try reading { db in
      var findings = try String.fetchAll(db, sql: "PRAGMA integrity_check(100)")
        .filter { $0 != "ok" }
      // NB: on a damaged file these may not come to an end; what was found is told first.
      guard findings.isEmpty else { return findings }
      for (sentence, query) in Self.promises {
        let count = try Int.fetchOne(db, sql: query) ?? 0
        if count > 0 { findings.append("\(count) \(sentence).") }
      }
      return try findings + ArchivedStates(db: db).damaged(atMost: 100).map(\.sentence)
    }
  }

  /// Takes out what is damaged of records, so that devices send anew what they have of it, and makes
  /// indexes anew where they do not agree with their tables. Returns what was done, a sentence each. To be
  /// called on a file that no broker serves.
  /// - Throws: `damaged` when more is, which only a backup puts right.
  package func repair(at now: Timestamp) throws(StoreError) -> [String] {
    try writing { database in
      try database.write { db in
        let indexes = try mendIndexes(db)
        let states = ArchivedStates(db: db)
        let taken = try states.takeOut(at: now)
        try states.beginNewHistories(behind: taken, isNamed: indexes.namesAreSure)
        return
          (indexes.wereSound ? [] : ["Indexes did not agree with their tables and were made anew."])
          + taken.map(\.sentence)
      }
    }
  }

  private func writing<Result>(
    _ body: (DatabasePool) throws -> Result
  ) throws(StoreError) -> Result {
    let database = try BrokerSchema.file.open(path: path, readers: 1)
    do {
      let result = try body(database)
      try database.close()
      return result
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// What must hold between rows, as queries that count where it does not.
  private static let promises = [
    (
      "records have a revision above their zone's head",
      "SELECT count(*) FROM record JOIN zone ON zone.key = zone WHERE revision > head"
    ),
    (
      "records belong to no zone",
      "SELECT count(*) FROM record LEFT JOIN zone ON zone.key = zone WHERE zone.key IS NULL"
    ),
    (
      "records were written by a device that is not known",
      "SELECT count(*) FROM record LEFT JOIN device ON device.key = modified_device "
        + "WHERE device.key IS NULL"
    ),
    (
      "directory entries are above their directory's revision",
      "SELECT count(*) FROM directory JOIN directory_head USING (container, account) "
        + "WHERE directory.revision > directory_head.revision"
    ),
    (
      "notifications that wait for a device are gone",
      "SELECT count(*) FROM waiting LEFT JOIN notification USING (number) "
        + "WHERE notification.number IS NULL"
    ),
    (
      "notifications are above the highest number",
      "SELECT count(*) FROM notification "
        + "WHERE number > (SELECT notification_head.number FROM notification_head)"
    ),
    (
      "accounts are in a zone that is not shared, or is their own",
      "SELECT count(*) FROM participant LEFT JOIN share USING (zone) "
        + "LEFT JOIN zone ON zone.key = participant.zone "
        + "WHERE status < 2 AND (share.zone IS NULL OR zone.is_deleted OR zone.owner = account)"
    ),
    (
      "links or requests belong to no zone",
      "SELECT count(*) FROM (SELECT zone FROM share_link UNION ALL SELECT zone FROM access_request "
        + "UNION ALL SELECT zone FROM share) AS what LEFT JOIN zone ON zone.key = what.zone "
        + "WHERE zone.key IS NULL"
    ),
    (
      "references belong to records that are gone",
      "SELECT count(*) FROM reference JOIN zone ON zone.key = reference.zone "
        + "LEFT JOIN record ON record.zone = reference.zone AND record.name = child "
        + "WHERE is_deleted = 0 AND (record.key IS NULL OR kind = 1)"
    ),
    (
      "records name a file that no account has",
      "SELECT count(*) FROM asset_use LEFT JOIN asset USING (digest) WHERE asset.digest IS NULL"
    ),
  ]

  /// The files that records name, now or in their past, as the database has them. Those that nothing
  /// names may go at any moment.
  package func assets() throws(StoreError) -> [AssetDigest] {
    try reading { db in
      try Data.fetchAll(
        db, sql: "SELECT DISTINCT digest FROM asset WHERE unused_since IS NULL ORDER BY digest"
      )
      .compactMap { AssetDigest(bytes: $0) }
    }
  }

  // MARK: Counting

  /// A table that people read: names of columns, and rows under them.
  package struct Listing: Hashable, Sendable {
    /// What the columns hold; keys of the rows in JSON.
    package let columns: [String]
    /// The rows, as long as `columns` each.
    package let rows: [[Cell]]

    /// A value: a count, or a text, which may consist of digits.
    package enum Cell: Hashable, Sendable {
      case number(Int64)
      case text(String)
    }
  }

  /// How much there is of everything; the public databases' zones are not counted, their records are.
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

  /// The accounts, by name, with how many records they have of those they may have.
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

  /// The devices, by account and name, with when they were here last.
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

  /// The applications' namespaces, by name.
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

  private func reading<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
    let database = try BrokerSchema.file.openForReading(path: path)
    defer { try? database.close() }
    do {
      return try database.read(body)
    } catch {
      throw StoreError(error, path: path)
    }
  }
}

/// How far numbers rise that devices remember, when a backup is put back. At random: a device may have met
/// the same backup before, and would take what has come since for what it knows.
private struct HistoryLeaps {
  /// A multiple of more changes than an account's directory sees between two backups.
  let directory: Int64
  /// More notifications than there are; a few together stay below `BrokerLimits.notificationLead`.
  let notifications: Int64

  init(using generator: inout some RandomNumberGenerator) {
    directory = .random(in: 1...1 << 20, using: &generator) << 32
    notifications = 1 << 31 + .random(in: 0..<1 << 30, using: &generator)
  }
}
