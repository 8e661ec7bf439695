import DeviceStore
import Predicates
import Records

/// Decides which changes can alter the result of a query, so that a program that observes one computes it again only
/// then. It never misses a change; it can report one that leaves the result as it was.
package struct QueryWatch: Sendable {
  private let type: RecordType
  private let database: DatabaseScope
  private let zone: ZoneID?

  /// Watches the result of `query`.
  /// - Parameter account: The account of the device, if it knows it.
  package init(_ query: RecordQuery, account: AccountID?) {
    type = query.type
    database = query.database
    zone = query.zone.map { zone in account.map(zone.relative) ?? zone }
  }

  /// Returns whether a change can alter the result: a record of the query's type in a zone that it reads, or such a
  /// zone itself, which appears or disappears with its records.
  package func isConcerned(by event: LocalEvent) -> Bool {
    (event.type == type || event.type == LocalEvent.groupType) && reads(event.zone)
  }

  /// Returns whether new dates or authors of records can alter the result.
  package func isConcerned(by records: ConfirmedRecords) -> Bool {
    records.type == type && reads(records.zone)
  }

  /// Returns whether the query reads a zone, named with the owner `.current` if it is the account's own.
  package func reads(_ zone: ZoneID) -> Bool {
    if let wanted = self.zone { return zone == wanted }
    return switch database {
    case .private: zone.owner == .current
    case .shared: zone.owner != .current && !zone.isPublic
    case .public: zone.isPublic
    }
  }
}
