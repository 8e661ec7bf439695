// Decides which changes can alter the result of a query, so that a program that observes one computes it again only
// then. It never misses a change; it can report one that leaves the result as it was.

import DeviceStore
import Predicates
import Records

/// Decides from the changes of a transaction whether the result of a query may have changed.
package struct QueryWatch: Sendable {
  /// A change of a record as people see it.
  package struct SeenChange: Hashable, Sendable {
    /// The record's zone, with the owner `.current` if it is the account's own.
    package let zone: ZoneID
    /// The record's type.
    package let type: RecordType
    /// Its fields before; `nil` if it is new to people.
    package let before: Fields?
    /// Its fields afterwards; `nil` if people no longer see it. Equal to `before` if only dates or authors changed.
    package let after: Fields?

    package init(zone: ZoneID, type: RecordType, before: Fields?, after: Fields?) {
      self.zone = zone
      self.type = type
      self.before = before
      self.after = after
    }

    /// The change that a projection is given.
    package init(_ record: ProjectedRecord) {
      self.init(
        zone: record.zone, type: record.type, before: record.former, after: record.fields)
    }
  }

  private let query: RecordQuery
  private let zone: ZoneID?
  /// Whether the fields alone decide which records match.
  private let isDecidedByFields: Bool

  /// Watches the result of `query`.
  /// - Parameter account: The account of the device, if it knows it.
  package init(_ query: RecordQuery, account: AccountID?) {
    self.query = query
    zone = query.zone.map { zone in account.map(zone.relative) ?? zone }
    isDecidedByFields = !query.predicate.usesNow && !query.predicate.usesSystemFields
  }

  /// Returns whether the result may have changed.
  /// - Complexity: An evaluation of the predicate for each change of the query's type, a microsecond or more, until
  ///   the first that concerns the result.
  package func mayChange(by changes: some Sequence<SeenChange>) -> Bool {
    let candidates = changes.lazy.filter { $0.type == query.type && reads($0.zone) }
    guard isDecidedByFields else { return candidates.contains { _ in true } }
    guard var evaluator = try? PredicateEvaluator(query.predicate, now: nil) else { return true }
    for change in candidates {
      for fields in [change.before, change.after] {
        if let fields, evaluator.mayMatch(fields) { return true }
      }
    }
    return false
  }

  /// Returns whether the query reads a zone, so that its result may change when the zone appears or disappears.
  package func reads(_ zone: ZoneID) -> Bool {
    if let wanted = self.zone { return zone == wanted }
    return switch query.database {
    case .private: zone.owner == .current
    case .shared: zone.owner != .current && !zone.isPublic
    case .public: zone.isPublic
    }
  }
}

extension PredicateEvaluator {
  /// Whether the predicate matches a record with these fields, or is too costly to decide. It reads no system fields.
  fileprivate mutating func mayMatch(_ fields: Fields) -> Bool {
    let origin = Origin(account: .current, device: DeviceID(0), request: .zero)
    let stamp = Stamp(time: Timestamp(microseconds: 0), origin: origin)
    let system = SystemFields(name: RecordName(stored: ""), created: stamp, modified: stamp)
    return run(
      on: EncodedRecord(fields), system, stepsMaximum: PredicateLimits.stepsPerBriefRun) != .no
  }
}
