import Predicates
import Records

/// The records of all pages of a query.
package struct QueryPages: Hashable {
  private var pages: [[RecordID]] = []

  /// The records of all pages, in order.
  package var records: [RecordID] { pages.flatMap(\.self) }

  /// Creates the pages of a query with no page yet.
  package init() {}

  /// Reads all pages of a query with `read`, which returns a page and its cursor.
  package init(
    of query: RecordQuery,
    _ read: (QueryCursor?) throws -> (records: [RecordID], cursor: QueryCursor?)
  ) throws {
    var cursor: QueryCursor?
    repeat {
      let page = try read(cursor)
      add(page.records)
      // A program stores cursors as bytes.
      cursor = try page.cursor.map { try QueryCursor(bytes: $0.bytes, of: query) }
    } while cursor != nil
  }

  /// Adds a page.
  package mutating func add(_ page: [RecordID]) { pages.append(page) }
}
