import BrokerCore
import Records
import RecordsWire
import SQLConnections

/// Subscriptions as an account's devices see them.
extension SubscriptionTable {
  /// Returns the subscriptions of an account that were saved, deactivated or switched off after `revision`,
  /// in that order. For revision zero these are the active ones only.
  func states(
    of owner: SubscriptionBook.Owner, after revision: Revision
  ) throws -> [SubscriptionState] {
    try db.rows(
      """
      SELECT id, bytes, failure, state FROM subscription
      WHERE container = ?1 AND account = ?2 AND revision > ?3 AND (?3 > 0 OR state = 0)
      ORDER BY revision
      """, [owner.container, owner.account, revision.value]
    ).map { try Self.state(of: $0, from: 0) }
  }

  /// Returns a page of an account's active subscriptions whose IDs follow `id`, in order of their IDs, and
  /// whether it is the last page.
  func page(
    of owner: SubscriptionBook.Owner, after id: SubscriptionID?
  ) throws -> (states: [SubscriptionState], isWhole: Bool) {
    let page = try db.statement(
      """
      SELECT id, bytes, failure, state FROM subscription
      WHERE container = ? AND account = ? AND id > ? AND state = 0 ORDER BY id
      """)
    var states: [SubscriptionState] = []
    var byteCount = 0
    var isWhole = true
    try page.scan([owner.container, owner.account, id?.text ?? ""]) { row in
      isWhole =
        states.count < BrokerLimits.subscriptionsPerPage && byteCount < BrokerLimits.pageBytes
      guard isWhole else { return false }
      byteCount += row.bytes(1).count
      states.append(try Self.state(of: SQLRow(of: row), from: 0))
      return true
    }
    return (states, isWhole)
  }

  /// Decodes `id, bytes, failure, state`, starting at a column.
  static func state(of row: SQLRow, from column: Int) throws -> SubscriptionState {
    let isActive = row[column + 3] == State.active.rawValue
    let bytes: [UInt8]? = isActive ? row[column + 1] : nil
    return SubscriptionState(
      id: SubscriptionID(stored: row[column]),
      form: try bytes.map { try SubscriptionForm(encoded: $0) },
      failure: isActive ? (row[column + 2] as String?).map(Self.failure) : nil)
  }

  /// The error that the account sees for a subscription that was switched off for this reason.
  static func failure(_ reason: String) -> RecordsError {
    RecordsError(
      .limitExceeded, reason, hint: "Save the subscription again with another predicate.",
      field: "predicate", reason: "switchedOff")
  }
}
