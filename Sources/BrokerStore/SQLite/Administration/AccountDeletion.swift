// An account goes: what it shared ends, what others share with it is left, its zones are deleted like
// any zone, its devices sign in no more, and its name is free. What it made in public databases follows
// (`LeaverTable`). Its row and those of its devices stay, because records of others say who wrote them;
// they keep nothing but their ids.

import BrokerCore
import GRDB
import Records
import SQLiteFile

extension SQLiteTransaction {
  /// Deletes an account. Returns who must hear of it.
  func delete(_ account: StoredAccount, at now: Timestamp) throws -> CommitEffects {
    var effects = CommitEffects()
    for (zone, container) in try ownZones(of: account) where !zone.isDeleted {
      guard let key = zone.key else { continue }
      var gone = zone
      gone.isDeleted = true
      effects.add(try delete(gone, key: key, container: container))
    }
    for (zone, container) in try zonesSharedWith(account) {
      guard let key = zone.key else { continue }
      let left = StoredParticipation(role: .member, permission: .none, status: .left)
      effects.add(
        try changingMembers(of: zone, key: key, container: container) {
          try participants.set(account.key, left, in: key, at: now)
        })
    }
    try LeaverTable(transaction: self).enter(account.key)
    for (zone, container) in try zonesAskedFor(by: account) {
      guard let key = zone.key else { continue }
      effects.add(
        try changingMembers(of: zone, key: key, container: container) {
          try db.run(
            "DELETE FROM access_request WHERE zone = ? AND account = ?", [key, account.key])
        })
    }
    for owner in try subscribers(of: account) {
      effects.add(try retire(subscriptions.inForce(of: owner), to: .deleted, of: owner))
    }
    try db.run("UPDATE device SET is_revoked = 1, name = '' WHERE account = ?", [account.key])
    try db.run("DELETE FROM credential WHERE account = ?", [account.key])
    try db.run(
      """
      UPDATE account SET name = '\(AccountName.deletedPrefix)' || lower(hex(id)), display_name = '',
        is_discoverable = 0, is_disabled = 1 WHERE key = ?
      """, [account.key])
    return effects
  }

  private func ownZones(
    of account: StoredAccount
  ) throws -> [(zone: StoredZone, container: StoreKey)] {
    try zones(where: "SELECT key, container FROM zone WHERE owner = ?", of: account)
  }

  private func zonesSharedWith(
    _ account: StoredAccount
  ) throws -> [(zone: StoredZone, container: StoreKey)] {
    try zones(
      where: """
        SELECT zone.key, container FROM participant JOIN zone ON zone.key = participant.zone
        WHERE participant.account = ? AND status < \(Participant.Status.removed.rawValue)
        """, of: account)
  }

  /// Those whose managers are told that it asks to be let in.
  private func zonesAskedFor(
    by account: StoredAccount
  ) throws -> [(zone: StoredZone, container: StoreKey)] {
    try zones(
      where: """
        SELECT zone.key, container FROM access_request JOIN zone ON zone.key = access_request.zone
        WHERE account = ?
        """, of: account)
  }

  private func zones(
    where query: String, of account: StoredAccount
  ) throws -> [(zone: StoredZone, container: StoreKey)] {
    try Row.fetchAll(db, sql: query, arguments: [account.key]).compactMap { row in
      let container: StoreKey = row[1]
      return try zones.zone(at: row[0], container: container).map { ($0, container) }
    }
  }

  private func subscribers(of account: StoredAccount) throws -> [SubscriptionBook.Owner] {
    try StoreKey.fetchAll(
      db, sql: "SELECT DISTINCT container FROM subscription WHERE account = ? AND state = 0",
      arguments: [account.key]
    ).map { SubscriptionBook.Owner(container: $0, account: account.key) }
  }
}
