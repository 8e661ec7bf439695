// After a broker is restored from a backup, a zone's new history continues the history in that
// backup. A device that had read the old history uses this value to decide, for each record it can
// no longer find, whether it was deleted before the backup or lost after it.

/// The earlier history that a zone's present history continues.
package struct FormerHistory: Hashable, Sendable {
  /// The ended histories that the present one continues. Empty if it continues none, and only names are withheld.
  package let lineage: Lineage
  /// Records that were damaged on the broker's disk and are lost regardless of their tags. At most
  /// `Limits.lostNames`.
  package let lostNames: Set<RecordName>
  /// Records that are currently damaged on the broker's disk and were omitted. They were not
  /// deleted, so a device retains its copies. At most `Limits.lostNames`.
  package let withheldNames: Set<RecordName>

  package init(
    lineage: Lineage, lostNames: Set<RecordName> = [], withheldNames: Set<RecordName> = []
  ) {
    self.lineage = lineage
    self.lostNames = lostNames
    self.withheldNames = withheldNames
  }

  /// Creates the former history of a zone that was restored once.
  package init(
    incarnation: Incarnation, keptThrough: Revision, lostNames: Set<RecordName> = [],
    withheldNames: Set<RecordName> = []
  ) {
    self.init(
      lineage: Lineage().continued(
        from: incarnation, after: Revision(max(keptThrough.value - 1, 0))),
      lostNames: lostNames, withheldNames: withheldNames)
  }

  /// The incarnation of the history that the present one continues directly.
  package var incarnation: Incarnation? { lineage.last?.incarnation }

  /// The first revision of that history that may be lost. Changes with lower tags were not lost, except those of
  /// the records in `lostNames`.
  package var keptThrough: Revision { lineage.last?.revision.next ?? .zero }
}
