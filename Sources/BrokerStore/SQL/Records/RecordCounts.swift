// The usage of an account in a container. It consists of the records and bytes of its own zones, counted in
// each zone's row, of the bytes of deleted zones that can be restored, and of what it created in the public database,
// counted in tables of their own. The
// writer reads an account's usage once and then counts in memory, so a save costs one dictionary lookup.

import BrokerCore
import Records
import SQLConnections

/// The counts that the record and byte quotas apply to.
struct RecordCounts {
  // A row for each account that has, or had, public records.
  static let schema = """
    CREATE TABLE public_count (
      container INTEGER NOT NULL,
      account INTEGER NOT NULL,
      records INTEGER NOT NULL,
      PRIMARY KEY (container, account)
    ) STRICT, WITHOUT ROWID;
    """

  /// The statements that count the existing public records into the empty table.
  static let counting = [
    """
    INSERT INTO public_count
      SELECT zone.container, device.account, count(*)
      FROM zone JOIN record ON record.zone = zone.key AND kind = 0
        JOIN device ON device.key = created_device
      WHERE zone.owner = \(StoredByteCounts.publicOwner)
      GROUP BY zone.container, device.account
    """
  ]

  /// An SQL expression for the number of records of an account, in all containers.
  static let total = """
    coalesce((SELECT sum(record_count) FROM zone
      WHERE zone.owner = account.key AND is_deleted = 0), 0)
    + coalesce((SELECT sum(records) FROM public_count
      WHERE public_count.account = account.key), 0)
    """

  let db: any SQLConnection

  /// The stored usage of an account: of each of its zones, and in the public database.
  func read(
    of account: AccountID, container: StoreKey
  ) throws -> (zones: [(key: StoreKey, usage: AccountUsage)], inPublic: AccountUsage) {
    let key = try AccountTable(db: db).account(account)?.key ?? 0
    let zones = try db.rows(
      """
      SELECT key, record_count, stored_bytes, participants_records, participants_bytes FROM zone
      WHERE owner = ?1 AND container = ?2 AND is_deleted = 0
      UNION ALL SELECT key, 0, stored_bytes, 0, participants_bytes FROM zone
      WHERE owner = ?1 AND container = ?2 AND deleted_at IS NOT NULL
      """, [key, container]
    ).map {
      (
        key: $0[0] as StoreKey,
        usage: AccountUsage(
          records: $0[1], bytes: $0[2], participantsRecords: $0[3], participantsBytes: $0[4])
      )
    }
    let records = try db.first(
      "SELECT records FROM public_count WHERE container = ? AND account = ?", [container, key]
    ) { $0[0] as Int }
    let bytes = try db.first(
      "SELECT bytes FROM public_bytes WHERE container = ? AND account = ?", [container, key]
    ) { $0[0] as Int }
    return (zones, AccountUsage(records: records ?? 0, bytes: bytes ?? 0))
  }

  /// Adds to an account's usage in the public database.
  func add(_ added: AccountUsage, to account: AccountID, container: StoreKey) throws {
    if added.records != 0 {
      try add(added.records, to: account, container, in: "public_count", "records")
    }
    try add(added.bytes, to: account, container, in: "public_bytes", "bytes")
  }

  private func add(
    _ count: Int, to account: AccountID, _ container: StoreKey, in table: String, _ column: String
  ) throws {
    try db.run(
      """
      INSERT INTO \(table) (container, account, \(column))
      SELECT ?, key, max(0, ?2) FROM account WHERE id = ?3
      ON CONFLICT (container, account)
        DO UPDATE SET \(column) = max(0, \(table).\(column) + ?2)
      """, [container, count, account.bytes])
  }
}

extension SQLTransaction {
  /// The usage of the accounts that are charged for a request's saves. These are the owners of the zones;
  /// in the public database, the account that saves and the creators of the records it changes.
  func usages(
    of request: ModifyRequest, by identity: SessionIdentity, over records: [RecordID: Change]
  ) throws -> [AccountID: AccountUsage] {
    var usages: [AccountID: AccountUsage] = [:]
    for group in request.groups {
      let zone = group.zone.resolved(for: identity.account)
      if group.restoresZone { try read(identity.account, of: identity, into: &usages) }
      for case .save(let save) in group.operations {
        let existing = zone.isPublic ? records[RecordID(zone: zone, name: save.name)] : nil
        let payer =
          zone.isPublic ? existing?.created.origin.account ?? identity.account : zone.owner
        try read(payer, of: identity, into: &usages)
        guard zone.isPublic else { break }
        try read(identity.account, of: identity, into: &usages)
      }
    }
    return usages
  }

  private func read(
    _ payer: AccountID, of identity: SessionIdentity, into usages: inout [AccountID: AccountUsage]
  ) throws {
    guard usages[payer] == nil else { return }
    usages[payer] = try memory.usage(of: payer, container: identity.container) {
      try RecordCounts(db: db).read(of: payer, container: identity.container)
    }
  }
}

extension OperationGroup {
  /// Whether the group restores a deleted zone, whose records count again.
  fileprivate var restoresZone: Bool {
    operations.contains { if case .restoreZone = $0 { true } else { false } }
  }
}
