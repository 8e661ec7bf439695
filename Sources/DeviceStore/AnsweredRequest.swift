// Requests that were carried out, by the key that their client gave them. The row is written in the
// transaction of the edit: a client that lost the answer repeats the request with its key, and the
// edit is not made twice. A row holds ids and no contents; the last 1,000 of a day are kept.

import Foundation
import GRDB
import Records
import SQLiteFile

/// The name that a client gives to one request, and a digest of what it asks.
package struct RequestKey: Hashable, Sendable {
  /// The client's text.
  package let text: String
  /// A digest of the request; another one under the same key is another request.
  package let fingerprint: UInt128

  /// A key.
  package init(text: String, fingerprint: UInt128) {
    self.text = text
    self.fingerprint = fingerprint
  }
}

/// What a request came to that was carried out before.
package struct AnsweredRequest: Error, Hashable, Sendable {
  /// The record that it saved first; `nil` where it saved none.
  package let record: RecordID?
  /// The zone that it was about; `nil` where it changed none.
  package let zone: ZoneID?
  /// The number under which it can be undone.
  package let action: Int64?

  /// The rows that are kept.
  static let rowsMaximum = 1000
  /// How long a row is kept.
  static let keptSeconds: Int64 = 86_400

  static let schema = """
    CREATE TABLE answered (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      key TEXT NOT NULL UNIQUE,
      fingerprint BLOB NOT NULL,
      owner BLOB,
      zone_name BLOB,
      name TEXT,
      action INTEGER,
      time INTEGER NOT NULL
    ) STRICT;

    """

  /// Writes down in `transaction` that `edits` were made for the request it answers, if it answers one.
  static func note(
    _ edits: [LocalEdit], action: Int64?, _ transaction: DeviceTransaction
  ) throws {
    guard let key = transaction.answering else { return }
    let (zone, name) = subject(of: edits)
    let db = transaction.db
    try db.run(
      """
      INSERT OR IGNORE INTO answered (key, fingerprint, owner, zone_name, name, action, time)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        key.text, Data(Identifier<RequestKey>(key.fingerprint).bytes), zone?.owner.column,
        zone?.name.column, name?.text, action, transaction.now.microseconds,
      ])
    try db.run(
      "DELETE FROM answered WHERE id <= (SELECT max(id) FROM answered) - ? OR time < ?",
      [rowsMaximum, transaction.now.adding(seconds: -keptSeconds).microseconds])
  }

  /// The record that is saved first, else what the first edit is about.
  private static func subject(of edits: [LocalEdit]) -> (zone: ZoneID?, name: RecordName?) {
    for case .save(let save) in edits { return (save.id.zone, save.id.name) }
    for edit in edits {
      switch edit {
      case .save, .keepAsset: continue
      case .delete(let id, _): return (id.zone, nil)
      case .createZone(let zone, _), .renameZone(let zone, _): return (zone, nil)
      case .deleteZone(let zone), .keepZone(let zone), .restoreZone(let zone): return (zone, nil)
      }
    }
    return (nil, nil)
  }
}

extension DeviceReader {
  /// What the request of `key` came to, if it was carried out before.
  /// - Throws: `invalidArguments` when another request has used the key.
  package func answered(_ key: RequestKey) throws -> AnsweredRequest? {
    let row = try database.read { db in
      try db.row("SELECT * FROM answered WHERE key = ?", [key.text])
    }
    guard let row else { return nil }
    guard row["fingerprint"] as Data == Data(Identifier<RequestKey>(key.fingerprint).bytes) else {
      throw RecordsError.invalid(
        "Another request has used this Idempotency-Key. Choose a new key.", field: "Idempotency-Key"
      )
    }
    let owner: Data? = row["owner"]
    let zone = owner.flatMap { Self.zone(owner: $0, name: row["zone_name"]) }
    let name: String? = row["name"]
    return AnsweredRequest(
      record: zone.flatMap { zone in
        name.map { RecordID(zone: zone, name: RecordName(stored: $0)) }
      }, zone: zone, action: row["action"])
  }
}
