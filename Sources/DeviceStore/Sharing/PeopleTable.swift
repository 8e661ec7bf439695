// The participants of a group and the requests for access to it, from the directory. The names of former participants
// are retained, because records contain their changes. The user is notified once of each request, even if the
// directory contains it several times: when it is new, and when the account asks again. Of each new participant, the
// user is notified once too.

import GRDB
import Records
import SQLiteFile

/// The `zone_member` and `access_request` tables.
enum PeopleTable {
  /// Replaces the participants of a zone.
  /// - Returns: the participants that were none before.
  static func keep(
    _ members: [ZoneMember], in zone: ZoneRow, _ db: Database
  ) throws -> [ZoneMember] {
    let present = try self.members(of: zone.key, db)
    try db.run("UPDATE zone_member SET present = 0 WHERE zone = ?", [zone.key])
    for member in members {
      try db.run(
        """
        INSERT OR REPLACE INTO zone_member (zone, account, name, display_name, present)
        VALUES (?, ?, ?, ?, 1)
        """, [zone.key, member.account.column, member.name, member.displayName])
    }
    // The number of retained former participants is the maximum number of participants.
    try db.run(
      """
      DELETE FROM zone_member WHERE zone = ?1 AND present = 0 AND account NOT IN (
        SELECT account FROM zone_member WHERE zone = ?1 AND present = 0
        ORDER BY account LIMIT \(Limits.participantsPerShare))
      """, [zone.key])
    return members.filter { !present.contains($0.account) }
  }

  /// The present participants of a zone.
  static func members(of zone: Int64, _ db: Database) throws -> [AccountID] {
    try db.rows(
      "SELECT account FROM zone_member WHERE zone = ? AND present = 1", [zone]
    ).compactMap { AccountID(column: $0["account"]) }
  }

  /// Replaces the requests for access to a zone.
  /// - Returns: the new requests.
  static func keep(
    _ requests: [AccessRequest], for zone: ZoneRow, _ db: Database
  ) throws -> [AccessRequest] {
    let known = try self.requests(for: zone.key, db)
    guard known != requests else { return [] }
    try db.run("DELETE FROM access_request WHERE zone = ?", [zone.key])
    for request in requests {
      try db.run(
        """
        INSERT INTO access_request (zone, account, name, display_name, asked, standing)
        VALUES (?, ?, ?, ?, ?, ?)
        """,
        [
          zone.key, request.account.column, request.name, request.displayName,
          request.asked.microseconds, Int64(request.standing.rawValue),
        ])
    }
    return requests.filter { request in
      request.standing == .waiting
        && !known.contains {
          $0.account == request.account && $0.standing == .waiting && $0.asked == request.asked
        }
    }
  }

  /// Returns the requests for access to a zone, oldest first.
  static func requests(for zone: Int64, _ db: Database) throws -> [AccessRequest] {
    try db.rows(
      "SELECT * FROM access_request WHERE zone = ? ORDER BY asked, account", [zone]
    ).compactMap { row in
      guard let account = AccountID(column: row["account"]),
        let standing = AccessRequest.Standing(rawValue: UInt8(clamping: row["standing"] as Int))
      else { return nil }
      return AccessRequest(
        account: account, name: row["name"], displayName: row["display_name"],
        asked: Timestamp(microseconds: row["asked"]), standing: standing)
    }
  }

  /// Returns all accounts whose names this device knows. One account can be in the list several times; the last name
  /// is the newest.
  static func names(_ db: Database) throws -> [ZoneMember] {
    let rows = try db.rows(
      """
      SELECT account, name, display_name, 0 AS is_owner FROM zone_member
      UNION SELECT owner, owner_name, owner_display_name, 1 FROM zone
        WHERE owner <> zeroblob(16) AND owner_name <> ''
      """)
    // What the directory says of an account comes last, because it is newer.
    return try AccountNameTable.names(db)
      + rows.compactMap { row in
        AccountID(column: row["account"]).map {
          ZoneMember(account: $0, name: row["name"], displayName: row["display_name"])
        }
      }
  }
}

extension DeviceReader {
  /// Returns the requests for access to a group that this account manages, as last received from the broker, oldest
  /// first.
  package func requests(for zone: ZoneID) throws -> [AccessRequest] {
    try database.read { db in
      guard let row = try ZoneRow.load(db, zone) else { return [] }
      return try PeopleTable.requests(for: row.key, db)
    }
  }

  /// Returns the accounts whose names this device knows: the participants and owners of its groups, and discoverable
  /// accounts that wrote public records. Of several names of one account, the last is the newest.
  package func people() throws -> [ZoneMember] {
    try database.read { try PeopleTable.names($0) }
  }

  /// Returns the display name of this account; empty before the broker sent it.
  package func ownDisplayName() throws -> String {
    try database.read { try ZoneRow.load($0, .standard)?.ownerDisplayName ?? "" }
  }
}
