// The profiles of accounts. An account can look up its own profile, the profiles of accounts that share a
// zone with it, and those of discoverable accounts. The answer for any other account is the same as for
// one that does not exist.

import BrokerCore
import FoundationEssentials
import Records
import SQLConnections

/// The account profiles that one session may read.
struct AccountProfiles {
  let db: any SQLConnection
  let identity: SessionIdentity

  /// Returns the profiles that `request` asks for, and whether there are no more after them.
  func answer(_ request: AccountRequest) throws -> (profiles: [AccountProfile], isWhole: Bool) {
    switch request {
    case .me, .setDisplayName, .setDiscoverable: return (try profiles([identity.account]), true)
    case .look(let accounts): return (try profiles(accounts), true)
    case .find(let name):
      return (
        try rows("WHERE name = ? AND is_discoverable = 1 AND is_disabled = 0", [name])
          .map(\.profile), true
      )
    case .discoverable(let name):
      let found = try rows(
        """
        WHERE is_discoverable = 1 AND name > ? AND is_disabled = 0 ORDER BY name
        LIMIT \(Limits.accountsPerPage + 1)
        """, [name])
      return (
        found.prefix(Limits.accountsPerPage).map(\.profile), found.count <= Limits.accountsPerPage
      )
    }
  }

  /// The account named `name`, if this account may know of it. The lookup costs the same if no such
  /// account exists.
  func account(named name: String) throws -> StoredAccount? {
    let found = try rows("WHERE name = ? AND is_disabled = 0", [name]).first
    guard try isKnown(found) else { return nil }
    return try AccountTable(db: db).account(named: name)
  }

  private func profiles(_ accounts: [AccountID]) throws -> [AccountProfile] {
    try accounts.compactMap { account in
      let found = try rows("WHERE id = ?", [account.resolved(identity).bytes]).first
      return try isKnown(found) ? found?.profile : nil
    }
  }

  /// Whether the session's account may know of the account found. For a hidden account and for a missing
  /// one the same rows are read, so that the response time does not reveal which it is.
  private func isKnown(_ found: (key: StoreKey, profile: AccountProfile)?) throws -> Bool {
    if found?.profile.isDiscoverable == true { return true }
    return try isRelated(to: found?.key ?? 0)
  }

  private func rows(
    _ condition: String, _ arguments: SQLArguments
  ) throws -> [(key: StoreKey, profile: AccountProfile)] {
    try db.rows(
      "SELECT key, id, name, display_name, is_discoverable FROM account \(condition)", arguments
    ).map { row in
      guard let id = AccountID(bytes: row[1] as [UInt8]) else {
        throw StoreError(.damaged, "An account's id is not 16 bytes long.")
      }
      let (name, displayName): (String, String) = (row[2], row[3])
      return (
        key: row[0],
        profile: AccountProfile(
          account: id, name: name, displayName: displayName.isEmpty ? name : displayName,
          isDiscoverable: row[4])
      )
    }
  }

  /// Whether `other` is the session's account, or shares a zone with it. Reads the zones of the session's
  /// account, at most `Limits.zonesPerAccount`, regardless of `other`.
  private func isRelated(to other: StoreKey) throws -> Bool {
    guard other != identity.accountKey else { return true }
    let accepted = Participant.Status.accepted.rawValue
    // NB: CROSS JOIN fixes the join order; otherwise SQLite would read the zones of the other account.
    return try db.first(
      """
      SELECT EXISTS (
        SELECT 1 FROM zone CROSS JOIN participant
          ON participant.zone = zone.key AND participant.account = ?2
        WHERE owner = ?1 AND container = ?3 AND is_deleted = 0 AND status = \(accepted)
      ) OR EXISTS (
        SELECT 1 FROM participant AS own CROSS JOIN zone ON zone.key = own.zone
        WHERE own.account = ?1 AND own.status = \(accepted) AND container = ?3 AND (
          owner = ?2 OR EXISTS (
            SELECT 1 FROM participant AS other
            WHERE other.zone = own.zone AND other.account = ?2 AND other.status = \(accepted)))
      )
      """, [identity.accountKey, other, identity.container]
    ) { $0[0] } ?? false
  }

  // MARK: Changing

  /// Changes the session account's profile.
  func change(_ request: AccountRequest) throws {
    switch request {
    case .setDisplayName(let name):
      try db.run(
        "UPDATE account SET display_name = ? WHERE key = ?", [name, identity.accountKey])
    case .setDiscoverable(let isDiscoverable):
      try db.run(
        "UPDATE account SET is_discoverable = ? WHERE key = ?",
        [isDiscoverable, identity.accountKey])
    case .me, .look, .find, .discoverable: break
    }
  }
}

extension AccountID {
  fileprivate func resolved(_ identity: SessionIdentity) -> AccountID {
    self == .current ? identity.account : self
  }
}
