// What the broker removes by its own hand, some records at a time: those that an account made in the
// public database and that go with it. They are deleted as anybody's are, by the same plan, so that who
// subscribed to them is told and what refers to them goes too; only nobody is asked for a right, and no
// device's number is used.

import Records

/// The removal of some records of one zone.
package struct RemovalRequest: Sendable {
  /// The request as a plan takes it.
  package let request: ModifyRequest
  /// Before the request there was none.
  package let numbers = StoredNumbers(
    last: .zero, acknowledged: .zero, outcome: nil, isRevoked: false)
  /// Everything is allowed.
  package let publicRights = PublicRights.unbounded

  /// The most records of one, so that commits wait for milliseconds only.
  package static let recordsMaximum = 100

  /// Removes records of a zone.
  package init(removing names: [RecordName], from zone: ZoneID) {
    let operations = names.map {
      Operation.delete(Operation.Delete(name: $0, tag: nil, isForced: true))
    }
    request = ModifyRequest(
      number: RequestNumber.zero.next, acknowledged: .zero,
      groups: operations.map { OperationGroup(zone: zone, operations: [$0]) })
  }
}

/// What a step of removing came to.
package struct RemovedRecords: Sendable {
  /// Whom it concerns.
  package var effects: CommitEffects
  /// Whether there is more to do.
  package var isMore: Bool
  /// Whether that has to wait a moment, because something else has to be done first.
  package var isPutOff: Bool

  /// A step's result.
  package init(
    effects: CommitEffects = CommitEffects(), isMore: Bool = false, isPutOff: Bool = false
  ) {
    self.effects = effects
    self.isMore = isMore
    self.isPutOff = isPutOff
  }
}
