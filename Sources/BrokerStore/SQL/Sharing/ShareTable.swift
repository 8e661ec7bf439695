// Shares, share links and access requests of zones.

import BrokerCore
import FoundationEssentials
import Records
import SQLConnections

/// The `share`, `share_link` and `access_request` tables.
struct ShareTable {
  let db: any SQLConnection

  // MARK: Shares

  /// Returns the permission of accounts that join with the share link; `nil` if the zone is not shared.
  func publicPermission(of zone: StoreKey) throws -> SharePermission? {
    let stored = try db.first("SELECT public_permission FROM share WHERE zone = ?", [zone]) {
      $0[0] as UInt8
    }
    guard let stored else { return nil }
    guard let permission = SharePermission(rawValue: stored) else {
      throw StoreError(.damaged, "A share has an unknown permission.")
    }
    return permission
  }

  /// Whether anyone who has the zone's link can join, as SQL. Directories do not change when a link expires or has been
  /// used as often as allowed, so it counts as open until it is revoked.
  static func isOpen(_ zone: String) -> String {
    """
    EXISTS (SELECT 1 FROM share JOIN share_link ON share_link.zone = share.zone
      WHERE share.zone = \(zone) AND is_revoked = 0
        AND public_permission <> \(SharePermission.none.rawValue))
    """
  }

  /// Whether anyone who has the zone's link can join.
  func isOpen(_ zone: StoreKey) throws -> Bool {
    try db.first("SELECT \(Self.isOpen("?"))", [zone]) { $0[0] } ?? false
  }

  /// Shares a zone, or changes the permission of accounts that join with the share link.
  func set(_ permission: SharePermission, of zone: StoreKey, at now: Timestamp) throws {
    try db.run(
      """
      INSERT INTO share (zone, public_permission, created_at) VALUES (?, ?, ?)
      ON CONFLICT (zone) DO UPDATE SET public_permission = excluded.public_permission
      """, [zone, Int64(permission.rawValue), now.microseconds])
  }

  /// Ends a share. Revokes its links and deletes its access requests, except those of blocked accounts.
  func end(_ zone: StoreKey) throws {
    try db.run("DELETE FROM share WHERE zone = ?", [zone])
    try revokeLinks(of: zone)
    try db.run(
      "DELETE FROM access_request WHERE zone = ? AND standing != ?",
      [zone, Int64(AccessRequest.Standing.blocked.rawValue)])
  }

  // MARK: Links

  private static let columns = "key, digest, expires_at, uses_left, is_revoked"

  /// Returns the newest link of a zone, which may be revoked, expired or used up.
  func latestLink(of zone: StoreKey) throws -> StoredLink? {
    try db.first(
      "SELECT \(Self.columns) FROM share_link WHERE zone = ? ORDER BY key DESC LIMIT 1", [zone],
      decode: Self.link)
  }

  /// Returns the link whose secret has this SHA-256 digest, and its zone.
  func link(_ digest: [UInt8]) throws -> (link: StoredLink, zone: StoreKey)? {
    try db.first(
      "SELECT \(Self.columns), zone FROM share_link WHERE digest = ?", [digest]
    ) { (link: Self.link(of: $0), zone: $0[5]) }
  }

  private static func link(of row: SQLRow) -> StoredLink {
    let digest: [UInt8] = row[1]
    let expires: Int64? = row[2]
    return StoredLink(
      key: row[0], digest: digest,
      expires: expires.map { Timestamp(microseconds: $0) }, usesLeft: row[3], isRevoked: row[4])
  }

  /// Adds a link and revokes the others. Deletes the oldest beyond `linksPerZone`.
  func replaceLink(of zone: StoreKey, by form: LinkForm, at now: Timestamp) throws {
    try revokeLinks(of: zone)
    try db.run(
      """
      INSERT INTO share_link (zone, digest, expires_at, uses_left, created_at)
      VALUES (?, ?, ?, ?, ?)
      """,
      [zone, form.digest, form.expires?.microseconds, form.uses, now.microseconds])
    try db.run(
      """
      DELETE FROM share_link WHERE key IN (
        SELECT key FROM share_link WHERE zone = ? ORDER BY key DESC
        LIMIT \(Int64.max) OFFSET \(BrokerLimits.linksPerZone))
      """, [zone])
  }

  func revokeLinks(of zone: StoreKey) throws {
    try db.run("UPDATE share_link SET is_revoked = 1 WHERE zone = ?", [zone])
  }

  /// Counts one use of a link whose number of uses is limited.
  func countUse(of link: StoreKey) throws {
    try db.run("UPDATE share_link SET uses_left = uses_left - 1 WHERE key = ?", [link])
  }

  // MARK: Requests

  /// Returns the access requests of a zone, the oldest first, denied and blocked ones included.
  func requests(in zone: StoreKey) throws -> [StoredAccessRequest] {
    try db.rows(
      """
      SELECT \(AccountTable.columns), asked_at, standing
      FROM access_request JOIN account ON account.key = access_request.account
      WHERE zone = ? ORDER BY asked_at
      """, [zone]
    ).map { row in
      guard let standing = AccessRequest.Standing(rawValue: row[6]) else {
        throw StoreError(.damaged, "An access request has an unknown state.")
      }
      return StoredAccessRequest(
        account: try AccountTable.account(row, from: 0), asked: Timestamp(microseconds: row[5]),
        standing: standing)
    }
  }

  /// Inserts an access request or changes its state. The date changes only if the account asks again.
  /// Of denied and blocked requests the latest `deniedRequestsPerZone` are retained; denied ones are
  /// deleted first.
  func setRequest(
    of account: StoreKey, _ standing: AccessRequest.Standing, in zone: StoreKey, at now: Timestamp
  ) throws {
    try db.run(
      """
      INSERT INTO access_request (zone, account, asked_at, standing) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (zone, account) DO UPDATE SET standing = excluded.standing,
        asked_at = CASE WHEN excluded.standing = 0
          THEN excluded.asked_at ELSE access_request.asked_at END
      """, [zone, account, now.microseconds, Int64(standing.rawValue)])
    try db.run(
      """
      DELETE FROM access_request WHERE zone = ?1 AND account IN (
        SELECT account FROM access_request WHERE zone = ?1 AND standing != 0
        ORDER BY standing DESC, asked_at DESC LIMIT \(Int64.max) OFFSET \(BrokerLimits.deniedRequestsPerZone))
      """, [zone])
  }

  func deleteRequest(of account: StoreKey, in zone: StoreKey) throws {
    try db.run(
      "DELETE FROM access_request WHERE zone = ? AND account = ?", [zone, account])
  }
}
