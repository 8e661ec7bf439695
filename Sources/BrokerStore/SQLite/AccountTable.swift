// People, what proves to be them, and the applications they use.

import BrokerCore
import FoundationEssentials
import GRDB
import Records
import SQLiteFile

/// The `account`, `credential` and `container` tables.
struct AccountTable {
  let db: Database

  /// What `account(_:from:)` reads.
  static let columns =
    "account.key, account.id, account.name, account.is_disabled, account.display_name"

  /// The account of this name; the one that is nobody's has none.
  func account(named name: String) throws -> StoredAccount? {
    guard !name.isEmpty else { return nil }
    return try Row.fetchOne(
      db.cachedStatement(sql: "SELECT \(Self.columns) FROM account WHERE name = ?"),
      arguments: [name]
    ).map { try Self.account($0, from: 0) }
  }

  /// The account with this id.
  func account(_ id: AccountID) throws -> StoredAccount? {
    try db.first(
      "SELECT \(Self.columns) FROM account WHERE id = ?", [Data(id.bytes)]
    ) { try Self.account($0, from: 0) }
  }

  /// The account that a uid is a credential of.
  func account(ofUID uid: UInt32) throws -> StoredAccount? {
    try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT \(Self.columns)
          FROM credential JOIN account ON account.key = credential.account
          WHERE credential.kind = 'uid' AND credential.value = ?
          """), arguments: [String(uid)]
    ).map { try Self.account($0, from: 0) }
  }

  /// A name for the account of a user who chooses none; see `AccountName.free`.
  func freeName(
    for uid: UInt32, using generator: inout some RandomNumberGenerator
  ) throws -> String? {
    try AccountName.free(for: uid, using: &generator) { try account(named: $0) != nil }
  }

  /// Enters an account; `uid` becomes its credential.
  func insert(
    _ id: AccountID, name: String, uid: UInt32?, at now: Timestamp
  ) throws -> StoredAccount {
    try db.run(
      "INSERT INTO account (id, name, created_at) VALUES (?, ?, ?)",
      [Data(id.bytes), name, now.microseconds])
    let account = StoredAccount(
      key: db.lastInsertedRowID, id: id, name: name, isDisabled: false)
    if let uid {
      try db.run(
        "INSERT INTO credential (kind, value, account) VALUES ('uid', ?, ?)",
        [String(uid), account.key])
    }
    return account
  }

  /// The row of an application's namespace, made when it is new.
  func container(named name: String) throws -> StoreKey {
    let known = try StoreKey.fetchOne(
      db.cachedStatement(sql: "SELECT key FROM container WHERE name = ?"), arguments: [name])
    if let known { return known }
    try db.run("INSERT INTO container (name) VALUES (?)", [name])
    return db.lastInsertedRowID
  }

  /// Whether a greeting may name this application's namespace: it is there, or there is room.
  func hasRoom(forContainer name: String) throws -> Bool {
    try db.first(
      "SELECT EXISTS (SELECT 1 FROM container WHERE name = ?) OR count(*) < ? FROM container",
      [name, BrokerLimits.containersMadeByGreetings]
    ) { $0[0] } ?? true
  }

  /// Reads an account from five columns of a row.
  static func account(_ row: Row, from column: Int) throws -> StoredAccount {
    guard let id = AccountID(bytes: row[column + 1] as Data) else {
      throw StoreError(.damaged, "An account's id has not 16 bytes.")
    }
    return StoredAccount(
      key: row[column], id: id, name: row[column + 2], displayName: row[column + 4],
      isDisabled: row[column + 3])
  }
}
