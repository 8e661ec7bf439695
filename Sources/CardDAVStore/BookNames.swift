// The names of books that clients made. A client goes on with the address at which it made a book.

import DeviceStore
import GRDB
import Records
import SQLiteFile

/// The names that clients chose for books.
package struct BookNames {
  private let db: Database

  /// The names of a database.
  package init(_ db: Database) { self.db = db }

  /// The chosen names by zone, and only of those that have one.
  package func all() throws -> [Int64: String] {
    Dictionary(
      uniqueKeysWithValues: try db.rows("SELECT zone, resource FROM dav_book").map {
        ($0["zone"] as Int64, $0["resource"] as String)
      })
  }

  /// Names a book as its client does.
  package func name(_ zone: ZoneID, _ name: String) throws {
    guard let row = try DeviceReader.row(of: zone, db) else { return }
    try db.run("INSERT OR REPLACE INTO dav_book VALUES (?, ?)", [row, name])
  }
}
