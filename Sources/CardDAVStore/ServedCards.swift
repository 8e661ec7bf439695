// The cards that the clients of each app password have read. A card that a client sends is compared with them.

import CardDAV
import ContactCards
import Contacts
import Crypto
import DeviceStore
import Foundation
import GRDB
import Records
import SQLiteFile

/// The cards that clients know.
package struct ServedCards {
  /// The maximum number of versions of a card that are remembered for a password. Several programs can use one.
  private static let versionsMaximum = 8
  /// How long a version that is not read again is remembered.
  private static let days: Int64 = 180
  private static let dayMicroseconds: Int64 = 86_400_000_000
  /// Stands for the card as it is now.
  private static let present: Int64 = 0

  private let db: Database

  /// The served cards of a database.
  package init(_ db: Database) { self.db = db }

  // MARK: Serving

  /// Returns those of the cards that a password's clients are not known to have read.
  package func unknown(
    _ cards: [CardResource], toPassword password: Int64
  ) throws -> [CardResource] {
    try cards.filter { try !isCurrent($0.row, toPassword: password) }
  }

  /// Notes that a client has the present cards of the records.
  /// - Parameter cards: The cards as they were read. One that has changed since is not noted: the client has the former.
  package func note(_ cards: [CardResource], toPassword password: Int64, now: Timestamp) throws {
    for card in cards where try CardResources(db).card(card.id)?.tag == card.tag {
      try enter(Self.present, card.row, password, now)
    }
  }

  /// Notes the card that a client has sent, which differs from the present one.
  package func note(
    _ card: Card, ofRecord record: Int64, toPassword password: Int64, now: Timestamp
  ) throws {
    try enter(try row(of: card), record, password, now)
  }

  // MARK: Comparing

  /// Whether the password's clients have read the record's card, but not the present one.
  package func isOutdated(_ record: Int64, toPassword password: Int64) throws -> Bool {
    try db.number(
      "SELECT ifnull(min(card) > 0, 0) FROM dav_base WHERE record = ? AND password = ?",
      [record, password]) > 0
  }

  /// The cards that the password's clients have read, the latest last.
  /// - Parameter present: The card as it is now.
  package func cards(
    ofRecord record: Int64, toPassword password: Int64, present: Card
  ) throws -> [Card] {
    let rows = try db.rows(
      """
      SELECT dav_card.card FROM dav_base LEFT JOIN dav_card ON dav_card.id = dav_base.card
      WHERE dav_base.record = ? AND dav_base.password = ?
      ORDER BY dav_base.card = 0, dav_base.card
      """, [record, password])
    return rows.compactMap { row in
      guard let bytes = row["card"] as Data? else { return present }
      return Card(stored: [UInt8](bytes))
    }
  }

  /// Whether the password's clients have read the card as it is now.
  package func isCurrent(_ record: Int64, toPassword password: Int64) throws -> Bool {
    try db.number(
      "SELECT EXISTS (SELECT 1 FROM dav_base WHERE record = ? AND password = ? AND card = 0)",
      [record, password]) > 0
  }

  // MARK: Changes

  /// Forgets which clients have the present card of a record, which changes without the record.
  func forgetPresent(ofRecord record: Int64) throws {
    try db.run(
      "DELETE FROM dav_base WHERE record = ? AND card = \(Self.present)", [record])
  }

  /// Copies the card that is about to be replaced, if a client has it.
  /// - Parameter contact: The contact before the change.
  func copyPresent(ofRecord record: Int64, _ contact: Contact, now: Timestamp) throws {
    let passwords = try db.rows(
      "SELECT password FROM dav_base WHERE record = ? AND card = \(Self.present)", [record])
    guard !passwords.isEmpty else { return }
    let card = try row(of: ServedCard.card(of: contact))
    // The client had it until now, however long ago it read it.
    for row in passwords { try enter(card, record, row["password"], now) }
    try forgetPresent(ofRecord: record)
  }

  private func enter(
    _ card: Int64, _ record: Int64, _ password: Int64, _ now: Timestamp
  ) throws {
    try db.run(
      "INSERT OR REPLACE INTO dav_base VALUES (?, ?, ?, ?)",
      [record, password, card, Self.day(now)])
    try db.run(
      """
      DELETE FROM dav_base WHERE record = ?1 AND password = ?2 AND card IN (
        SELECT card FROM dav_base WHERE record = ?1 AND password = ?2 AND card > 0
        ORDER BY card DESC LIMIT -1 OFFSET \(Self.versionsMaximum))
      """, [record, password])
  }

  /// Returns the row of a card, which is stored once for all clients and records.
  private func row(of card: Card) throws -> Int64 {
    let bytes = card.stored
    let digest = Data(SHA256.hash(data: bytes))
    try db.run(
      "INSERT OR IGNORE INTO dav_card (digest, card) VALUES (?, ?)", [digest, Data(bytes)])
    return Int64(try db.number("SELECT id FROM dav_card WHERE digest = ?", [digest]))
  }

  // MARK: Upkeep

  /// Forgets some of the former cards that were read long ago, and of the cards of passwords that are not used any more.
  /// - Parameter limit: The maximum number of each.
  /// - Returns: whether there may be more.
  func expire(limit: Int, now: Timestamp) throws -> Bool {
    let oldest = Self.day(now) - Self.days
    try db.run(
      """
      DELETE FROM dav_base WHERE (record, password, card) IN (
        SELECT record, password, card FROM dav_base WHERE day < ?1 AND (card > 0
          OR NOT EXISTS (SELECT 1 FROM dav_password WHERE id = password AND used >= ?2))
        ORDER BY day LIMIT ?3)
      """, [oldest, oldest * Self.dayMicroseconds, limit])
    let bases = db.changesCount
    try db.run(
      """
      DELETE FROM dav_card WHERE id IN (
        SELECT id FROM dav_card
        WHERE NOT EXISTS (SELECT 1 FROM dav_base WHERE dav_base.card = dav_card.id AND card > 0)
        LIMIT ?)
      """, [limit])
    return max(bases, db.changesCount) == limit
  }

  /// Forgets the cards that no client has any more.
  func forgetOrphans() throws {
    try db.run(
      """
      DELETE FROM dav_card WHERE NOT EXISTS (
        SELECT 1 FROM dav_base WHERE dav_base.card = dav_card.id AND card > 0)
      """)
  }

  private static func day(_ time: Timestamp) -> Int64 { time.microseconds / dayMicroseconds }
}
