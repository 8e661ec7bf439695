// The drafts of the web page. They are on this device only: nothing of a draft is sent to the broker. Sign-out removes
// them, and a new list begins with another incarnation, so that a page that was open meanwhile adds nothing to it.

import ByteCounts
import DeviceStore
import Foundation
import GRDB
import Records
import SQLiteFile

/// The drafts of a device.
package struct DraftTable {
  /// The maximum number of drafts.
  package static let draftsMaximum = 100
  /// The maximum size of a draft. The texts of the largest contact are in a draft twice.
  package static let draftBytesMaximum = 512 << 10
  /// The maximum size of all drafts.
  package static let bytesMaximum = 4 << 20

  /// A draft that another one replaces.
  package struct Replaced: Hashable, Sendable {
    let id: String
    let sequence: Int64

    /// - Parameter sequence: the last writing that the replacing form has read.
    package init(id: String, sequence: Int64) {
      self.id = id
      self.sequence = sequence
    }
  }

  /// The tables. `zone` is the group of the contact whose texts are in `base`.
  static let schema = SchemaMigration("drafts 1") { db in
    try db.execute(
      sql: """
        CREATE TABLE draft_list (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          incarnation TEXT NOT NULL
        ) STRICT;
        CREATE TABLE draft (
          id TEXT PRIMARY KEY,
          kind TEXT NOT NULL,
          target TEXT,
          title TEXT NOT NULL,
          address TEXT NOT NULL,
          version INTEGER,
          sequence INTEGER NOT NULL,
          base TEXT NOT NULL,
          texts TEXT NOT NULL,
          bytes INTEGER NOT NULL,
          zone INTEGER,
          changed INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """)
  }

  private let db: Database

  /// The drafts of a database.
  package init(_ db: Database) { self.db = db }

  // MARK: The list

  /// The incarnation of the list; `nil` before the first page has read it.
  package func incarnation() throws -> String? {
    try db.row("SELECT incarnation FROM draft_list")?["incarnation"]
  }

  /// Begins a list without drafts.
  package func begin(incarnation: String) throws {
    try db.run("INSERT INTO draft_list VALUES (1, ?)", [incarnation])
  }

  /// All drafts, the latest first.
  package func all() throws -> [Draft] {
    try db.rows("SELECT * FROM draft ORDER BY changed DESC, id").compactMap(Self.draft)
  }

  /// The number of drafts.
  package func count() throws -> Int { try db.number("SELECT count(*) FROM draft") }

  // MARK: Writing

  /// Stores a draft. A writing that arrives after a later one of the same form changes nothing.
  /// - Parameters:
  ///   - zone: the group of the contact that is edited, if there is one.
  ///   - replaced: the draft that this one continues. It stays if its form has written again since.
  /// - Throws: `limitExceeded` if the draft is too large, or if there is no room for it.
  package func save(_ draft: Draft, of zone: ZoneID? = nil, replacing replaced: Replaced? = nil)
    throws
  {
    let stored = try sequence(of: draft.id)
    guard stored.map({ $0 < draft.sequence }) ?? true else { return }
    try replaced.map {
      try db.run("DELETE FROM draft WHERE id = ? AND sequence <= ?", [$0.id, $0.sequence])
    }
    try requireRoom(for: draft)
    let row = try zone.flatMap { try DeviceReader.row(of: $0, db) }
    try write(draft, zone: row)
  }

  /// Removes a draft.
  /// - Parameter sequence: the last writing that the caller has read; `nil` to remove whatever is stored.
  /// - Throws: `serverRecordChanged` if its form has written again since.
  package func remove(_ id: String, through sequence: Int64? = nil) throws {
    if let sequence, let stored = try self.sequence(of: id), stored > sequence {
      throw RecordsError(
        .serverRecordChanged, "This draft was changed in another tab since.",
        hint: "Look at it again before you discard it.")
    }
    try db.run("DELETE FROM draft WHERE id = ?", [id])
  }

  /// Removes what the account has read from a group of another account, which it can no longer read. What the user has
  /// typed stays.
  func eraseContext(zone: Int64) throws {
    let rows = try db.rows(
      "SELECT draft.* FROM draft JOIN zone ON zone.id = draft.zone WHERE zone.id = ? AND owner <> ?",
      [zone, AccountID.current.column])
    for row in rows {
      guard let draft = try Self.draft(row) else { continue }
      try write(draft.withoutContext, zone: nil)
    }
  }

  /// Removes all drafts, and ends the list.
  func removeAll() throws {
    try db.run("DELETE FROM draft")
    try db.run("DELETE FROM draft_list")
  }

  private func sequence(of id: String) throws -> Int64? {
    try db.row("SELECT sequence FROM draft WHERE id = ?", [id])?["sequence"]
  }

  private func requireRoom(for draft: Draft) throws {
    let bytes = draft.byteCount
    guard bytes <= Self.draftBytesMaximum else {
      throw RecordsError(
        .limitExceeded,
        "This text is too long for a draft: \(ByteCount(bytes)); the limit is "
          + "\(ByteCount(Self.draftBytesMaximum).limit).", hint: "Save it.", reason: "draftTooLarge"
      )
    }
    let others = try db.row(
      "SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes FROM draft WHERE id <> ?",
      [draft.id])
    guard let others, (others["count"] as Int) < Self.draftsMaximum,
      (others["bytes"] as Int) + bytes <= Self.bytesMaximum
    else {
      throw RecordsError(
        .limitExceeded,
        "There is no room for another draft: the limits are \(Self.draftsMaximum) drafts and "
          + "\(ByteCount(Self.bytesMaximum).limit).", hint: "Save or discard some drafts.",
        reason: "draftsFull")
    }
  }

  private func write(_ draft: Draft, zone: Int64?) throws {
    try db.run(
      "INSERT OR REPLACE INTO draft VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        draft.id, draft.kind.rawValue, draft.target, draft.title, draft.address, draft.version,
        draft.sequence, try Self.json(draft.base), try Self.json(draft.texts), draft.byteCount,
        zone, draft.changed.microseconds,
      ])
  }

  // MARK: Rows

  private static func json(_ texts: [String: String]) throws -> String {
    String(decoding: try JSONEncoder().encode(texts), as: UTF8.self)
  }

  private static func texts(_ json: String) throws -> [String: String] {
    try JSONDecoder().decode([String: String].self, from: Data(json.utf8))
  }

  /// Returns `nil` for a kind of another version.
  private static func draft(_ row: Row) throws -> Draft? {
    guard let kind = Draft.Kind(rawValue: row["kind"]) else { return nil }
    return Draft(
      id: row["id"], kind: kind, target: row["target"], title: row["title"],
      address: row["address"], version: row["version"], sequence: row["sequence"],
      base: try texts(row["base"]), texts: try texts(row["texts"]),
      changed: Timestamp(microseconds: row["changed"]))
  }
}
