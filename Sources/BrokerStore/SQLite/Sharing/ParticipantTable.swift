// Who is in which zone. Every question after somebody's rights ends here, and what the writer
// remembers of it is forgotten with each change, so that a right lost a moment ago is lost.

import BrokerCore
import FoundationEssentials
import GRDB
import Records
import SQLiteFile

/// The `participant` table.
struct ParticipantTable {
  let db: Database
  /// What the writer remembers; `nil` for readers.
  let memory: WriterMemory?

  /// Somebody who is in a zone.
  struct Member: Hashable {
    let key: StoreKey
    let id: AccountID
    let participation: StoredParticipation
  }

  // MARK: Rights

  /// What a session's account may do in a zone.
  func access(of identity: SessionIdentity, in zone: StoredZone) throws -> Access {
    guard let key = zone.key else { return .none }
    return try access(
      of: identity.account, identity.accountKey, to: key, owner: zone.id.owner)
  }

  /// What an account may do in a zone.
  func access(
    of account: AccountID, _ accountKey: StoreKey, to zone: StoreKey, owner: AccountID
  ) throws -> Access {
    // NB: nearly everybody reads what is their own, and that asks nothing of the table.
    let participation = account == owner ? nil : try participation(of: accountKey, in: zone)
    return Access(of: account, owner: owner, as: participation)
  }

  /// An account's row in a zone's share.
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

  /// Everybody but the owner who is in a zone, by row.
  func members(of zone: StoreKey) throws -> [Member] {
    guard let memory else { return try readMembers(of: zone) }
    return try memory.members(of: zone) { try readMembers(of: zone) }
  }

  private func readMembers(of zone: StoreKey) throws -> [Member] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT account.key, account.id, role, permission, status
          FROM participant JOIN account ON account.key = participant.account
          WHERE zone = ? AND status = \(Participant.Status.accepted.rawValue) ORDER BY account.key
          """), arguments: [zone]
    ).map { row in
      guard let id = AccountID(bytes: row[1] as Data) else {
        throw StoreError(.damaged, "An account's id has not 16 bytes.")
      }
      return Member(key: row[0], id: id, participation: try Self.participation(row, from: 2))
    }
  }

  static func participation(_ row: Row, from column: Int) throws -> StoredParticipation {
    guard let role = DirectoryEntry.Role(rawValue: row[column]),
      let permission = SharePermission(rawValue: row[column + 1]),
      let status = Participant.Status(rawValue: row[column + 2])
    else { throw StoreError(.damaged, "A participant's row says what nobody knows.") }
    return StoredParticipation(role: role, permission: permission, status: status)
  }

  // MARK: Rows

  /// Everybody's row, who is gone included.
  func all(in zone: StoreKey) throws -> [StoredParticipant] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT \(AccountTable.columns), role, permission, status, changed_at
          FROM participant JOIN account ON account.key = participant.account
          WHERE zone = ? ORDER BY account.key
          """), arguments: [zone]
    ).map { row in
      StoredParticipant(
        account: try AccountTable.account(row, from: 0),
        participation: try Self.participation(row, from: 5),
        changed: Timestamp(microseconds: row[8]))
    }
  }

  /// Sets somebody's row. When a status changes, it changes at `now`.
  func set(
    _ account: StoreKey, _ participation: StoredParticipation, in zone: StoreKey, at now: Timestamp
  ) throws {
    try db.run(
      """
      INSERT INTO participant (zone, account, role, permission, status, changed_at, sequence)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6, coalesce(max(sequence), 0) + 1 FROM participant WHERE zone = ?1
      ON CONFLICT DO UPDATE SET role = excluded.role, permission = excluded.permission,
        changed_at = iif(status = excluded.status, changed_at, excluded.changed_at),
        sequence = iif(status = excluded.status, sequence, excluded.sequence),
        status = excluded.status
      """,
      [
        zone, account, Int64(participation.role.rawValue),
        Int64(participation.permission.rawValue), Int64(participation.status.rawValue),
        now.microseconds,
      ])
    try forgetThoseGone(from: zone)
    memory?.forgetMembers(of: zone)
  }

  /// Of those who are gone only the latest are remembered, and who left is forgotten before anybody who
  /// was removed: a crowd that comes and goes does not let the removed in again.
  private func forgetThoseGone(from zone: StoreKey) throws {
    try db.run(
      """
      DELETE FROM participant WHERE zone = ?1 AND account IN (
        SELECT account FROM participant
        WHERE zone = ?1 AND status > \(Participant.Status.accepted.rawValue)
        ORDER BY status = \(Participant.Status.left.rawValue), sequence DESC
        LIMIT -1 OFFSET \(BrokerLimits.goneParticipantsPerZone))
      """, [zone])
  }

  /// Nobody is in a zone any more, or was.
  func removeAll(from zone: StoreKey) throws {
    try db.run("DELETE FROM participant WHERE zone = ?", [zone])
    memory?.forgetMembers(of: zone)
  }
}
