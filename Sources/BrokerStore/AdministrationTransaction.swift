// What the broker needs of a database for its administrators: orders, and what it has seen of its clock.

import BrokerCore
import Records

/// Orders, inside a transaction.
package protocol AdministrationTransaction {
  /// Carries out an order; `identifiers` are used for what is new.
  /// - Throws: `RecordsError` `unknownItem` or `constraintViolation`, and nothing was changed.
  func administer(
    _ order: AdministrativeRequest, identifiers: NewIdentifiers, at now: Timestamp
  ) throws -> AdministrationOutcome

  /// Notes what time it is. Returns how the clock moved, and what it has seen of it.
  /// - Parameter seconds: what is older, nobody asks for.
  func watchClock(
    _ now: Timestamp, forgettingAfterSeconds seconds: Int64
  ) throws -> (movement: WatchedTime.Movement, watched: WatchedTime)
}
