// What the broker needs of a database for its administrators: orders, and whether its clock can be
// trusted.

import BrokerCore
import Records

/// Orders, inside a transaction.
package protocol AdministrationTransaction {
  /// Carries out an order; `identifiers` are used for what is new.
  /// - Throws: `RecordsError` `unknownItem` or `constraintViolation`, and nothing was changed.
  func administer(
    _ order: AdministrationOrder, identifiers: NewIdentifiers, at now: Timestamp
  ) throws -> AdministrationOutcome

  /// Notes what time it is. Returns whether what is old may be removed: not after a leap that
  /// nobody has confirmed (see `ClockGuard`).
  func lookAtClock(_ now: Timestamp) throws -> Bool
}
