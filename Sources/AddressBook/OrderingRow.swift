// In which language a device's lists stand, and in which they will. Places made in one language, or
// with one version of the library's tables, say nothing in another; so each set is a generation. A
// new one is made beside the one that is read, page by page, and takes over in one step.

import Collation
import Contacts
import DeviceStore
import GRDB
import SQLiteFile

/// The languages of a device's lists.
struct OrderingRow {
  /// One set of places.
  struct Generation {
    let number: Int64
    let ordering: ContactCollator
  }

  /// What lists read.
  var current: Generation
  /// What is being made; `nil` when nothing is.
  var next: Generation?
  /// The version of the words of `current`.
  var words: String
  /// The version of the places of `current`.
  var version: String
  /// The record up to which what is being made is made.
  var done: Int64 = 0

  /// The generations that a changed contact is entered in.
  var generations: [Generation] { [current] + (next.map { [$0] } ?? []) }

  /// The first ordering of a device.
  init(first language: Language) {
    let ordering = ContactCollator.of(language)
    current = Generation(number: 1, ordering: ordering)
    words = ContactSearch.version
    version = ordering.version
  }

  private init(_ row: Row) {
    let number: Int64 = row["generation"]
    current = Generation(number: number, ordering: .of(Language(row["language"] as String)))
    words = row["words"]
    version = row["version"]
    done = row["done"]
    if let language = row["next_language"] as String? {
      next = Generation(number: number + 1, ordering: .of(Language(language)))
    }
  }

  /// The device's row; `nil` before its first start.
  static func load(_ db: Database) throws -> OrderingRow? {
    try db.first(
      "SELECT * FROM contact_ordering WHERE id = 1", [], decode: OrderingRow.init)
  }

  /// Writes the row.
  func store(_ db: Database) throws {
    try db.run(
      "INSERT OR REPLACE INTO contact_ordering VALUES (1, ?, ?, ?, ?, ?, ?, ?)",
      [
        current.number, current.ordering.language.description, version, words,
        next?.ordering.language.description, next?.ordering.version, done,
      ])
  }
}
