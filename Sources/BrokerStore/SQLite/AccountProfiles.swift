// Accounts as others may know them. An account is known to itself, to those it shares a zone with, and
// to everybody where it lets itself be found; whoever asks for others gets the same as for nobody.

import BrokerCore
import FoundationEssentials
import GRDB
import Records
import SQLiteFile

/// What one account is told of others.
struct AccountProfiles {
  let db: Database
  let identity: SessionIdentity

  /// Answers a question.
  func answer(_ order: AccountRequest) throws -> (profiles: [AccountProfile], isWhole: Bool) {
    switch order {
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

  /// The account of a name, if there is one that may be known here. Takes as long where there is none.
  func account(named name: String) throws -> StoredAccount? {
    let found = try rows("WHERE name = ? AND is_disabled = 0", [name]).first
    guard try isKnown(found) else { return nil }
    return try AccountTable(db: db).account(named: name)
  }

  private func profiles(_ accounts: [AccountID]) throws -> [AccountProfile] {
    try accounts.compactMap { account in
      let found = try rows("WHERE id = ?", [Data(account.resolved(identity).bytes)]).first
      return try isKnown(found) ? found?.profile : nil
    }
  }

  /// Whether the account may know of another. The same is looked at for one that hides and for one that
  /// is not, or the time that takes would tell them apart.
  private func isKnown(_ found: (key: StoreKey, profile: AccountProfile)?) throws -> Bool {
    if found?.profile.isDiscoverable == true { return true }
    return try isRelated(to: found?.key ?? 0)
  }

  private func rows(
    _ condition: String, _ arguments: StatementArguments
  ) throws -> [(key: StoreKey, profile: AccountProfile)] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: "SELECT key, id, name, display_name, is_discoverable FROM account \(condition)"),
      arguments: arguments
    ).map { row in
      guard let id = AccountID(bytes: row[1] as Data) else {
        throw StoreError(.damaged, "An account's id has not 16 bytes.")
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

  /// Whether the row is the account's own, or of one that it shares a zone with. Looks at the zones that
  /// the account is in, at most `Limits.zonesPerAccount`, whoever is asked about.
  private func isRelated(to other: StoreKey) throws -> Bool {
    guard other != identity.accountKey else { return true }
    let accepted = Participant.Status.accepted.rawValue
    // NB: the order of the joins is forced, or the other's zones would be looked at.
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

  /// Changes what an account says of itself.
  func change(_ order: AccountRequest) throws {
    switch order {
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
