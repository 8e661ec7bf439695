// The log of events as its watchers know it. Its numbers begin at 1 in every new database, so a number
// alone does not tell which log it is of. The incarnation does: it is drawn at random when a database
// first opens with this table, and again when the device takes a new identity.

import Foundation
import GRDB
import Records
import SQLiteFile

/// Which log of events a device has, and how far it is.
package struct EventLog: Hashable, Sendable {
  /// Sixteen hexadecimal digits that no other log has.
  package let incarnation: String
  /// The number of the newest event; 0 before the first.
  package let last: Int64

  static let schema = """
    CREATE TABLE event_log (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      incarnation TEXT NOT NULL
    ) STRICT;

    """

  /// Draws the incarnation of a database that has none.
  static func begin(_ db: Database, using generator: inout some RandomNumberGenerator) throws {
    guard try db.number("SELECT count(*) FROM event_log") == 0 else { return }
    try renew(db, using: &generator)
  }

  /// Draws a new incarnation: what follows is another log to those who watch.
  static func renew(_ db: Database, using generator: inout some RandomNumberGenerator) throws {
    let digits = String(generator.next(), radix: 16)
    let incarnation = String(repeating: "0", count: 16 - digits.count) + digits
    try db.run("INSERT OR REPLACE INTO event_log VALUES (1, ?)", [incarnation])
  }
}

extension DeviceReader {
  /// The log of events, with the number of its newest.
  package func eventLog() throws -> EventLog {
    try database.read { db in
      let row = try db.row(
        "SELECT incarnation, (SELECT last_event FROM identity) AS last FROM event_log")
      guard let row else {
        throw StoreError(.damaged, "The database lacks the row of the log of events.")
      }
      return EventLog(incarnation: row["incarnation"], last: row["last"])
    }
  }
}
