// Where a zone's history goes on from another one: that of the backup which the broker was restored
// from. Whoever read that one needs it to tell what was deleted before the backup, and is rightly not
// there, from what came after it, and was lost.

/// The history that a zone's present one continues.
package struct FormerHistory: Hashable, Sendable {
  /// The history.
  package let incarnation: Incarnation
  /// How far it is part of the present one: nothing of it at or below this revision was lost.
  package let keptThrough: Revision

  /// A history that goes on in another one.
  package init(incarnation: Incarnation, keptThrough: Revision) {
    self.incarnation = incarnation
    self.keptThrough = keptThrough
  }
}
