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
    try db.execute(
      sql: """
        INSERT INTO directory (container, account, zone, revision) VALUES (?, ?, ?, ?)
        ON CONFLICT (container, account, zone) DO UPDATE SET revision = excluded.revision
        """, arguments: [container, account, zone, head])
    return Revision(head)
  }

  /// Raises a directory's revision. Returns the new one.
  func raise(container: StoreKey, account: StoreKey) throws -> Revision {
    let head = try Int64.fetchOne(
      db,
      sql: """
        INSERT INTO directory_head (container, account, revision) VALUES (?, ?, 1)
        ON CONFLICT DO UPDATE SET revision = revision + 1 RETURNING revision
        """, arguments: [container, account])
    guard let head else { throw StoreError(.unexpected, "A directory's revision did not rise.") }
    return Revision(head)
  }

  /// The entries that changed after `revision`. A revision above the head, from before a backup
  /// was restored, gets the whole directory.
  func page(
    container: StoreKey, account: StoreKey, after revision: Revision
  ) throws -> DirectoryPage {
    let known = try db.first(
      """
      SELECT revision, subscriptions_from FROM directory_head WHERE container = ? AND account = ?
      """, [container, account]
    ) { (head: $0[0] as Int64, subscriptionsFrom: $0[1] as Int64) }
    let head = known?.head ?? 0
    let isPast = revision.value > head || revision.value < known?.subscriptionsFrom ?? 0
    let from = isPast ? Revision.zero : revision
    guard from.value < head else {
      return DirectoryPage(from: from, to: Revision(head), entries: [])
    }
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT directory.revision, account.id, zone.name, title, incarnation, is_deleted,
          erased_through
        FROM directory JOIN zone ON zone.key = directory.zone
          JOIN account ON account.key = zone.owner
        WHERE directory.container = ? AND directory.account = ? AND directory.revision > ?
        ORDER BY directory.revision
        """, arguments: [container, account, from.value])
    return DirectoryPage(
      from: from, to: Revision(head), entries: try rows.map(entry),
      devices: try DirectoryDevices(db: db).devices(
        container: container, account: account, after: from),
      subscriptions: try SubscriptionTable(db: db).states(
        of: SubscriptionBook.Owner(container: container, account: account), after: from))
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

  private func entry(of row: Row) throws -> DirectoryEntry {
    guard let owner = AccountID(bytes: row[1] as Data),
      let name = ZoneName(bytes: row[2] as Data),
      let incarnation = Incarnation(bytes: row[4] as Data)
    else { throw StoreError(.damaged, "A zone's ids have not 16 bytes.") }
    return DirectoryEntry(
      revision: Revision(row[0]), zone: ZoneID(owner: owner, name: name), title: row[3],
      role: .owner, isWritable: true, incarnation: incarnation, isDeleted: row[5],
      erasedThrough: Revision(row[6]))
  }
}
