import BrokerCore
import Records
import SQLConnections

extension SQLTransaction {
  /// Updates the directories that show the account's name, after the name changed: those of the account's
  /// own devices, and those of all accounts that share a zone with it. Accounts beyond the transaction's
  /// budget follow in deferred jobs.
  func announceName(of identity: SessionIdentity) throws -> CommitEffects {
    var effects = CommitEffects()
    for (zone, container, owner) in try zonesShowingName(of: identity) {
      effects.add(try updateMemberDirectories(in: zone, owner: owner, container: container))
    }
    return effects
  }

  /// Returns the zones whose directory entries contain the account's name: its shared zones, the zones
  /// shared with it, and the standard zone of each container, which reaches its own devices.
  private func zonesShowingName(
    of identity: SessionIdentity
  ) throws -> [(zone: StoreKey, container: StoreKey, owner: StoreKey)] {
    let accepted = Participant.Status.accepted.rawValue
    return try db.rows(
      """
      SELECT key, container, owner FROM zone WHERE is_deleted = 0 AND (
        owner = ?1 AND (name = ?2 OR EXISTS (
          SELECT 1 FROM participant AS one WHERE one.zone = zone.key AND one.status = \(accepted)))
        OR key IN (SELECT zone FROM participant WHERE account = ?1 AND status = \(accepted)))
      ORDER BY key
      """, [identity.accountKey, ZoneName.standard.bytes]
    ).map { (zone: $0[0], container: $0[1], owner: $0[2]) }
  }
}
