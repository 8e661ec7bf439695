import Records
import SwiftProtobuf

extension HistoryPage {
  init(_ wire: WireHistoryPage) throws(RecordsError) {
    try checkCount(
      wire.states.count, of: "Versions in a history page", limit: Limits.versionsPerPage)
    var states: [State] = []
    for state in wire.states {
      states.append(
        State(
          change: try Change(state.change),
          superseded: Timestamp(microseconds: state.supersededMicroseconds)))
    }
    self.init(states: states, isWhole: wire.isWhole)
  }

  var wire: WireHistoryPage {
    .with {
      $0.states = states.map { state in
        .with {
          $0.change = state.change.wire
          $0.supersededMicroseconds = state.superseded.microseconds
        }
      }
      $0.isWhole = isWhole
    }
  }
}

extension TrashPage {
  init(_ wire: WireTrashPage) throws(RecordsError) {
    var items: [Item] = []
    for record in wire.records {
      items.append(Item(tombstone: try Change(record.tombstone), last: try Change(record.last)))
    }
    self.init(items: items, next: try Revision(wireOrNone: wire.next))
  }

  var wire: WireTrashPage {
    .with {
      $0.records = items.map { item in
        .with {
          $0.tombstone = item.tombstone.wire
          $0.last = item.last.wire
        }
      }
      $0.next = next?.wire ?? 0
    }
  }
}

extension Revision {
  /// Decodes a revision for which 0 means that there is none.
  init?(wireOrNone value: UInt64) throws(RecordsError) {
    guard value != 0 else { return nil }
    try self.init(wire: value)
  }
}
