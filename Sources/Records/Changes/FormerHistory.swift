// Where a zone's history goes on from another one: that of the backup which the broker was restored
// from. Whoever read that one needs it to tell what was deleted before the backup, and is rightly not
// there, from what came after it, and was lost.

/// The history that a zone's present one continues.
package struct FormerHistory: Hashable, Sendable {
  /// The history.
  package let incarnation: Incarnation
  /// How far it is part of the present one: nothing of it below this revision was lost, but for
  /// `lostNames`.
  package let keptThrough: Revision
  /// The records that were damaged on the broker's disk, and are lost whatever their tags are; at most
  /// `Limits.lostNames`.
  package let lostNames: Set<RecordName>
  /// The records that are damaged on the broker's disk at present and were left out; at most
  /// `Limits.lostNames`. They were not deleted: whoever has one keeps it.
  package let withheldNames: Set<RecordName>

  /// A history that goes on in another one.
  package init(
    incarnation: Incarnation, keptThrough: Revision, lostNames: Set<RecordName> = [],
    withheldNames: Set<RecordName> = []
  ) {
    self.withheldNames = withheldNames
    self.incarnation = incarnation
    self.keptThrough = keptThrough
    self.lostNames = lostNames
  }

  /// Whether a record of this history that the present one does not have is lost, and was not deleted.
  /// - Parameter tag: the last one that is known of it.
  package func hasLost(_ name: RecordName, tag: Revision?) -> Bool {
    tag.map { $0 >= keptThrough } ?? true || lostNames.contains(name)
  }
}
