// An account goes by another name. Lists and histories of others show it, from what the directory told
// them last, so everybody who shares a zone with it is told anew, and so are its own devices.

import BrokerCore
import FoundationEssentials
import GRDB
import Records
import SQLiteFile

extension SQLiteTransaction {
  /// Tells of the account's new name everybody who shares a zone with it. Returns who hears of it at
  /// once.
  func announceName(of identity: SessionIdentity) throws -> CommitEffects {
    var effects = CommitEffects()
    for (zone, container, owner) in try zonesNaming(identity) {
      effects.add(try tellEverybody(in: zone, owner: owner, container: container))
    }
    return effects
  }

  /// The zones whose entries bear the account's name: the standard one of each application, which
  /// tells its own devices, and those that are shared.
  private func zonesNaming(
    _ identity: SessionIdentity
  ) throws -> [(zone: StoreKey, container: StoreKey, owner: StoreKey)] {
    let accepted = Participant.Status.accepted.rawValue
    return try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT key, container, owner FROM zone WHERE is_deleted = 0 AND (
            owner = ?1 AND (name = ?2 OR EXISTS (
              SELECT 1 FROM participant AS one WHERE one.zone = zone.key AND one.status = \(accepted)))
            OR key IN (SELECT zone FROM participant WHERE account = ?1 AND status = \(accepted)))
          ORDER BY key
          """), arguments: [identity.accountKey, Data(ZoneName.standard.bytes)]
    ).map { (zone: $0[0], container: $0[1], owner: $0[2]) }
  }
}
