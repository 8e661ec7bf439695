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
  func answer(_ order: AccountOrder) throws -> (profiles: [AccountProfile], isWhole: Bool) {
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

  /// The account of a name, if there is one that may be known here.
  func account(named name: String) throws -> StoredAccount? {
    guard let account = try AccountTable(db: db).account(named: name), !account.isDisabled else {
      return nil
    }
    return try profiles([account.id]).isEmpty ? nil : account
  }

  private func profiles(_ accounts: [AccountID]) throws -> [AccountProfile] {
    let related = try related()
    return try accounts.compactMap { account in
      let found = try rows("WHERE id = ?", [Data(account.resolved(identity).bytes)]).first
      guard let found, found.profile.isDiscoverable || related.contains(found.key) else {
        return nil
      }
      return found.profile
    }
  }

  private func rows(
    _ condition: String, _ arguments: StatementArguments
  ) throws -> [(key: StoreKey, profile: AccountProfile)] {
    try Row.fetchAll(
      db, sql: "SELECT key, id, name, display_name, is_discoverable FROM account \(condition)",
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

  /// The account itself, and those it shares a zone with.
  private func related() throws -> Set<StoreKey> {
    let accepted = Participant.Status.accepted.rawValue
    let others = try StoreKey.fetchAll(
      db,
      sql: """
        SELECT zone.owner FROM participant JOIN zone ON zone.key = participant.zone
        WHERE participant.account = ?1 AND status = \(accepted) AND container = ?2
        UNION SELECT participant.account FROM zone JOIN participant ON participant.zone = zone.key
        WHERE owner = ?1 AND status = \(accepted) AND container = ?2
        UNION SELECT other.account FROM participant AS own
          JOIN participant AS other ON other.zone = own.zone
          JOIN zone ON zone.key = own.zone
        WHERE own.account = ?1 AND own.status = \(accepted) AND other.status = \(accepted)
          AND container = ?2
        """, arguments: [identity.accountKey, identity.container])
    return Set(others).union([identity.accountKey])
  }

  // MARK: Changing

  /// Changes what an account says of itself.
  func change(_ order: AccountOrder) throws {
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
