// A list in the order of an index. Contacts that the indexes do not have yet are read, sorted and merged into it.

import DeviceStore
import GRDB
import SQLiteFile

extension ContactPager {
  /// The next contacts of the whole list, or of a group's.
  func walk(after cursor: PageCursor?) throws -> [Found] {
    var arguments = StatementArguments()
    return try found(listing(after: cursor, limit: limit + 1, &arguments), arguments)
  }

  /// A statement for the next `limit` contacts of the list: `record` and `place`, in order.
  func listing(
    after cursor: PageCursor?, limit: Int, _ arguments: inout StatementArguments
  ) throws -> String {
    let columns = "SELECT \(rows).record AS record, \(column) AS place FROM"
    let filter = conditions(after: cursor, isIndexed: order == .modified ? nil : true, &arguments)
    let indexed = "\(columns) \(try table()) \(filter) \(ending) LIMIT \(limit)"
    guard order != .modified, try deferred.exist else { return indexed }
    let rest = conditions(after: cursor, isIndexed: false, &arguments)
    return """
      SELECT record, place FROM (
        SELECT * FROM (\(indexed))
        UNION ALL
        SELECT * FROM (\(columns) contact_deferred
          CROSS JOIN contact_place ON contact_place.record = contact_deferred.record \(rest)
          \(ending) LIMIT \(limit)))
      ORDER BY place, record LIMIT \(limit)
      """
  }

  /// The contacts that the indexes do not have yet.
  var deferred: DeferredContacts { DeferredContacts(db) }

  /// The table of the column that is sorted by.
  var rows: String { order == .modified ? "contact" : "contact_place" }

  /// The conditions on zone and place, with `WHERE`.
  /// - Parameter isIndexed: `nil` for all contacts.
  func conditions(
    after cursor: PageCursor?, isIndexed: Bool?, _ arguments: inout StatementArguments
  ) -> String {
    let table = rows
    var conditions: [String] = []
    // NB: without this literal term, SQLite would not use the lists' indexes.
    if let isIndexed { conditions.append("contact_place.indexed = \(isIndexed ? 1 : 0)") }
    if order != .modified {
      conditions.append("contact_place.generation = ?")
      arguments += [generation]
    }
    if let zone {
      conditions.append("\(table).zone = ?")
      arguments += [zone]
    }
    if let cursor {
      let (sign, bound) = order == .modified ? ("<", "<=") : (">", ">=")
      conditions.append("\(column) \(bound) ? AND (\(column), \(table).record) \(sign) (?, ?)")
      arguments += [cursor.place, cursor.place, cursor.record]
    }
    return conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
  }

  /// The order of the rows.
  var ending: String {
    order == .modified
      ? "ORDER BY contact.modified DESC, contact.record DESC"
      : "ORDER BY \(column), contact_place.record"
  }
}
