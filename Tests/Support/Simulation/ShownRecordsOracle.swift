// The expected pages of a query on a device, computed from everything that the device shows: without SQL conditions,
// indexes or an order of reading, and with the predicates evaluated a second time by the plain evaluation.

import DeviceStore
import PredicateWorld
import Predicates
import Records

/// The records that a device shows, with the pages that queries must have.
package struct ShownRecordsOracle {
  private let views: [RecordView]
  private let account: AccountID
  private let now: Timestamp

  /// Reads all zones of the device, whose records all have the device's account as author.
  package init(_ reader: DeviceReader, now: Timestamp) throws {
    views = try reader.zones().flatMap { try reader.records(in: $0.zone) }
    account = try reader.status().account ?? .current
    self.now = now
  }

  /// Returns the pages, computed from the records in a random order.
  package func pages(
    of query: RecordQuery, _ generator: inout SeededGenerator
  ) throws -> QueryPages {
    var pages = QueryPages()
    var cursor: QueryCursor?
    repeat {
      var run = try QueryRun(query, from: cursor, now: now)
      for view in views.shuffled(using: &generator) where isRead(view, by: query) {
        try run.look(at: change(view), in: view.id.zone)
      }
      let page = run.page()
      pages.add(page.records.map { RecordID(zone: $0.zone, name: $0.change.name) })
      cursor = page.cursor
    } while cursor != nil
    return pages
  }

  /// Checks that the pages have each record for which the predicate holds, once.
  /// - Throws: `InvariantViolation`.
  package func check(_ pages: QueryPages, of query: RecordQuery) throws {
    let expected = views.filter { view in
      view.type == query.type && isRead(view, by: query)
        && PlainEvaluation(view.fields, SystemFields(change(view)), now: now)
          .holds(query.predicate)
    }
    let found = pages.records
    guard found.count == expected.count, Set(found) == Set(expected.map(\.id)) else {
      throw InvariantViolation("query", "\(query): \(found), not \(expected.map(\.id))")
    }
  }

  private func isRead(_ view: RecordView, by query: RecordQuery) -> Bool {
    query.zone.map { $0 == view.id.zone } ?? true
  }

  private func change(_ view: RecordView) -> Change {
    Change(
      name: view.id.name, tag: .zero, kind: .saved, type: view.type, created: stamp(view.created),
      modified: stamp(view.modified), record: EncodedRecord(view.fields))
  }

  private func stamp(_ time: Timestamp) -> Stamp {
    let origin = Origin(account: account, device: DeviceID(0), request: .zero)
    return Stamp(time: time, origin: origin)
  }
}
