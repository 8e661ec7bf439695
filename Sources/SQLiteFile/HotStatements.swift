// Finding a compiled statement by its text takes 1,500 instructions, most of them for the hash of the text. A transaction
// that runs the same statements for thousands of records finds them by number instead.

import GRDB
import Synchronization

/// The text of a statement that is run for each of many records. Declared once, as a constant.
package struct HotSQL: Sendable {
  let text: String
  /// The number among all texts of the process.
  let number: Int

  private static let count = Atomic(0)

  /// Numbers `text`.
  package init(_ text: String) {
    self.text = text
    number = Self.count.wrappingAdd(1, ordering: .relaxed).oldValue
  }
}

/// The compiled statements of one transaction.
package struct HotStatements {
  private let db: Database
  private var compiled: [HotStatement?] = []

  /// Begins without statements.
  package init(_ db: Database) {
    self.db = db
  }

  /// Returns the compiled statement. While it has rows to read, the same text must not be run in another way.
  package mutating func statement(_ sql: HotSQL) throws -> HotStatement {
    if sql.number < compiled.count, let known = compiled[sql.number] { return known }
    let statement = try HotStatement(borrowing: sql.text, from: db)
    while compiled.count <= sql.number { compiled.append(nil) }
    compiled[sql.number] = statement
    return statement
  }
}
