// How many records an account has in an application: those of its own zones, which each zone's row
// counts, and those that it made in the public database, which have a table. The writer asks once for an
// account and goes on counting by itself, so that a save costs a look into a dictionary.

import BrokerCore
import FoundationEssentials
import GRDB
import Records
import SQLiteFile

/// What the quota of records is compared with.
struct RecordCounts {
  // A row for each account that has public records now, or had.
  static let schema = """
    CREATE TABLE public_count (
      container INTEGER NOT NULL,
      account INTEGER NOT NULL,
      records INTEGER NOT NULL,
      PRIMARY KEY (container, account)
    ) STRICT, WITHOUT ROWID;
    \(counting)
    """

  /// Counts what there is, into the empty table.
  static let counting = """
    INSERT INTO public_count
      SELECT zone.container, device.account, count(*)
      FROM zone JOIN record ON record.zone = zone.key AND kind = 0
        JOIN device ON device.key = created_device
      WHERE zone.owner = (SELECT key FROM account
        WHERE id = X'00000000000000000000000000000001')
      GROUP BY zone.container, device.account;
    """

  /// How many there are of each account, by the rows of container and account, as SQL.
  static let total = """
    coalesce((SELECT sum(record_count) FROM zone
      WHERE zone.owner = account.key AND is_deleted = 0), 0)
    + coalesce((SELECT sum(records) FROM public_count
      WHERE public_count.account = account.key), 0)
    """

  let db: Database

  /// The records of an account's zones that are written down, by the zones' rows, and those it made in
  /// the public database.
  func read(
    of account: AccountID, container: StoreKey
  ) throws -> (zones: [(key: StoreKey, count: Int)], publicCount: Int) {
    let key = try AccountTable(db: db).account(account)?.key ?? 0
    let zones = try Row.fetchAll(
      db,
      sql: """
        SELECT key, record_count FROM zone WHERE owner = ? AND container = ? AND is_deleted = 0
        """, arguments: [key, container]
    ).map { (key: $0[0] as StoreKey, count: $0[1] as Int) }
    let publicCount = try db.first(
      "SELECT records FROM public_count WHERE container = ? AND account = ?", [container, key]
    ) { $0[0] as Int }
    return (zones, publicCount ?? 0)
  }

  /// An account has so many more public records.
  func add(_ count: Int, to account: AccountID, container: StoreKey) throws {
    try db.run(
      """
      INSERT INTO public_count (container, account, records)
      SELECT ?, key, max(0, ?2) FROM account WHERE id = ?3
      ON CONFLICT DO UPDATE SET records = max(0, records + ?2)
      """, [container, count, Data(account.bytes)])
  }
}

extension SQLiteTransaction {
  /// How many records those have who pay for what a request saves: the zones' owners, and in the public
  /// database who saves.
  func recordCounts(
    of request: ModifyRequest, by identity: SessionIdentity
  ) throws -> [AccountID: Int] {
    var counts: [AccountID: Int] = [:]
    for group in request.groups {
      let zone = group.zone.resolved(for: identity.account)
      let payer = zone.isPublic ? identity.account : zone.owner
      guard counts[payer] == nil, group.operations.contains(where: \.isSave) else { continue }
      counts[payer] = try memory.recordCount(of: payer, container: identity.container) {
        try RecordCounts(db: db).read(of: payer, container: identity.container)
      }
    }
    return counts
  }
}

extension Operation {
  fileprivate var isSave: Bool {
    if case .save = self { true } else { false }
  }
}
