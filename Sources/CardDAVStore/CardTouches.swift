// Changes of cards without an event: a picture has arrived, a group has another member, or a client shall read again.

import DeviceStore
import GRDB
import Records
import SQLiteFile

/// The cards that changed without an event.
package struct CardTouches {
  private let db: Database

  /// The touched cards of a database.
  package init(_ db: Database) { self.db = db }

  /// Gives a card another tag, so that the clients of its book read it again.
  package func touch(_ record: Int64, in zone: Int64) throws {
    try db.run("UPDATE dav_state SET touches = touches + 1")
    try db.run(
      "INSERT OR REPLACE INTO dav_touched SELECT ?, ?, touches FROM dav_state", [record, zone])
  }
}
