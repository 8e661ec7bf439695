import Predicates
import Records

/// Draws queries.
package enum RandomQueries {
  private static let keys: [FieldPath] =
    ["name", "age", "score", "city", "born", "tags"].map { .field(FieldKey(stored: $0)) }
    + SystemField.allCases.map(FieldPath.system)

  /// Returns a query for one of `types`, in one of `zones` or all of them.
  package static func query(
    types: [RecordType], zones: [ZoneID], _ generator: inout SeededGenerator
  ) throws -> RecordQuery {
    let sort = (0..<generator.below(3)).map { _ in
      SortKey(generator.one(of: keys), isAscending: generator.percent(50))
    }
    let isInOneZone = !zones.isEmpty && generator.percent(50)
    return try RecordQuery(
      type: generator.one(of: types), zone: isInOneZone ? generator.one(of: zones) : nil,
      predicate: generator.percent(20)
        ? .constant(true) : RandomPredicates.predicate(&generator),
      sort: sort, limit: 1 + generator.below(15))
  }
}
