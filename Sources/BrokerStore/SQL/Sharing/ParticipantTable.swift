// Accounts' roles and permissions in shared zones. Every permission check ends here. The writer caches the
// members of a zone and drops them with each change, so a revoked permission ends with its own transaction.

import BrokerCore
import Records
import SQLConnections

/// The `participant` table.
struct ParticipantTable {
  let db: any SQLConnection
  /// The writer's cache; `nil` for readers, which query the table each time.
  let memory: WriterMemory?

  /// A participant that accepted its invitation.
  struct Member: Hashable {
    let key: StoreKey
    let id: AccountID
    let participation: StoredParticipation
  }

  // MARK: Permissions

  /// Returns the permissions of a session's account in a zone.
  func access(of identity: SessionIdentity, in zone: StoredZone) throws -> Access {
    guard let key = zone.key else { return .none }
    return try access(
      of: identity.account, identity.accountKey, to: key, owner: zone.id.owner)
  }

  /// Returns the permissions of an account in a zone.
  func access(
    of account: AccountID, _ accountKey: StoreKey, to zone: StoreKey, owner: AccountID
  ) throws -> Access {
    // NB: most accesses are to an account's own zones; they need no query.
    let participation = account == owner ? nil : try participation(of: accountKey, in: zone)
    return Access(of: account, owner: owner, as: participation)
  }

  /// Returns the role, permission and status of an account in a zone's share; `nil` if it has none. The
  /// writer finds accepted participants only.
  func participation(
    of account: StoreKey, in zone: StoreKey
  ) throws -> StoredParticipation? {
    if memory != nil {
      return try members(of: zone).first { $0.key == account }?.participation
    }
    return try db.first(
      "SELECT role, permission, status FROM participant WHERE zone = ? AND account = ?",
      [zone, account]
    ) { try Self.participation($0, from: 0) }
  }

  /// Returns the head of a zone when a session's account joined it last: of each record, the account sees the state of
  /// that time and all later ones. The owner sees everything.
  func joiningRevision(of identity: SessionIdentity, in zone: StoredZone) throws -> Revision {
    guard identity.account != zone.id.owner, let key = zone.key else { return .zero }
    let revision: Int64? = try db.first(
      "SELECT joined_revision FROM participant WHERE zone = ? AND account = ?",
      [key, identity.accountKey]
    ) { $0[0] }
    return revision.map { Revision($0) } ?? zone.head
  }

  /// Whether an account was a participant of a zone and left it itself.
  func hasLeft(_ account: StoreKey, _ zone: StoreKey) throws -> Bool {
    try db.first(
      "SELECT status FROM participant WHERE zone = ? AND account = ?", [zone, account]
    ) { $0[0] as Int64 } == Int64(Participant.Status.left.rawValue)
  }

  /// Returns the participants of a zone that accepted, without the owner, in order of their keys.
  func members(of zone: StoreKey) throws -> [Member] {
    guard let memory else { return try readMembers(of: zone) }
    return try memory.members(of: zone) { try readMembers(of: zone) }
  }

  private func readMembers(of zone: StoreKey) throws -> [Member] {
    try db.rows(
      """
      SELECT account.key, account.id, role, permission, status
      FROM participant JOIN account ON account.key = participant.account
      WHERE zone = ? AND status = \(Participant.Status.accepted.rawValue) ORDER BY account.key
      """, [zone]
    ).map { row in
      guard let id = AccountID(bytes: row[1] as [UInt8]) else {
        throw StoreError(.damaged, "An account ID does not have 16 bytes.")
      }
      return Member(key: row[0], id: id, participation: try Self.participation(row, from: 2))
    }
  }

  /// Decodes `role, permission, status`, starting at a column.
  static func participation(_ row: SQLRow, from column: Int) throws -> StoredParticipation {
    guard let role = DirectoryEntry.Role(rawValue: row[column]),
      let permission = SharePermission(rawValue: row[column + 1]),
      let status = Participant.Status(rawValue: row[column + 2])
    else {
      throw StoreError(.damaged, "A participant has an unknown role, permission or status.")
    }
    return StoredParticipation(role: role, permission: permission, status: status)
  }

  // MARK: Rows

  /// Returns all participants of a zone, including those that were invited, were removed or left.
  func all(in zone: StoreKey) throws -> [StoredParticipant] {
    try db.rows(
      """
      SELECT \(AccountTable.columns), role, permission, status, changed_at
      FROM participant JOIN account ON account.key = participant.account
      WHERE zone = ? ORDER BY account.key
      """, [zone]
    ).map { row in
      StoredParticipant(
        account: try AccountTable.account(row, from: 0),
        participation: try Self.participation(row, from: 5),
        changed: Timestamp(microseconds: row[8]))
    }
  }

  /// Inserts or replaces an account's participation. The date, the sequence number and the revision, which is the zone's
  /// head, change only if the status does.
  func set(
    _ account: StoreKey, _ participation: StoredParticipation, in zone: StoreKey,
    head: Revision, at now: Timestamp
  ) throws {
    try db.run(
      """
      INSERT INTO participant
        (zone, account, role, permission, status, changed_at, joined_revision, sequence)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, coalesce(max(sequence), 0) + 1
        FROM participant WHERE zone = ?1
      ON CONFLICT (zone, account) DO UPDATE
        SET role = excluded.role, permission = excluded.permission,
        changed_at = CASE WHEN participant.status = excluded.status
          THEN participant.changed_at ELSE excluded.changed_at END,
        sequence = CASE WHEN participant.status = excluded.status
          THEN participant.sequence ELSE excluded.sequence END,
        joined_revision = CASE WHEN participant.status = excluded.status
          THEN participant.joined_revision ELSE excluded.joined_revision END,
        status = excluded.status
      """,
      [
        zone, account, Int64(participation.role.rawValue),
        Int64(participation.permission.rawValue), Int64(participation.status.rawValue),
        now.microseconds, head.value,
      ])
    try deleteOldestFormerParticipants(of: zone)
    memory?.invalidateMembers(of: zone)
  }

  /// Retains the latest `formerParticipantsPerZone` participants that left or were removed. Those that left
  /// are deleted first: accounts that join and leave in large numbers must not displace a removed
  /// participant, which could then join again through the public link.
  private func deleteOldestFormerParticipants(of zone: StoreKey) throws {
    try db.run(
      """
      DELETE FROM participant WHERE zone = ?1 AND account IN (
        SELECT account FROM participant
        WHERE zone = ?1 AND status > \(Participant.Status.accepted.rawValue)
        ORDER BY status = \(Participant.Status.left.rawValue), sequence DESC
        LIMIT \(Int64.max) OFFSET \(BrokerLimits.formerParticipantsPerZone))
      """, [zone])
  }

  /// Deletes all participants of a zone, former ones included.
  func deleteAll(of zone: StoreKey) throws {
    try db.run("DELETE FROM participant WHERE zone = ?", [zone])
    memory?.invalidateMembers(of: zone)
  }
}
