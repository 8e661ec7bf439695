// The tables of the first published version, for tests of migrations.

import AddressBook
import GRDB

@testable import DeviceStore

extension DeviceDatabase {
  /// Makes a file as the first published tables had it, with a command and an edit that waits.
  static func makeFirst(path: String) throws {
    let file = try DatabaseQueue(path: path)
    try file.writeWithoutTransaction { try $0.execute(sql: "PRAGMA application_id = 1129604214") }
    try Schema.migrator([]).migrate(file, upTo: "1 records, outbox, contacts, events")
    try file.write { db in
      try AddressBook.schema[0].migrate(db)
      try db.execute(
        sql: """
          INSERT INTO hook VALUES ('s', 'cat', x'', 0, NULL);
          INSERT INTO outbox (zone, name, kind, asked, deletion, edits) VALUES (9, 'a', 0, 1, 0, 1);
          """)
    }
    try file.close()
  }
}
