import Records
import SyncCore

/// A transaction of an application: reads and edits of records that take effect together or not at all. Reads see
/// the edits before them. CloudKit has no equivalent; Core Data's is a managed object context that is saved.
package struct EditTransaction {
  /// The transaction, for reads.
  package let transaction: DeviceTransaction
  private var application: EditApplication

  fileprivate init(
    _ transaction: DeviceTransaction, _ action: UserAction, isAsked: Bool
  ) throws {
    self.transaction = transaction
    application = try EditApplication(transaction, isAsked: isAsked, action: action)
  }

  /// The number under which the action can be undone; `nil` if nothing has changed.
  package var action: Int64? { application.action }

  /// Applies edits. A record that moves to another zone is saved there and deleted here in one call.
  /// - Throws: as `Replica.edit`; then none of `edits` is applied, and the transaction can continue.
  package mutating func apply(_ edits: [LocalEdit]) throws {
    var next = application
    try transaction.attempt { try next.add(edits) }
    application = next
  }

  /// Returns a record as people see it; `nil` if there is none.
  /// - Throws: `StoreError`.
  package func record(_ id: RecordID) throws -> RecordView? {
    try DeviceReader.record(id, transaction.db)
  }

  fileprivate mutating func finish() throws -> [ZoneID] {
    try application.finish()
    return application.deletedZones
  }
}

extension Replica {
  /// Runs `body` in one transaction. Its edits are one action, durable on return and sent when the broker can be
  /// reached.
  /// - Parameter isAsked: Whether a person has confirmed the edits. If not, deletions count for the guard, which holds
  ///   them when they become many.
  /// - Returns: the result of `body`, and what the driver has to do.
  /// - Throws: what `body` throws, or `StoreError`; then nothing changed.
  package func edit<Result>(
    as action: UserAction = UserAction(), isAsked: Bool = true, now: Timestamp,
    _ body: (inout EditTransaction) throws -> Result
  ) throws -> (result: Result, actions: [SyncAction]) {
    var result: Result?
    let actions = try transact(now) { transaction, machine in
      var edit = try EditTransaction(transaction, action, isAsked: isAsked)
      result = try body(&edit)
      return try edit.finish().flatMap { machine.abandon($0) }
    }
    guard let result else { preconditionFailure("A transaction without an error has a result.") }
    return (result, actions)
  }
}
