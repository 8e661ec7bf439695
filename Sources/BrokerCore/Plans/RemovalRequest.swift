// Removes the public-database records of a deleted account, some at a time. The removal is planned like any
// modify request, so subscribers are notified and referring records are deleted as well. It needs no
// permission and uses no device's request number.

import Records

/// A request to remove some records of one zone.
package struct RemovalRequest: Sendable {
  /// The request for `ModifyPlanner`.
  package let request: ModifyRequest
  /// The request numbers of a device without earlier requests.
  package let numbers = StoredNumbers(
    last: .zero, acknowledged: .zero, outcome: nil, isRevoked: false)
  /// The rights that allow every operation.
  package let publicRights = PublicRights.unbounded

  /// The maximum number of records in one request, so that commits are delayed by milliseconds only.
  package static let recordsMaximum = 100

  /// Creates a request to remove the records `names` from `zone`.
  package init(removing names: [RecordName], from zone: ZoneID) {
    let operations = names.map {
      Operation.delete(Operation.Delete(name: $0, tag: nil, isForced: true))
    }
    request = ModifyRequest(
      number: RequestNumber.zero.next, acknowledged: .zero,
      groups: operations.map { OperationGroup(zone: zone, operations: [$0]) })
  }
}

/// The result of one removal step.
package struct RemovedRecords: Sendable {
  /// The effects of the commit on connected clients.
  package var effects: CommitEffects
  /// Whether records are left to remove.
  package var isMore: Bool
  /// Whether the next step must wait for other work, such as a pending cascade.
  package var isDeferred: Bool

  package init(
    effects: CommitEffects = CommitEffects(), isMore: Bool = false, isDeferred: Bool = false
  ) {
    self.effects = effects
    self.isMore = isMore
    self.isDeferred = isDeferred
  }
}
