// What tests look at behind the store's back.

import GRDB

@testable import DeviceStore

extension DeviceDatabase {
  /// A numeric pragma of the writer.
  func setting(_ name: String) throws -> Int? {
    try writer.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA \(name)") }
  }

  /// Leaves no more room on the disk.
  func fill() throws {
    try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1") }
  }

  /// Copies everything, as a copied state directory would be.
  func copy(to other: DeviceDatabase) throws {
    try writer.backup(to: other.writer)
  }
}

extension DeviceDatabase {
  /// The tables in which `text` stands anywhere.
  func tables(holding text: String) throws -> [String] {
    try writer.read { db in
      let names = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
            AND name NOT LIKE 'contact_text_%' ORDER BY rowid
          """)
      return try names.filter { name in
        try Row.fetchAll(db, sql: "SELECT * FROM \(name)").contains { row in
          row.databaseValues.contains { value in
            switch value.storage {
            case .string(let string): string.contains(text)
            case .blob(let bytes): bytes.firstRange(of: Array(text.utf8)) != nil
            case .null, .int64, .double: false
            }
          }
        }
      }
    }
  }
}
