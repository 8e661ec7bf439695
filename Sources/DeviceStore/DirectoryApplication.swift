// Applies a page of the directory to the store: groups appear, get other titles and rights, disappear. A title that was
// changed here stays until the broker has it.

import GRDB
import Records
import SQLiteFile
import SyncCore

struct DirectoryApplication {
  private let transaction: DeviceTransaction
  /// News of shared groups. The first directory of a device has none.
  private(set) var news: [SharingNews] = []
  /// The zones that were deleted on this device and restored since. The machine does not follow them yet.
  private(set) var zonesTakenBack: [ZoneID] = []

  init(_ transaction: DeviceTransaction) {
    self.transaction = transaction
  }

  /// Applies a page. Zones that disappear are dropped by the machine's own step.
  mutating func apply(_ page: DirectoryPage, isWhole: Bool) throws {
    let isFirst = try transaction.db.number("SELECT directory FROM identity") == 0
    for entry in page.entries { news += try apply(entry, isFirst: isFirst) }
    try ReplicaSubscriptionTable.apply(page.subscriptions, isWhole: isWhole, transaction)
    if isWhole {
      let present = Set(page.entries.filter { !$0.isDeleted }.map(\.zone))
      let deleted = Set(page.entries.filter { $0.deletion != nil }.map(\.zone))
      for row in try ZoneRow.all(transaction.db)
      where row.state == .deleting && !present.contains(row.zone) {
        try GroupDeletion.finish(row, transaction)
      }
      try DeletedGroups.forget(except: deleted, transaction)
    }
    try transaction.db.run("UPDATE identity SET directory = ?", [page.to.value])
  }

  private mutating func apply(_ entry: DirectoryEntry, isFirst: Bool) throws -> [SharingNews] {
    let known = try ZoneRow.load(transaction.db, entry.zone)
    if entry.isDeleted {
      if let known { try DeletedZoneTable(db: transaction.db).note(known, at: transaction.now) }
      try apply(deletion: entry, to: known)
      return []
    }
    if try isDeletedAgain(entry, known) { return [] }
    var row =
      known ?? ZoneRow(zone: entry.zone, title: entry.title, knownTitle: nil, state: .present)
    let shownTitle = row.title
    let mayHaveEdits = known?.isWritable == true && !entry.isWritable
    row.role = entry.role
    row.isWritable = entry.isWritable
    row.ownerName = entry.zone.owner == .current ? "" : entry.ownerName
    row.ownerDisplayName = entry.ownerDisplayName
    row.isShared = entry.isShared
    let hasLostTitle =
      row.knownTitle != nil && entry.titleRevision < row.titleRevision && row.role != .member
    if !hasLostTitle {
      row.knownTitle = entry.title
      row.titleRevision = entry.titleRevision
    }
    row.restorations = entry.restorations
    row.listedIncarnation = entry.incarnation
    let isBack = try row.state == .deleted || isRestored(entry, &row)
    row.incarnation = row.incarnation ?? entry.incarnation
    if row.state == .creating || isBack { row.state = .present }
    row.deletion = nil
    let isBeingRenamed = try known != nil && isRenaming(row, transaction.db)
    if !isBeingRenamed, !hasLostTitle { row.title = entry.title }
    try row.store(transaction.db)
    if hasLostTitle, !isBeingRenamed { try repeatTitle(of: row) }
    try row.noteErasure(through: entry.erasedThrough, transaction)
    let isRemoving = try removeAgain(from: &row, entry)
    let news = isRemoving ? [] : try people(of: entry, in: row, isNew: known == nil)
    if mayHaveEdits { try ReadOnlyTurn.rejectUnsent(row, transaction) }
    guard row.state != .deleting, entry.zone != .standard else { return [] }
    if known == nil || isBack {
      try announce(.created, row)
      let isExpected = transaction.expectedZones.remove(row.zone) != nil
      guard row.zone.owner == .current || isFirst || isExpected else {
        return news + [.gain(of: row)]
      }
    } else if row.title != shownTitle {
      try announce(.updated, row)
    }
    return news
  }

  /// Whether a zone that was deleted on this device was restored since. While the outcome of the deletion is missing, the
  /// other incarnation is only noted: the broker may still reject the deletion.
  private mutating func isRestored(_ entry: DirectoryEntry, _ row: inout ZoneRow) throws -> Bool {
    guard row.state == .deleting, try ZoneDeletionTable.isRestored(row, transaction.db) else {
      return false
    }
    guard try !GroupDeletion.hides(row.key, transaction.db) else {
      (row.incarnation, row.token) = (entry.incarnation, nil)
      return false
    }
    (row.incarnation, row.token) = (nil, nil)
    zonesTakenBack.append(row.zone)
    try ZoneDeletionTable.forget(row, transaction.db)
    return true
  }

  /// Stores the deletion of a zone. The machine's next step removes a zone that is shown here.
  private func apply(deletion entry: DirectoryEntry, to known: ZoneRow?) throws {
    guard var known, known.state != .deleted else {
      return try DeletedGroups.store(entry, transaction)
    }
    known.deletion = entry.deletion
    try known.store(transaction.db)
    if known.state == .deleting { try GroupDeletion.finish(known, transaction) }
  }

  /// Deletes a zone again that the broker has although this device knows of its deletion, because it was restored.
  /// - Returns: whether the zone is being deleted.
  private func isDeletedAgain(_ entry: DirectoryEntry, _ known: ZoneRow?) throws -> Bool {
    guard known.map({ $0.state == .deleting || $0.state == .deleted }) ?? true else { return false }
    let deleted = DeletedZoneTable(db: transaction.db)
    guard let deletion = try deleted.deletion(of: entry.zone, title: entry.titleRevision) else {
      return false
    }
    // A person has asked for the zone.
    if let known, known.state == .deleted,
      try !OutboxEntry.load(transaction.db, where: "zone = ?", [known.key]).isEmpty
    {
      return false
    }
    var row =
      known ?? ZoneRow(zone: entry.zone, title: entry.title, knownTitle: nil, state: .deleting)
    row.restorations = entry.restorations
    if known == nil { try row.store(transaction.db) }
    try GroupDeletion.repeatDeletion(deletion, of: row, transaction)
    return true
  }

  /// Notes the participants whose removal the broker has lost, so that a device of the owner repeats it. No
  /// participant is added: one who was added meanwhile has to be invited again.
  /// - Returns: whether there are any. The stored participants stay as they are until the broker has removed them.
  private func removeAgain(from row: inout ZoneRow, _ entry: DirectoryEntry) throws -> Bool {
    let isLost = entry.membersRevision < row.membersRevision && row.role == .owner
    let present = isLost ? Set(try PeopleTable.members(of: row.key, transaction.db)) : []
    let removed = isLost ? entry.members.map(\.account).filter { !present.contains($0) } : []
    guard removed.isEmpty else {
      transaction.removedAgain += removed.map { (row.zone, $0) }
      return true
    }
    row.membersRevision = entry.membersRevision
    try row.store(transaction.db)
    return false
  }

  /// Saves a title again that the broker has lost.
  private func repeatTitle(of row: ZoneRow) throws {
    guard row.state == .present else { return }
    var entry = OutboxEntry(zone: row.key, kind: .saveZone, title: row.knownTitle)
    entry.isAsked = false
    entry.edits = 0
    try entry.store(transaction)
  }

  /// Stores the participants of a group and the requests for access to it.
  /// - Returns: new requests, and who joined a group that this account manages. A participant whose request a manager
  ///   has just approved is no news, also if the request was denied or its account blocked before.
  private func people(
    of entry: DirectoryEntry, in row: ZoneRow, isNew: Bool
  ) throws -> [SharingNews] {
    let approved = try PeopleTable.requests(for: row.key, transaction.db).map(\.account)
    let joined = try PeopleTable.keep(entry.members, in: row, transaction.db).filter {
      !isNew && row.role != .member && $0.account != transaction.account
        && !approved.contains($0.account)
    }
    let requests = try PeopleTable.keep(entry.requests, for: row, transaction.db)
    return joined.map { .join(of: $0, to: row) } + requests.map { .request($0, for: row) }
  }

  private func isRenaming(_ row: ZoneRow, _ db: Database) throws -> Bool {
    try db.number(
      "SELECT count(*) FROM outbox WHERE zone = ? AND name IS NULL AND kind = ?",
      [row.key, OutboxEntry.Kind.saveZone.rawValue]) > 0
  }

  private func announce(_ kind: LocalEvent.Kind, _ row: ZoneRow) throws {
    try transaction.append(
      kind, type: LocalEvent.groupType, zone: row.zone, id: row.zone.name.description,
      title: row.title, by: .unknown)
  }
}
