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
    package var ownerDisplayName: String?
    package var members: [ZoneMember] = []
    package var asking: [AccessRequest] = []
  }
}

extension MiniBroker.Zone {
  /// The histories that the present one continues.
  var lineage: Lineage { former?.lineage ?? Lineage() }
  /// The histories that the present one continues, and the lost records that no device has saved again.
  var presentFormer: FormerHistory? {
    former.map { former in
      FormerHistory(
        lineage: former.lineage,
        lostNames: former.lostNames.filter { records[$0]?.isOfDamaged == true })
    }
  }
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

  /// The number of records saved by other devices that the author of the zone's deletion has not read.
  func unseen(
    by device: DeviceID, at token: ChangeToken?, reading former: VersionVector
  ) -> Int {
    guard let token else { return 0 }
    let read = former.union(
      VersionVector([.init(incarnation: token.incarnation, revision: token.revision)]))
    let shared = lineage.entries.compactMap { entry in
      read[entry.incarnation].map { min($0, entry.revision) }
    }
    let known = read[incarnation] ?? shared.max() ?? .zero
    return records.values.count { change in
      guard change.kind == .saved, change.tag > known, change.modified.origin.device != device
      else { return false }
      return change.former.map { !$0.isExact || !read.includesNewest(of: $0.versions) } ?? true
    }
  }

  /// Whether the present state of the record contains this one of a former history.
  func contains(_ former: FormerVersion?, of name: RecordName) -> Bool {
    guard let former, let change = records[name], !change.isOfDamaged else { return false }
    return history.versions(of: change).includes(former.versions)
  }
}

extension VersionVector {
  /// Whether a device that has read this much has read a state of a former history that contains `versions`.
  fileprivate func includesNewest(of versions: VersionVector) -> Bool {
    guard let own = versions.entries.max(by: { $0.revision < $1.revision }) else { return false }
    return self[own.incarnation].map { $0 >= own.revision } ?? false
  }
}
