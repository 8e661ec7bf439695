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
}
