// Which zones an account may see, in the order in which that last changed.

import BrokerCore
import FoundationEssentials
import GRDB
import Records
import SQLiteFile

/// The `directory` and `directory_head` tables.
struct DirectoryTable {
  let db: Database

  /// Notes that something about a zone changed for an account. Returns the directory's new
  /// revision, which is the entry's.
  func touch(zone: StoreKey, container: StoreKey, account: StoreKey) throws -> Revision {
    let head = try raise(container: container, account: account).value
    try db.run(
      """
      INSERT INTO directory (container, account, zone, revision) VALUES (?, ?, ?, ?)
      ON CONFLICT (container, account, zone) DO UPDATE SET revision = excluded.revision
      """, [container, account, zone, head])
    return Revision(head)
  }

  /// Raises a directory's revision. Returns the new one.
  func raise(container: StoreKey, account: StoreKey) throws -> Revision {
    let head = try Int64.fetchOne(
      db.cachedStatement(
        sql: """
          INSERT INTO directory_head (container, account, revision) VALUES (?, ?, 1)
          ON CONFLICT DO UPDATE SET revision = revision + 1 RETURNING revision
          """), arguments: [container, account])
    guard let head else { throw StoreError(.unexpected, "A directory's revision did not rise.") }
    return Revision(head)
  }

  /// The entries that changed after `revision`. A revision above the head, from before a backup
  /// was restored, gets the whole directory.
  func page(
    container: StoreKey, account: StoreKey, after revision: Revision
  ) throws -> DirectoryPage {
    let (from, head) = try range(container: container, account: account, after: revision)
    guard from < head else { return DirectoryPage(from: from, to: head, entries: []) }
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: "\(Self.selection) AND directory.revision > ? ORDER BY directory.revision"),
      arguments: [container, account, from.value])
    var people = 0
    let entries = try rows.map { row in
      let entry = try self.entry(of: row, naming: people < BrokerLimits.peoplePerDirectoryPage)
      people += entry.members.count + entry.requests.count
      return entry
    }
    return DirectoryPage(
      from: from, to: head, entries: entries,
      devices: try DirectoryDevices(db: db).devices(
        container: container, account: account, after: from),
      subscriptions: try SubscriptionTable(db: db).states(
        of: SubscriptionBook.Owner(container: container, account: account), after: from))
  }

  /// The same for a greeting; without entries, and left out, where they are many.
  func greetingPage(
    container: StoreKey, account: StoreKey, after revision: Revision
  ) throws -> (page: DirectoryPage, isLeftOut: Bool) {
    let (from, head) = try range(container: container, account: account, after: revision)
    let most = BrokerLimits.directoryEntriesPerGreeting
    guard from < head, try changeCount(container, account, after: from, most: most + 1) > most
    else { return (try page(container: container, account: account, after: revision), false) }
    return (DirectoryPage(from: from, to: head, entries: []), true)
  }

  /// From where to where a device is told that has the directory as it was at a revision.
  private func range(
    container: StoreKey, account: StoreKey, after revision: Revision
  ) throws -> (from: Revision, head: Revision) {
    let known = try db.first(
      """
      SELECT revision, subscriptions_from FROM directory_head WHERE container = ? AND account = ?
      """, [container, account]
    ) { (head: $0[0] as Int64, subscriptionsFrom: $0[1] as Int64) }
    let head = known?.head ?? 0
    let isPast = revision.value > head || revision.value < known?.subscriptionsFrom ?? 0
    return (isPast ? .zero : revision, Revision(head))
  }

  /// How many zones and subscriptions changed after a revision, counted up to `most` each.
  private func changeCount(
    _ container: StoreKey, _ account: StoreKey, after revision: Revision, most: Int
  ) throws -> Int {
    try Int.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT (SELECT count(*) FROM (SELECT 1 FROM directory
              WHERE container = ?1 AND account = ?2 AND revision > ?3 LIMIT ?4))
            + (SELECT count(*) FROM (SELECT 1 FROM subscription
              WHERE container = ?1 AND account = ?2 AND revision > ?3 AND revision > 0
              AND (?3 > 0 OR state = 0) LIMIT ?4))
          """), arguments: [container, account, revision.value, most]) ?? 0
  }

  /// Deletions of subscriptions up to a revision are no longer told: who has not heard of them reads
  /// everything.
  func forgetSubscriptions(
    through revision: Revision, of owner: SubscriptionBook.Owner
  ) throws {
    try db.run(
      """
      UPDATE directory_head SET subscriptions_from = max(subscriptions_from, ?)
      WHERE container = ? AND account = ?
      """, [revision.value, owner.container, owner.account])
  }

  /// Notes that something about a zone changed for an account. Returns what its devices are told.
  func commit(
    zone: StoreKey, container: StoreKey, account: StoreKey
  ) throws -> DirectoryCommit {
    let revision = try touch(zone: zone, container: container, account: account)
    let entry = try db.first(
      "\(Self.selection) AND directory.zone = ?", [container, account, zone]
    ) { try self.entry(of: $0, naming: true) }
    guard let entry else { throw StoreError(.unexpected, "A directory's entry was not entered.") }
    return DirectoryCommit(
      container: container, account: account,
      page: DirectoryPage(
        from: Revision(revision.value - 1), to: revision, entries: [entry]))
  }

  // NB: rights are not decided here: what they follow from is handed to `Access`.
  private static let selection = """
    SELECT directory.revision, owner.id, zone.name, title, incarnation, is_deleted,
      erased_through, owner.name, viewer.id,
      EXISTS (SELECT 1 FROM participant AS other WHERE other.zone = zone.key
        AND other.status = \(Participant.Status.accepted.rawValue)),
      role, permission, status, zone.key, owner.display_name
    FROM directory JOIN zone ON zone.key = directory.zone
      JOIN account AS owner ON owner.key = zone.owner
      JOIN account AS viewer ON viewer.key = directory.account
      LEFT JOIN participant ON participant.zone = zone.key
        AND participant.account = directory.account
    WHERE directory.container = ? AND directory.account = ?
    """

  /// Reads an entry, with the people of the zone where those are named.
  private func entry(of row: Row, naming: Bool) throws -> DirectoryEntry {
    guard let owner = AccountID(bytes: row[1] as Data),
      let name = ZoneName(bytes: row[2] as Data),
      let incarnation = Incarnation(bytes: row[4] as Data),
      let viewer = AccountID(bytes: row[8] as Data)
    else { throw StoreError(.damaged, "A zone's ids have not 16 bytes.") }
    let isIn = (row[10] as Int64?) != nil
    let access = Access(
      of: viewer, owner: owner, as: isIn ? try ParticipantTable.participation(row, from: 10) : nil)
    let isGone = row[5] || !access.allowsReading
    // What became of a zone is none of the business of who can no longer see it.
    let title: String = isGone && !access.allowsOwning ? "" : row[3]
    let (ownerName, displayName): (String, String) = (row[7], row[14])
    let isShared = access.allowsOwning ? row[9] : true
    let key: StoreKey = row[13]
    return DirectoryEntry(
      revision: Revision(row[0]), zone: ZoneID(owner: owner, name: name), title: title,
      role: access.role ?? .member, isWritable: access.allowsWriting, incarnation: incarnation,
      isDeleted: isGone,
      erasedThrough: access.allowsReading ? Revision(row[6]) : .zero, ownerName: ownerName,
      isShared: isShared, ownerDisplayName: displayName.isEmpty ? ownerName : displayName,
      members: naming && isShared && !isGone ? try members(of: key) : [],
      requests: naming && access.allowsManaging && !isGone
        ? try ShareTable(db: db).requests(in: key).map(AccessRequest.init) : [])
  }

  /// Everybody but the owner who is in a zone, by name.
  private func members(of zone: StoreKey) throws -> [ZoneMember] {
    try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT \(AccountTable.columns) FROM participant
            JOIN account ON account.key = participant.account
          WHERE zone = ? AND status = \(Participant.Status.accepted.rawValue) ORDER BY account.key
          """), arguments: [zone]
    ).map { row in
      let account = try AccountTable.account(row, from: 0)
      return ZoneMember(
        account: account.id, name: account.name, displayName: account.displayName)
    }
  }
}
