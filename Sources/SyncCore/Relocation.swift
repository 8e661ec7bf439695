// What a device still has to do about a record that was moved elsewhere while it was edited here: merge
// the content into the record that carries the move's id, then delete it here. Until that record is
// known, the content stays where it is and is not sent.

import Records

/// Content that follows its record to another zone.
package struct Relocation: Hashable, Sendable {
  /// The move to follow. The target is the record of the same name whose trail contains it.
  package let move: MoveID
  /// The account that moved the record; `nil` for this device's own account. A record counts as the
  /// target only if this account created it: everyone who can read the tombstone knows the id, and must
  /// not be able to attract what others typed.
  package let mover: AccountID?
  /// The state that the content was made from, for the three-way merge.
  package let base: Fields

  /// Describes content that was made from `base` and follows `move`.
  package init(move: MoveID, mover: AccountID?, base: Fields) {
    self.move = move
    self.mover = mover
    self.base = base
  }

  /// Merges content into the target as it is shown there. Where both changed the same thing, the
  /// target's value stays and the other is returned as a loss.
  package func merge(_ content: Fields, into target: Fields) -> Merge {
    Merge(ancestor: base, theirs: target, mine: content)
  }
}
