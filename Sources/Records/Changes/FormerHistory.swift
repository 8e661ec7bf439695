// After a broker is restored from a backup, a zone's new history continues the history in that
// backup. A device that had read the old history uses this value to decide, for each record it can
// no longer find, whether it was deleted before the backup or lost after it.

/// The earlier history that a zone's present history continues.
package struct FormerHistory: Hashable, Sendable {
  /// The incarnation of the earlier history.
  package let incarnation: Incarnation
  /// The first revision that may be lost. Changes with lower tags were not lost, except those of
  /// the records in `lostNames`.
  package let keptThrough: Revision
  /// Records that were damaged on the broker's disk and are lost regardless of their tags. At most
  /// `Limits.lostNames`.
  package let lostNames: Set<RecordName>
  /// Records that are currently damaged on the broker's disk and were omitted. They were not
  /// deleted, so a device retains its copies. At most `Limits.lostNames`.
  package let withheldNames: Set<RecordName>

  package init(
    incarnation: Incarnation, keptThrough: Revision, lostNames: Set<RecordName> = [],
    withheldNames: Set<RecordName> = []
  ) {
    self.withheldNames = withheldNames
    self.incarnation = incarnation
    self.keptThrough = keptThrough
    self.lostNames = lostNames
  }

  /// Returns whether a record of the earlier history that is missing now was lost rather than
  /// deleted.
  /// - Parameter tag: The last change tag the device knows for the record, if any.
  package func hasLost(_ name: RecordName, tag: Revision?) -> Bool {
    tag.map { $0 >= keptThrough } ?? true || lostNames.contains(name)
  }
}
