// Parses a query form. The broker and a device's local cache both use this, so that they accept the same
// queries and report the same errors.

import Records

extension RecordQuery {
  /// Parses and validates a form, except for its cursor, which `QueryCursor` decodes.
  /// - Throws: `invalidArguments` or `limitExceeded` with the invalid field and, in the predicate, the
  ///   column.
  package init(_ form: QueryForm) throws(RecordsError) {
    let predicate: Predicate
    do throws(RecordsError) {
      predicate = try Predicate(form.predicate.text, arguments: form.predicate.arguments)
    } catch {
      var named = error
      named.field = named.field ?? "predicate"
      throw named
    }
    var sort: [SortKey] = []
    for order in form.sort { sort.append(try SortKey(order)) }
    try self.init(
      type: form.type, database: form.database, zone: form.zone, predicate: predicate, sort: sort,
      desiredKeys: form.desiredKeys, limit: form.limit == 0 ? QueryLimits.pageRecords : form.limit)
  }
}

extension SortKey {
  fileprivate init(_ order: QueryForm.SortOrder) throws(RecordsError) {
    if let system = SystemField.allCases.first(where: { $0.text == order.key }) {
      self.init(.system(system), isAscending: !order.isDescending)
      return
    }
    do throws(RecordsError) {
      self.init(.field(try FieldKey(order.key)), isAscending: !order.isDescending)
    } catch {
      throw .invalid("The sort key “\(order.key)” is not a field.", field: "sort")
    }
  }
}
