// What has changed in a book since a client asked last. The position of a change is the number of its event, which the
// record stores as its version, so no list of changes has to be kept.

import CardDAV
import DeviceStore
import Foundation
import GRDB
import Records
import SQLiteFile

/// The changes of a book.
package struct BookChanges: Sendable {
  /// The cards that are new or changed, or all of them.
  package private(set) var cards: [CardResource] = []
  /// The names of the cards that are gone.
  package private(set) var gone: [String] = []
  /// The state after these changes.
  package private(set) var token: SyncToken
  /// Whether there are more changes after `token`.
  package private(set) var isPartial = false

  /// The state of a book.
  /// - Throws: `zoneNotFound`.
  package static func token(of zone: ZoneID, _ db: Database) throws -> SyncToken {
    guard let row = try DeviceReader.row(of: zone, db) else {
      throw RecordsError(.zoneNotFound, "The group does not exist any more.")
    }
    return try token(ofRow: row, db)
  }

  private static func token(ofRow zone: Int64, _ db: Database) throws -> SyncToken {
    let row = try db.row(
      """
      SELECT (SELECT incarnation FROM event_log) AS incarnation,
        max(ifnull((SELECT max(version) FROM record WHERE zone = ?1), 0),
          ifnull((SELECT max(sequence) FROM dav_gone WHERE zone = ?1), 0),
          ifnull((SELECT oldest FROM dav_state), 0)) AS position,
        max(ifnull((SELECT max(touch) FROM dav_touched WHERE zone = ?1), 0),
          ifnull((SELECT oldest_touch FROM dav_state), 0)) AS touches
      """, [zone])
    guard let row else { throw StoreError(.damaged, "The database lacks its log of events.") }
    return SyncToken(
      incarnation: row["incarnation"], position: row["position"], touches: row["touches"])
  }

  /// Reads the changes since `text`, a token of a client; all cards if it is empty.
  /// - Parameter limit: The maximum number of changes.
  /// - Throws: `SyncToken.invalid` if the token is too old or not one of this book.
  package init(of zone: ZoneID, since text: String, limit: Int, _ db: Database) throws {
    guard let row = try DeviceReader.row(of: zone, db) else {
      throw RecordsError(.zoneNotFound, "The group does not exist any more.")
    }
    token = try Self.token(ofRow: row, db)
    guard !text.isEmpty else {
      try readAll(in: zone, after: 0, limit, db)
      return
    }
    // A book's own numbers go down when a record is forgotten, so the token is compared with those of the device.
    guard let since = SyncToken(text), since.incarnation == token.incarnation,
      try CardDeletions(db).isKnown(since)
    else { throw SyncToken.invalid }
    if let place = since.place {
      // Changes during the listing follow it.
      token = since
      try readAll(in: zone, after: place, limit, db)
      return
    }
    try readChanges(in: zone, row, since, limit, db)
  }

  private mutating func readAll(
    in zone: ZoneID, after place: Int64, _ limit: Int, _ db: Database
  ) throws {
    cards = try CardResources(db).cards(in: zone, after: place, limit: limit + 1)
    isPartial = cards.count > limit
    if isPartial { cards.removeLast() }
    token.place = isPartial ? cards.last?.row : nil
  }

  private mutating func readChanges(
    in zone: ZoneID, _ row: Int64, _ since: SyncToken, _ limit: Int, _ db: Database
  ) throws {
    guard since != token else { return }
    let changed = try db.rows(
      """
      \(CardResources.selection) AND record.zone = ? AND record.version > ?
      ORDER BY record.version LIMIT ?
      """, [row, since.position, limit + 1])
    let deleted = try db.rows(
      """
      SELECT dav_gone.record, dav_gone.sequence, dav_name.resource FROM dav_gone
      LEFT JOIN dav_name ON dav_name.zone = dav_gone.zone AND dav_name.record = dav_gone.record
      WHERE dav_gone.zone = ? AND dav_gone.sequence > ? ORDER BY dav_gone.sequence LIMIT ?
      """, [row, since.position, limit + 1])
    let touched = try db.rows(
      """
      \(CardResources.selection) AND record.zone = ?1 AND record.version <= ?2 AND record.id IN (
        SELECT record FROM dav_touched WHERE zone = ?1 AND touch > ?3)
      """, [row, since.position, since.touches])
    let end = Self.end(changed.map { $0["version"] }, deleted.map { $0["sequence"] }, limit)
    isPartial = end != nil
    let last = end ?? .max
    cards = (changed.filter { ($0["version"] as Int64) <= last } + touched).map {
      CardResources.card($0, zone)
    }
    gone = deleted.filter { ($0["sequence"] as Int64) <= last }.map {
      $0["resource"] ?? CardResource.defaultName(of: RecordName(stored: $0["record"]))
    }
    if let end { token.position = end }
  }

  /// Returns the position of the last of the first `limit` changes; `nil` if there are no more.
  private static func end(_ changed: [Int64], _ deleted: [Int64], _ limit: Int) -> Int64? {
    let positions = (changed + deleted).sorted()
    guard positions.count > limit else { return nil }
    let end = positions[limit - 1]
    // Deletions of one transaction can have one position, and stay together.
    return end == positions[positions.count - 1] ? nil : end
  }
}
