// Which zones an account may see, in the order in which that last changed.

import BrokerCore
import FoundationEssentials
import GRDB
import Records
import RecordsWire
import SQLiteFile

/// The `directory` and `directory_head` tables.
struct DirectoryTable {
  let db: Database

  /// Notes that something about a zone changed for an account. Returns the directory's new
  /// revision, which is the entry's.
  func touch(zone: StoreKey, container: StoreKey, account: StoreKey) throws -> Revision {
    try enter(zone, container: container, account: account).revision
  }

  /// Enters what a zone is to an account now. Returns the entry, without the people of the zone.
  private func enter(
    _ zone: StoreKey, container: StoreKey, account: StoreKey
  ) throws -> DirectoryEntry {
    let head = try raise(container: container, account: account).value
    try db.run(
      """
      INSERT INTO directory (container, account, zone, revision) VALUES (?, ?, ?, ?)
      ON CONFLICT (container, account, zone)
        DO UPDATE SET revision = excluded.revision, gone_at = NULL
      """, [container, account, zone, head])
    let entry = try db.first(
      "\(Self.selection) AND directory.zone = ?", [container, account, zone],
      decode: entry(of:))
    guard let entry else { throw StoreError(.unexpected, "A directory's entry was not entered.") }
    if entry.isDeleted {
      try DirectoryForgetting(db: db).noteGone(zone, container: container, account: account)
    }
    return entry
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
    let entries = try rows.map(entry(of:))
    let subscriptions = try SubscriptionTable(db: db).states(
      of: SubscriptionBook.Owner(container: container, account: account), after: from)
    let bytesLeft =
      BrokerLimits.directoryBytes - entries.map(\.weight).reduce(0, +)
      - subscriptions.map(\.weight).reduce(0, +)
    return DirectoryPage(
      from: from, to: head,
      entries: try named(entries, rows.map { $0[13] }, bytesMaximum: bytesLeft),
      devices: try DirectoryDevices(db: db).devices(
        container: container, account: account, after: from),
      subscriptions: subscriptions)
  }

  /// Entries with the people of their zones, of which `zones` are the rows. Those who do not fit are left
  /// out, since a page is one frame.
  private func named(
    _ entries: [DirectoryEntry], _ zones: [StoreKey], bytesMaximum: Int
  ) throws -> [DirectoryEntry] {
    var bytesLeft = bytesMaximum
    return try zip(entries, zones).map { entry, zone in
      let named = try self.named(entry, zone)
      let people = named.weight - entry.weight
      guard people <= bytesLeft else { return entry }
      bytesLeft -= people
      return named
    }
  }

  /// An entry with everybody who is in its zone, and who asks to be let in.
  private func named(_ entry: DirectoryEntry, _ zone: StoreKey) throws -> DirectoryEntry {
    guard !entry.isDeleted, entry.isShared || entry.role != .member else { return entry }
    var named = entry
    if entry.isShared { named.members = try members(of: zone) }
    if entry.role != .member {
      named.requests = try ShareTable(db: db).requests(in: zone).map(AccessRequest.init)
    }
    return named
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
      SELECT revision, max(subscriptions_from, zones_from) FROM directory_head
      WHERE container = ? AND account = ?
      """, [container, account]
    ) { (head: $0[0] as Int64, toldFrom: $0[1] as Int64) }
    let head = known?.head ?? 0
    let isPast = revision.value > head || revision.value < known?.toldFrom ?? 0
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
    let entry = try named(enter(zone, container: container, account: account), zone)
    return DirectoryCommit(
      container: container, account: account,
      page: DirectoryPage(
        from: Revision(entry.revision.value - 1), to: entry.revision, entries: [entry]))
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

  /// Reads an entry, without the people of its zone.
  private func entry(of row: Row) throws -> DirectoryEntry {
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
    let (ownerName, displayName): (String, String) = isGone ? ("", "") : (row[7], row[14])
    return DirectoryEntry(
      revision: Revision(row[0]), zone: ZoneID(owner: owner, name: name), title: title,
      role: access.role ?? .member, isWritable: access.allowsWriting, incarnation: incarnation,
      isDeleted: isGone,
      erasedThrough: access.allowsReading ? Revision(row[6]) : .zero, ownerName: ownerName,
      isShared: access.allowsOwning ? row[9] : true,
      ownerDisplayName: displayName.isEmpty ? ownerName : displayName)
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

// MARK: - Weights

// At most how many bytes these take on the wire, beside what they name.

extension DirectoryEntry {
  fileprivate var weight: Int {
    96 + title.utf8.count + ownerName.utf8.count + ownerDisplayName.utf8.count
      + members.reduce(0) { $0 + 32 + $1.name.utf8.count + $1.displayName.utf8.count }
      + requests.reduce(0) { $0 + 48 + $1.name.utf8.count + $1.displayName.utf8.count }
  }
}

extension SubscriptionState {
  fileprivate var weight: Int {
    64 + id.text.utf8.count + (form?.encoded.count ?? 0)
      + (failure.map { $0.message.utf8.count + $0.hint.utf8.count } ?? 0)
  }
}
