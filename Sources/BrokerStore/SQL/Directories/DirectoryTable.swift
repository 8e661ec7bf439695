// The directory of an account: the zones it can see, ordered by the revision at which their entries last
// changed.

import BrokerCore
import Records
import RecordsWire
import SQLConnections

/// The `directory` and `directory_head` tables.
struct DirectoryTable {
  let db: any SQLConnection

  /// Updates a zone's entry in an account's directory. Returns the directory's new revision, which is also
  /// the entry's.
  func touch(zone: StoreKey, container: StoreKey, account: StoreKey) throws -> Revision {
    try update(zone, container: container, account: account).revision
  }

  /// Inserts or updates the entry of a zone. Returns it without the zone's participants.
  private func update(
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
    guard let entry else { throw StoreError(.unexpected, "A directory entry was not inserted.") }
    if entry.isDeleted {
      try DirectoryExpiry(db: db).markGone(zone, container: container, account: account)
    }
    return entry
  }

  /// Raises a directory's revision by one. Returns the new revision.
  func raise(container: StoreKey, account: StoreKey) throws -> Revision {
    let head =
      try
      (db.value(
        """
        INSERT INTO directory_head (container, account, revision) VALUES (?, ?, 1)
        ON CONFLICT (container, account)
          DO UPDATE SET revision = directory_head.revision + 1 RETURNING revision
        """, [container, account]) as Int64?)
    guard let head else { throw StoreError(.unexpected, "A directory's revision did not rise.") }
    return Revision(head)
  }

  /// The entries, devices and subscriptions that changed after `revision`. The page is the whole directory
  /// if `revision` is above the head, which happens after a restore, or if deletions since then have expired.
  func page(
    container: StoreKey, account: StoreKey, after revision: Revision
  ) throws -> DirectoryPage {
    let (from, head, _) = try range(container: container, account: account, after: revision)
    guard from < head else { return DirectoryPage(from: from, to: head, entries: []) }
    let rows = try db.rows(
      "\(Self.selection) AND directory.revision > ? ORDER BY directory.revision",
      [container, account, from.value])
    let entries = try rows.map(entry(of:))
    let subscriptions = try SubscriptionTable(db: db).states(
      of: SubscriptionBook.Owner(container: container, account: account), after: from)
    let bytesLeft =
      BrokerLimits.directoryBytes - entries.map(\.encodedBytesMaximum).reduce(0, +)
      - subscriptions.map(\.encodedBytesMaximum).reduce(0, +)
    return DirectoryPage(
      from: from, to: head,
      entries: try addingParticipants(to: entries, rows.map { $0[13] }, bytesMaximum: bytesLeft),
      devices: try DirectoryDevices(db: db).devices(
        container: container, account: account, after: from),
      subscriptions: subscriptions)
  }

  /// Adds participants and access requests to entries; `zones` are the rows of their zones. Those of an
  /// entry are left out if they exceed the remaining bytes, because a page is one frame.
  private func addingParticipants(
    to entries: [DirectoryEntry], _ zones: [StoreKey], bytesMaximum: Int
  ) throws -> [DirectoryEntry] {
    var bytesLeft = bytesMaximum
    return try zip(entries, zones).map { entry, zone in
      let complete = try addingParticipants(to: entry, zone)
      let addedBytes = complete.encodedBytesMaximum - entry.encodedBytesMaximum
      guard addedBytes <= bytesLeft else { return entry }
      bytesLeft -= addedBytes
      return complete
    }
  }

  /// Adds the participants of a shared zone to its entry, and, for the owner and administrators, its access
  /// requests.
  private func addingParticipants(
    to entry: DirectoryEntry, _ zone: StoreKey
  ) throws -> DirectoryEntry {
    guard !entry.isDeleted, entry.isShared || entry.role != .member else { return entry }
    var complete = entry
    if entry.isShared { complete.members = try members(of: zone) }
    if entry.role != .member {
      complete.requests = try ShareTable(db: db).requests(in: zone).map(AccessRequest.init)
    }
    return complete
  }

  /// What a greeting is answered with.
  struct Greeting {
    let page: DirectoryPage
    /// Whether the page is empty because there are too many changes.
    let isLeftOut: Bool
    /// The revision that the directory had when the broker was last rewound to a backup; zero if it never was.
    let rewoundAt: Revision
  }

  /// The page for a greeting. If more than `BrokerLimits.directoryEntriesPerGreeting` zones or subscriptions
  /// changed, the page is empty and `isLeftOut` is true.
  func greetingPage(
    container: StoreKey, account: StoreKey, after revision: Revision
  ) throws -> Greeting {
    let (from, head, rewoundAt) = try range(container: container, account: account, after: revision)
    let most = BrokerLimits.directoryEntriesPerGreeting
    guard from < head, try changeCount(container, account, after: from, most: most + 1) > most
    else {
      let page = try page(container: container, account: account, after: revision)
      return Greeting(page: page, isLeftOut: false, rewoundAt: rewoundAt)
    }
    return Greeting(
      page: DirectoryPage(from: from, to: head, entries: []), isLeftOut: true,
      rewoundAt: rewoundAt)
  }

  /// Returns the revisions that a page covers for a device whose directory is at `revision`. It starts at
  /// zero, for the whole directory, if `revision` is too old or above the head. Also returns when it was rewound.
  private func range(
    container: StoreKey, account: StoreKey, after revision: Revision
  ) throws -> (from: Revision, head: Revision, rewoundAt: Revision) {
    let known = try db.first(
      """
      SELECT revision, max(subscriptions_from, zones_from), rewound_at FROM directory_head
      WHERE container = ? AND account = ?
      """, [container, account]
    ) { (head: $0[0] as Int64, oldest: $0[1] as Int64, rewoundAt: $0[2] as Int64) }
    let head = known?.head ?? 0
    let isUnknown = revision.value > head || revision.value < known?.oldest ?? 0
    return (isUnknown ? .zero : revision, Revision(head), Revision(known?.rewoundAt ?? 0))
  }

  /// The number of zones and subscriptions that changed after a revision, each counted up to `most`.
  private func changeCount(
    _ container: StoreKey, _ account: StoreKey, after revision: Revision, most: Int
  ) throws -> Int {
    try
      (db.value(
        """
        SELECT (SELECT count(*) FROM (SELECT 1 FROM directory
            WHERE container = ?1 AND account = ?2 AND revision > ?3 LIMIT ?4) AS entry)
          + (SELECT count(*) FROM (SELECT 1 FROM subscription
            WHERE container = ?1 AND account = ?2 AND revision > ?3 AND revision > 0
            AND (?3 > 0 OR state = 0) LIMIT ?4) AS entry)
        """, [container, account, revision.value, most]) as Int?) ?? 0
  }

  /// Expires the deletions of subscriptions up to `revision`. A device with an older directory will read the
  /// whole directory.
  func expireSubscriptionDeletions(
    through revision: Revision, of owner: SubscriptionBook.Owner
  ) throws {
    try db.run(
      """
      UPDATE directory_head SET subscriptions_from = max(subscriptions_from, ?)
      WHERE container = ? AND account = ?
      """, [revision.value, owner.container, owner.account])
  }

  /// Updates a zone's entry in an account's directory. Returns the directory's change, for the account's
  /// connected devices.
  func commit(
    zone: StoreKey, container: StoreKey, account: StoreKey
  ) throws -> DirectoryCommit {
    let entry = try addingParticipants(
      to: update(zone, container: container, account: account), zone)
    return DirectoryCommit(
      container: container, account: account,
      page: DirectoryPage(
        from: Revision(entry.revision.value - 1), to: entry.revision, entries: [entry]))
  }

  // NB: SQL does not decide permissions; `entry(of:)` computes them from these columns with `Access`.
  private static let selection = """
    SELECT directory.revision, owner.id, zone.name, title, incarnation, is_deleted,
      erased_through, owner.name, viewer.id,
      EXISTS (SELECT 1 FROM participant AS other WHERE other.zone = zone.key
        AND other.status = \(Participant.Status.accepted.rawValue))
        OR \(ShareTable.isOpen("zone.key")),
      role, permission, status, zone.key, owner.display_name, deleted_at, record_count, head,
      title_revision, members_revision, restorations,
      deleted_at IS NOT NULL AND EXISTS (SELECT 1 FROM record WHERE record.zone = zone.key
        AND kind = 1 AND record.revision > erased_through AND length(fields) = 0)
    FROM directory JOIN zone ON zone.key = directory.zone
      JOIN account AS owner ON owner.key = zone.owner
      JOIN account AS viewer ON viewer.key = directory.account
      LEFT JOIN participant ON participant.zone = zone.key
        AND participant.account = directory.account
    WHERE directory.container = ? AND directory.account = ?
    """

  /// Decodes an entry, without the zone's participants.
  private func entry(of row: SQLRow) throws -> DirectoryEntry {
    guard let owner = AccountID(bytes: row[1] as [UInt8]),
      let name = ZoneName(bytes: row[2] as [UInt8]),
      let incarnation = Incarnation(bytes: row[4] as [UInt8]),
      let viewer = AccountID(bytes: row[8] as [UInt8])
    else { throw StoreError(.damaged, "The id of a zone or an account is not 16 bytes long.") }
    let isParticipant = (row[10] as Int64?) != nil
    let participation = isParticipant ? try ParticipantTable.participation(row, from: 10) : nil
    let access = Access(of: viewer, owner: owner, as: participation)
    let isGone = row[5] || !access.allowsReading
    // An account that has lost access must not learn later titles of the zone.
    let title: String = isGone && !access.allowsOwning ? "" : row[3]
    let (ownerName, displayName): (String, String) = isGone ? ("", "") : (row[7], row[14])
    return DirectoryEntry(
      revision: Revision(row[0]), zone: ZoneID(owner: owner, name: name), title: title,
      role: access.role ?? .member, isWritable: access.allowsWriting, incarnation: incarnation,
      isDeleted: isGone,
      deletion: access.allowsOwning
        ? (row[15] as Int64?).map {
          ZoneDeletion(
            time: Timestamp(microseconds: $0), recordCount: row[16], head: Revision(row[17]),
            hasDeletedRecords: row[21])
        } : nil,
      erasedThrough: access.allowsReading ? Revision(row[6]) : .zero, ownerName: ownerName,
      isShared: access.allowsOwning ? row[9] : participation?.status != .left,
      ownerDisplayName: displayName.isEmpty ? ownerName : displayName,
      titleRevision: isGone ? .zero : Revision(row[18]),
      membersRevision: isGone ? .zero : Revision(row[19]),
      restorations: access.allowsOwning ? row[20] : 0)
  }

  /// The accepted participants of a zone, without its owner.
  private func members(of zone: StoreKey) throws -> [ZoneMember] {
    try db.rows(
      """
      SELECT \(AccountTable.columns) FROM participant
        JOIN account ON account.key = participant.account
      WHERE zone = ? AND status = \(Participant.Status.accepted.rawValue) ORDER BY account.key
      """, [zone]
    ).map { row in
      let account = try AccountTable.account(row, from: 0)
      return ZoneMember(
        account: account.id, name: account.name, displayName: account.displayName)
    }
  }
}

// MARK: - Encoded sizes

extension DirectoryEntry {
  /// An upper bound for the bytes of the entry on the wire.
  fileprivate var encodedBytesMaximum: Int {
    96 + title.utf8.count + ownerName.utf8.count + ownerDisplayName.utf8.count
      + members.reduce(0) { $0 + 32 + $1.name.utf8.count + $1.displayName.utf8.count }
      + requests.reduce(0) { $0 + 48 + $1.name.utf8.count + $1.displayName.utf8.count }
  }
}

extension SubscriptionState {
  /// An upper bound for the bytes of the subscription on the wire.
  fileprivate var encodedBytesMaximum: Int {
    64 + id.text.utf8.count + (form?.encoded.count ?? 0)
      + (failure.map { $0.message.utf8.count + $0.hint.utf8.count } ?? 0)
  }
}
