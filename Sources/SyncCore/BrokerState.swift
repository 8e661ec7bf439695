// The known state of one record on the broker. A record that does not exist has a state too. If it is known from a
// tombstone, it has a tag, so that older changes of the record can be distinguished from newer ones.

import Records

/// The broker's state of one record.
package struct BrokerState: Hashable, Sendable {
  /// The revision of the last change; `nil` if the broker has never mentioned the record.
  package var tag: Revision?
  /// The fields; `nil` if the record does not exist.
  package var fields: Fields?
  /// The time and author of the creation; `nil` while only a request of this device is known whose outcome has no time.
  package var created: Stamp?
  /// The time and author of the last change; `nil` in the same case, and while only this device's deletion is known.
  package var modified: Stamp?
  /// The move that deleted the record in this zone; `nil` if the record exists, or was deleted without a move.
  package var move: MoveID?
  /// What the state contains of former histories; `nil` if it was never saved from one.
  package var former: FormerVersion?

  package init(
    tag: Revision?, fields: Fields?, created: Stamp? = nil, modified: Stamp? = nil,
    move: MoveID? = nil, former: FormerVersion? = nil
  ) {
    self.former = former
    self.tag = tag
    self.fields = fields
    self.created = created
    self.modified = modified
    self.move = move
  }

  /// The state of a record that the broker has never mentioned.
  package static let unknown = BrokerState(tag: nil, fields: nil)

  /// Creates the state after a change.
  /// - Throws: the errors of `EncodedRecord.fields`.
  package init(_ change: Change) throws(RecordsError) {
    self.init(change, fields: change.kind == .saved ? try change.record.fields() : nil)
  }

  /// Creates the state after a change whose fields are decoded; `nil` for one that did not save the record.
  package init(_ change: Change, fields: Fields?) {
    tag = change.tag
    self.fields = fields
    created = change.created
    modified = change.modified
    move = change.move
    former = change.former
  }

  /// Whether the record is known to be missing without a tombstone, because a resync did not find it.
  package var isAbsence: Bool { fields == nil && modified == nil }

  /// Whether this state is not newer than `other`.
  package func isOld(beside other: BrokerState) -> Bool {
    guard let tag, let known = other.tag else { return false }
    return tag <= known
  }
}
