// Cards as clients sent them. A client gets back exactly these bytes until the record changes: some compare them.

import Crypto
import DeviceStore
import Foundation
import GRDB
import Records
import SQLiteFile

/// The cards that are kept as they were sent.
package struct KeptCards {
  /// The maximum size of a card that is kept, in bytes. A larger one has a large picture, which is stored already.
  package static let bytesMaximum = 2 << 20
  /// The length of a tag. It only has to differ from the tag of another card for the same state of a record.
  private static let tagBytes = 6

  private let db: Database

  /// The kept cards of a database.
  package init(_ db: Database) { self.db = db }

  /// Keeps the card of a record. It must say the same as the record.
  /// - Parameter password: The app password whose clients alone get the card; `nil` if every program can read it.
  package func keep(
    _ card: [UInt8], ofRecord record: Int64, onlyForPassword password: Int64? = nil
  ) throws {
    let tag = SHA256.hash(data: card).prefix(Self.tagBytes).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    try db.run(
      "INSERT OR REPLACE INTO dav_kept VALUES (?, ?, ?, ?)", [record, Data(card), tag, password])
  }

  /// Returns the card of a record that the clients of an app password get; `nil` if none is kept for them.
  package func card(ofRecord record: Int64, toPassword password: Int64) throws -> [UInt8]? {
    try db.first(
      "SELECT card FROM dav_kept WHERE record = ? AND (password IS NULL OR password = ?)",
      [record, password]
    ) { row in
      [UInt8](row["card"] as Data)
    }
  }

  /// Whether a card of a record is kept for the clients of an app password.
  package func hasCard(ofRecord record: Int64, toPassword password: Int64) throws -> Bool {
    try db.number(
      """
      SELECT EXISTS (
        SELECT 1 FROM dav_kept WHERE record = ? AND (password IS NULL OR password = ?))
      """, [record, password]) > 0
  }

  /// Forgets the card of a record, which has changed.
  package func forget(_ record: Int64) throws {
    try db.run("DELETE FROM dav_kept WHERE record = ?", [record])
  }
}
