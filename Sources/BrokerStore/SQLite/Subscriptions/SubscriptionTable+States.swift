import BrokerCore
import FoundationEssentials
import GRDB
import Records
import RecordsWire

/// Subscriptions as an account's devices see them.
extension SubscriptionTable {
  /// Returns the subscriptions of an account that were saved, deactivated or switched off after `revision`,
  /// in that order. For revision zero these are the active ones only.
  func states(
    of owner: SubscriptionBook.Owner, after revision: Revision
  ) throws -> [SubscriptionState] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT id, bytes, failure, state FROM subscription
          WHERE container = ?1 AND account = ?2 AND revision > ?3 AND (?3 > 0 OR state = 0)
          ORDER BY revision
          """), arguments: [owner.container, owner.account, revision.value]
    ).map { try Self.state(of: $0, from: 0) }
  }

  /// Returns a page of an account's active subscriptions whose IDs follow `id`, in order of their IDs, and
  /// whether it is the last page.
  func page(
    of owner: SubscriptionBook.Owner, after id: SubscriptionID?
  ) throws -> (states: [SubscriptionState], isWhole: Bool) {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT id, bytes, failure, state FROM subscription
        WHERE container = ? AND account = ? AND id > ? AND state = 0 ORDER BY id
        """, arguments: [owner.container, owner.account, id?.text ?? ""])
    var states: [SubscriptionState] = []
    var byteCount = 0
    while let row = try rows.next() {
      guard states.count < BrokerLimits.subscriptionsPerPage, byteCount < BrokerLimits.pageBytes
      else { return (states, false) }
      byteCount += (row[1] as Data).count
      states.append(try Self.state(of: row, from: 0))
    }
    return (states, true)
  }

  /// Decodes `id, bytes, failure, state`, starting at a column.
  static func state(of row: Row, from column: Int) throws -> SubscriptionState {
    let isActive = row[column + 3] == State.active.rawValue
    let bytes: Data? = isActive ? row[column + 1] : nil
    return SubscriptionState(
      id: SubscriptionID(stored: row[column]),
      form: try bytes.map { try SubscriptionForm(encoded: [UInt8]($0)) },
      failure: isActive ? (row[column + 2] as String?).map(Self.failure) : nil)
  }

  /// The error that the account sees for a subscription that was switched off for this reason.
  static func failure(_ reason: String) -> RecordsError {
    RecordsError(
      .limitExceeded, reason, hint: "Save the subscription again with another predicate.",
      field: "predicate", reason: "switchedOff")
  }
}
