import BrokerCore
import Records
import SQLConnections

extension SQLTransaction {
  /// Deletes an account: deletes its zones, which cannot be restored, and its subscriptions, leaves the zones
  /// shared with it, revokes its devices and frees its name. Its public records follow in steps, see
  /// `DeletedCreatorTable`. The rows of the account and its devices remain, because other accounts' records
  /// refer to their author; of personal data they retain the IDs only.
  func delete(_ account: StoredAccount, at now: Timestamp) throws -> CommitEffects {
    var effects = CommitEffects()
    for (zone, container) in try ownZones(of: account) {
      guard let key = zone.key else { continue }
      var deleted = zone
      deleted.isDeleted = true
      deleted.deletedAt = nil
      if zone.isDeleted {
        try zones.update(deleted, key: key, container: container)
      } else {
        effects.add(try delete(deleted, key: key, container: container))
      }
    }
    for (zone, container) in try zonesSharedWith(account) {
      guard let key = zone.key else { continue }
      let left = StoredParticipation(role: .member, permission: .none, status: .left)
      effects.add(
        try reportingMemberChanges(of: zone, key: key, container: container) {
          try participants.set(account.key, left, in: key, head: zone.head, at: now)
        })
    }
    try DeletedCreatorTable(transaction: self).insert(account.key)
    for (zone, container) in try zonesRequested(by: account) {
      guard let key = zone.key else { continue }
      effects.add(
        try reportingMemberChanges(of: zone, key: key, container: container) {
          try shares.deleteRequest(of: account.key, in: key)
        })
    }
    for owner in try subscriptionOwners(of: account) {
      effects.add(
        try deactivate(subscriptions.activeRows(of: owner), as: .deleted, of: owner))
    }
    try db.run("UPDATE device SET is_revoked = 1, name = '' WHERE account = ?", [account.key])
    try db.run("DELETE FROM credential WHERE account = ?", [account.key])
    try invitations.delete(of: account.key)
    try db.run(
      """
      UPDATE account SET name = '\(AccountNameRules.deletedPrefix)' || lower(hex(id)), display_name = '',
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

  /// Returns the zones the account has requested access to. Their owners and administrators see the request.
  private func zonesRequested(
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
    try db.rows(query, [account.key]).compactMap { row in
      let container: StoreKey = row[1]
      return try zones.zone(at: row[0], container: container).map { ($0, container) }
    }
  }

  private func subscriptionOwners(of account: StoredAccount) throws -> [SubscriptionBook.Owner] {
    try
      (db.column(
        "SELECT DISTINCT container FROM subscription WHERE account = ? AND state = 0", [account.key]
      ) as [StoreKey]).map { SubscriptionBook.Owner(container: $0, account: account.key) }
  }
}
