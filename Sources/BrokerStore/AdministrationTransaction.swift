import BrokerCore
import Records

/// Administrative requests, inside a transaction.
package protocol AdministrationTransaction {
  /// Applies a request. `identifiers` has the ids of new rows.
  /// - Throws: `RecordsError` `unknownItem` or `constraintViolation`. Then nothing was changed.
  func administer(
    _ request: AdministrativeRequest, identifiers: NewIdentifiers, at now: Timestamp
  ) throws -> AdministrationOutcome
}
