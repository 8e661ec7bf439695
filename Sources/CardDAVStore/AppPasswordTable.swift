// The app passwords of the device: one for each program that reads and writes its contacts. Only digests are stored.

import CardDAV
import DeviceStore
import Foundation
import GRDB
import Records
import SQLiteFile

/// The addresses of the agent at which an app password is valid.
///
/// A connection to a port of this computer is not encrypted, and while the agent does not run, another user's program can
/// listen on the port and read a password. So a password for the port is valid at no other address.
package enum AppPasswordScope: String, Hashable, Sendable, CaseIterable {
  /// A port of this computer, to which only the agent's user can connect.
  case computer
  /// An address with TLS, or the socket of a reverse proxy.
  case network
}

/// An app password, without the password itself.
package struct AppPasswordView: Hashable, Sendable {
  /// Its number, which is never used again.
  package let id: Int64
  /// The name that the person gave it.
  package let name: String
  /// The addresses at which it is valid.
  package let scope: AppPasswordScope
  /// When it was made.
  package let created: Timestamp
  /// When a program used it last, to the hour; `nil` if none did.
  package let used: Timestamp?
}

/// The app passwords.
package struct AppPasswordTable {
  /// The maximum number of passwords.
  package static let passwordsMaximum = 100
  /// How often the use of a password is stored.
  private static let useSeconds: Int64 = 3_600

  private let db: Database

  /// The passwords of a database.
  package init(_ db: Database) { self.db = db }

  /// All passwords, oldest first.
  package func all() throws -> [AppPasswordView] {
    try db.rows("SELECT * FROM dav_password ORDER BY id").map(Self.view)
  }

  /// Returns the password with this digest; `nil` if there is none.
  package func password(digest: [UInt8]) throws -> AppPasswordView? {
    try db.first(
      "SELECT * FROM dav_password WHERE digest = ?", [Data(digest)], decode: Self.view)
  }

  /// Adds a password. With the first one, the device begins to note changes for clients.
  /// - Throws: `constraintViolation` if the name is taken, `limitExceeded` if there are too many.
  package func add(
    _ name: String, digest: [UInt8], scope: AppPasswordScope, now: Timestamp
  ) throws {
    let others = try all()
    guard !others.contains(where: { $0.name == name }) else {
      throw RecordsError(
        .constraintViolation, "There is already an app password “\(name)”.",
        hint: "Choose another name, or remove that one.", field: "name",
        reason: "taken", title: name)
    }
    guard others.count < Self.passwordsMaximum else {
      throw RecordsError.limit(
        "The list of app passwords", limit: Self.passwordsMaximum, actual: others.count + 1)
    }
    if others.isEmpty { try begin() }
    try db.run(
      "INSERT INTO dav_password (name, digest, scope, created) VALUES (?, ?, ?, ?)",
      [name, Data(digest), scope.rawValue, now.microseconds])
  }

  /// Removes a password.
  /// - Returns: whether it existed.
  package func remove(_ name: String) throws -> Bool {
    guard let found = try all().first(where: { $0.name == name }) else { return false }
    try db.run("DELETE FROM dav_password WHERE id = ?", [found.id])
    try db.run("DELETE FROM dav_base WHERE password = ?", [found.id])
    if try all().isEmpty { try end() }
    return true
  }

  /// Whether the use of a password has to be noted, because the last one that was noted is long ago.
  package static func isUseNew(of password: AppPasswordView, now: Timestamp) -> Bool {
    guard let used = password.used else { return true }
    return abs(now.microseconds - used.microseconds) > useSeconds * 1_000_000
  }

  /// Notes that a program uses a password.
  package func noteUse(of password: AppPasswordView, now: Timestamp) throws {
    try db.run(
      "UPDATE dav_password SET used = ? WHERE id = ?", [now.microseconds, password.id])
  }

  // MARK: Noting changes

  // Only devices with clients pay for the index.
  private func begin() throws {
    try db.execute(
      sql: "CREATE INDEX IF NOT EXISTS record_version ON record (zone, version)")
    try db.run(
      "INSERT OR REPLACE INTO dav_state VALUES (1, ?1, ?1, ?1)", [try CardDeletions(db).lastEvent])
    try CardUIDs(db).noteAll()
    try CardResources(db).nameAllApart()
  }

  private func end() throws {
    for table in [
      "dav_state", "dav_book", "dav_name", "dav_uid", "dav_gone", "dav_touched", "dav_kept",
      "dav_card",
      "dav_base",
    ] {
      try db.execute(sql: "DELETE FROM \(table)")
    }
    try db.execute(sql: "DROP INDEX IF EXISTS record_version")
  }

  private static func view(_ row: Row) -> AppPasswordView {
    AppPasswordView(
      id: row["id"], name: row["name"],
      // The table allows no other word.
      scope: AppPasswordScope(rawValue: row["scope"]) ?? .computer,
      created: Timestamp(microseconds: row["created"]),
      used: (row["used"] as Int64?).map { Timestamp(microseconds: $0) })
  }
}
