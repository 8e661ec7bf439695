// Accounts, what identifies them at sign-in, and the containers of applications.

import BrokerCore
import FoundationEssentials
import Records
import SQLConnections

/// The `account`, `credential` and `container` tables.
struct AccountTable {
  let db: any SQLConnection

  /// The columns that `account(_:from:)` reads.
  static let columns =
    "account.key, account.id, account.name, account.is_disabled, account.display_name"

  /// The account named `name`. The account that owns the public database has no name and is not found.
  func account(named name: String) throws -> StoredAccount? {
    guard !name.isEmpty else { return nil }
    return try db.first("SELECT \(Self.columns) FROM account WHERE name = ?", [name]) { $0 }.map {
      try Self.account($0, from: 0)
    }
  }

  /// The account with this id, or `nil`.
  func account(_ id: AccountID) throws -> StoredAccount? {
    try db.first(
      "SELECT \(Self.columns) FROM account WHERE id = ?", [id.bytes]
    ) { try Self.account($0, from: 0) }
  }

  /// The account that has this uid as a credential, or `nil`.
  func account(ofUID uid: UInt32) throws -> StoredAccount? {
    try db.first(
      """
      SELECT \(Self.columns)
      FROM credential JOIN account ON account.key = credential.account
      WHERE credential.kind = 'uid' AND credential.value = ?
      """, [String(uid)]
    ) { $0 }.map { try Self.account($0, from: 0) }
  }

  /// An unused name for the account of a user who has chosen none; see `AccountNameRules.free`.
  func freeName(
    for uid: UInt32, using generator: inout some RandomNumberGenerator
  ) throws -> String? {
    try AccountNameRules.free(for: uid, using: &generator) { try account(named: $0) != nil }
  }

  /// Inserts an account, with `uid` as its credential.
  func insert(
    _ id: AccountID, name: String, uid: UInt32?, at now: Timestamp
  ) throws -> StoredAccount {
    let key = try db.insert(
      "INSERT INTO account (id, name, created_at) VALUES (?, ?, ?)",
      [id.bytes, name, now.microseconds])
    let account = StoredAccount(
      key: key, id: id, name: name, isDisabled: false)
    if let uid { try insert(credential: uid, of: account) }
    return account
  }

  /// Makes a uid a credential of an account. It must not be one of another account.
  func insert(credential uid: UInt32, of account: StoredAccount) throws {
    try db.run(
      "INSERT INTO credential (kind, value, account) VALUES ('uid', ?, ?)",
      [String(uid), account.key])
  }

  /// Deletes a uid's credential.
  func delete(credential uid: UInt32) throws {
    try db.run("DELETE FROM credential WHERE kind = 'uid' AND value = ?", [String(uid)])
  }

  /// The row of a container, which is created if it does not exist.
  func container(named name: String) throws -> StoreKey {
    let known = try (db.value("SELECT key FROM container WHERE name = ?", [name]) as StoreKey?)
    if let known { return known }
    return try db.insert("INSERT INTO container (name) VALUES (?)", [name])
  }

  /// Whether a greeting may name this container: it exists, or the broker has room for another.
  func hasRoom(forContainer name: String) throws -> Bool {
    try db.first(
      "SELECT EXISTS (SELECT 1 FROM container WHERE name = ?) OR count(*) < ? FROM container",
      [name, BrokerLimits.containersMadeByGreetings]
    ) { $0[0] } ?? true
  }

  /// Decodes an account from the five `columns` of a row.
  static func account(_ row: SQLRow, from column: Int) throws -> StoredAccount {
    guard let id = AccountID(bytes: row[column + 1] as [UInt8]) else {
      throw StoreError(.damaged, "An account's id is not 16 bytes long.")
    }
    return StoredAccount(
      key: row[column], id: id, name: row[column + 2], displayName: row[column + 4],
      isDisabled: row[column + 3])
  }
}
