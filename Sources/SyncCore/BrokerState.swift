// What the broker is known to have of one record. “Absent” is a state too: it has a tag where a
// tombstone told it, so that older news about the record can be told from newer.

import Records

/// One record as the broker has it.
package struct BrokerState: Hashable, Sendable {
  /// The revision that made it so; `nil` if the broker was never heard about the record.
  package var tag: Revision?
  /// The fields; `nil` when there is no such record.
  package var fields: Fields?
  /// When it was made and by whom; `nil` while only this device's own request is known.
  package var created: Stamp?
  /// When it became so and by whom; `nil` while only this device's own request is known.
  package var modified: Stamp?
  /// The move that deleted it here; `nil` for a record that exists, or was deleted and not moved.
  package var move: MoveID?

  /// A state.
  package init(
    tag: Revision?, fields: Fields?, created: Stamp? = nil, modified: Stamp? = nil,
    move: MoveID? = nil
  ) {
    self.tag = tag
    self.fields = fields
    self.created = created
    self.modified = modified
    self.move = move
  }

  /// Nothing is known: a record made on this device.
  package static let unknown = BrokerState(tag: nil, fields: nil)

  /// The state a change tells.
  /// - Throws: what `EncodedRecord.fields` throws.
  package init(_ change: Change) throws(RecordsError) {
    tag = change.tag
    fields = change.kind == .saved ? try change.record.fields() : nil
    created = change.created
    modified = change.modified
    move = change.move
  }

  /// Whether, of a state that came from the broker, nobody told of a deletion: a reading found no
  /// such record.
  package var isAbsence: Bool { fields == nil && modified == nil }

  /// Whether this says nothing that `other` did not know.
  package func isOld(beside other: BrokerState) -> Bool {
    guard let tag, let known = other.tag else { return false }
    return tag <= known
  }
}
