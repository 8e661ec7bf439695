// The moves that brought a record to its zone. A move is a creation in one zone and a deletion in
// another; the record carries the move's id in an ordinary field, so it travels with every program that
// copies fields, and the tombstone carries the same id.

import Records

/// The ids of a record's latest moves, the newest last.
package struct MoveTrail: Hashable, Sendable {
  /// The field that holds the trail: a list of 16-byte ids.
  package static let field: FieldKey = "moveIDs"
  /// The most ids that a record carries; older ones are dropped.
  package static let idsMaximum = 8

  /// The ids, the newest last.
  package private(set) var ids: [MoveID]

  /// Reads the trail of a record. Anything else in the field counts as no trail.
  package init(_ fields: Fields) {
    self.init(fields[Self.field])
  }

  private init(_ value: Value?) {
    guard case .list(let items) = value else {
      ids = []
      return
    }
    ids = items.suffix(Self.idsMaximum).compactMap { item in
      guard case .bytes(let bytes) = item else { return nil }
      return MoveID(bytes: bytes)
    }
  }

  /// Adds a move, unless the trail has it.
  package mutating func append(_ move: MoveID) {
    guard !ids.contains(move) else { return }
    ids = (ids + [move]).suffix(Self.idsMaximum)
  }

  /// The field's value; `nil` for a record that never moved.
  package var value: Value? { ids.isEmpty ? nil : .list(ids.map { .bytes($0.bytes) }) }

  /// The trail of a merged record: that of `theirs`, then what only `mine` has. People never see or
  /// type it, so a difference is no conflict.
  static func merged(_ theirs: Value?, _ mine: Value?) -> Value? {
    var trail = MoveTrail(theirs)
    for move in MoveTrail(mine).ids { trail.append(move) }
    return trail.value
  }
}
