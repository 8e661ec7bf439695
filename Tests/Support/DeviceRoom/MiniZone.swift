// A zone of the broker of the replica tests, and the histories that it continues.

import Records

extension MiniBroker {
  /// A zone with its records.
  package struct Zone {
    package var title: String
    package var titleRevision = Revision.zero
    package var restorations = 0
    package var incarnation: Incarnation
    package var former: FormerHistory?
    package var head = Revision.zero
    package var records: [RecordName: Change] = [:]
    package var isDeleted = false
    package var isRestorable = false
    package var expiredThrough = Revision.zero
    package var revision: Revision
    package var erasedThrough = Revision.zero
    package var role = DirectoryEntry.Role.owner
    package var isWritable = true
    package var ownerName = ""
    package var isShared = false
    package var ownerDisplayName = ""
    package var members: [ZoneMember] = []
    package var asking: [AccessRequest] = []
  }
}

extension MiniBroker.Zone {
  /// The histories that the present one continues.
  var lineage: Lineage { former?.lineage ?? Lineage() }
  /// The present history, with those that it continues.
  var history: ZoneHistory { ZoneHistory(incarnation, lineage) }

  /// Begins a history that continues the present one.
  mutating func beginHistory(_ next: Incarnation, lostNames: Set<RecordName> = []) {
    former = FormerHistory(
      lineage: lineage.continued(from: incarnation, after: head), lostNames: lostNames)
    incarnation = next
  }

  /// Brings the deleted zone back, in a new history.
  mutating func restore(as next: Incarnation) {
    isDeleted = false
    isRestorable = false
    beginHistory(next)
    restorations += 1
    titleRevision = max(titleRevision, head).next
  }

  /// Changes the title.
  /// - Parameter former: The revision of a title of a former history.
  mutating func rename(_ title: String, at former: Revision?) {
    if title != self.title { titleRevision = former ?? max(titleRevision, head).next }
    self.title = title
  }

  /// Whether the present state of the record contains this one of a former history.
  func contains(_ former: FormerVersion?, of name: RecordName) -> Bool {
    guard let former, let change = records[name], !change.isOfDamaged else { return false }
    return history.versions(of: change).includes(former.versions)
  }
}
