// The names of accounts that share no group with this one but wrote public records. The directory does not contain
// them. A projection enters an account when the first of its records arrives; a caller asks the broker and stores the
// answers, so that the names are known without a connection too.

import GRDB
import Records
import SQLiteFile

/// The `account_name` table.
package enum AccountNameTable {
  /// `name` is empty until the broker answers, and for an account that is not discoverable. `asked` is the time of the
  /// last answer; 0 if there was none.
  static let table = """
    CREATE TABLE account_name (
      account BLOB PRIMARY KEY,
      name TEXT NOT NULL DEFAULT '',
      display_name TEXT NOT NULL DEFAULT '',
      asked INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;

    """

  /// Enters an account whose name is to be requested, unless it is known.
  package static func enter(_ account: AccountID, _ db: Database) throws {
    try db.run("INSERT OR IGNORE INTO account_name (account) VALUES (?)", [account.column])
  }

  /// Returns the accounts whose names the broker revealed.
  static func names(_ db: Database) throws -> [ZoneMember] {
    try db.rows("SELECT account, name, display_name FROM account_name WHERE name <> ''")
      .compactMap { row in
        AccountID(column: row["account"]).map {
          ZoneMember(account: $0, name: row["name"], displayName: row["display_name"])
        }
      }
  }
}

extension Replica {
  /// Stores the broker's answer about the names of `accounts`. An account without a profile is not discoverable, or
  /// not any more, so its name is forgotten.
  /// - Throws: `StoreError`; then nothing changed.
  package func keepNames(
    _ profiles: [AccountProfile], of accounts: [AccountID], now: Timestamp
  ) throws {
    let found = Dictionary(profiles.map { ($0.account, $0) }) { first, _ in first }
    try write(now) { transaction in
      for account in accounts {
        try transaction.db.run(
          """
          INSERT OR REPLACE INTO account_name (account, name, display_name, asked)
          VALUES (?, ?, ?, ?)
          """,
          [
            account.column, found[account]?.name ?? "", found[account]?.displayName ?? "",
            now.microseconds,
          ])
      }
    }
  }
}

extension DeviceReader {
  /// Returns the accounts that wrote public records and whose names the broker has not been asked for since `time`; by
  /// default those whose names it has never been asked for.
  package func accountsToLookUp(since time: Timestamp? = nil) throws -> [AccountID] {
    try database.read { db in
      try db.rows(
        "SELECT account FROM account_name WHERE asked < ? ORDER BY asked, account",
        [max(1, time?.microseconds ?? 1)]
      ).compactMap { AccountID(column: $0["account"]) }
    }
  }
}
