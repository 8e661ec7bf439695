import BrokerCore
import Records
import SQLConnections

extension SQLTransaction {
  func perform(
    _ request: AccountRequest, of identity: SessionIdentity
  ) throws -> (profiles: [AccountProfile], effects: CommitEffects) {
    let profiles = AccountProfiles(db: db, identity: identity)
    let before = try profiles.answer(.me).profiles
    try profiles.change(request)
    let after = try profiles.answer(.me).profiles
    let isRenamed = before.map(\.displayName) != after.map(\.displayName)
    return (after, isRenamed ? try announceName(of: identity) : CommitEffects())
  }
}
