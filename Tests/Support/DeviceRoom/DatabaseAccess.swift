// What tests look at behind the store's back.

import DeviceStore
import Foundation
import GRDB

extension DeviceDatabase {
  /// A numeric pragma of the writer.
  package func setting(_ name: String) throws -> Int? {
    try writer.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA \(name)") }
  }

  /// Leaves no more room on the disk.
  package func fill() throws {
    try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1") }
  }

  /// Makes room again.
  package func makeRoom() throws {
    try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1000000") }
  }

  /// The tables refuse a row from now on.
  package func refuse(insertsInto table: String, where condition: String) throws {
    try writer.write {
      try $0.execute(
        sql: """
          CREATE TRIGGER refused_\(table) BEFORE INSERT ON \(table) WHEN \(condition) BEGIN
            SELECT RAISE(ABORT, 'refused');
          END
          """)
    }
  }

  /// The tables refuse changes of a row from now on, or do so no longer.
  package func refuse(updatesOf table: String, where condition: String?) throws {
    try writer.write {
      try $0.execute(sql: "DROP TRIGGER IF EXISTS refused_update_\(table)")
      guard let condition else { return }
      try $0.execute(
        sql: """
          CREATE TRIGGER refused_update_\(table) BEFORE UPDATE ON \(table) WHEN \(condition) BEGIN
            SELECT RAISE(ABORT, 'refused');
          END
          """)
    }
  }

  /// The tables keep a row from being deleted from now on.
  package func refuse(deletionsFrom table: String, where condition: String) throws {
    try writer.write {
      try $0.execute(
        sql: """
          CREATE TRIGGER refused_deletion_\(table) BEFORE DELETE ON \(table) WHEN \(condition) BEGIN
            SELECT RAISE(ABORT, 'refused');
          END
          """)
    }
  }

  /// The plans of a trigger's statements.
  package func plan(ofTrigger name: String) throws -> [String] {
    try writer.read { db in
      let sql = try String.fetchOne(
        db, sql: "SELECT sql FROM sqlite_schema WHERE name = ?", arguments: [name])
      let body = sql?.components(separatedBy: "BEGIN").last?.components(separatedBy: "END").first
      return try (body ?? "").components(separatedBy: ";").flatMap { statement -> [String] in
        guard !statement.allSatisfy(\.isWhitespace) else { return [] }
        let plain = statement.replacingOccurrences(
          of: "(OLD|NEW)\\.(zone|source|target|kind)", with: "1", options: .regularExpression
        ).replacingOccurrences(
          of: "(OLD|NEW)\\.name", with: "'a'", options: .regularExpression)
        return try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(plain)").map { $0["detail"] }
      }
    }
  }

  /// Copies everything, as a copied state directory would be.
  package func copy(to other: DeviceDatabase) throws {
    try writer.backup(to: other.writer)
  }
}

extension DeviceDatabase {
  /// How often a statement that begins like this runs on the writer during `body`.
  package func count(of statement: String, during body: () throws -> Void) throws -> Int {
    let counter = Counter()
    writer.writeWithoutTransaction { db in
      db.trace { event in
        if "\(event)".hasPrefix(statement) { counter.count += 1 }
      }
    }
    try body()
    writer.writeWithoutTransaction { $0.trace(options: []) }
    return counter.count
  }

  // NB: used by one test at a time, on the thread that writes.
  private final class Counter: @unchecked Sendable {
    var count = 0
  }
}

extension DeviceDatabase {
  /// The tables in which `text` stands anywhere.
  package func tables(holding text: String) throws -> [String] {
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
            // A random id of sixteen letters contains a short name now and then.
            case .string(let string):
              " \(string) ".replacing(/[^\p{L}\p{N}]+/, with: " ").contains(" \(text) ")
            case .blob(let bytes): bytes.firstRange(of: Array(text.utf8)) != nil
            case .null, .int64, .double: false
            }
          }
        }
      }
    }
  }
}
