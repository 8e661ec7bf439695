// Deletes the public records of deleted accounts. There may be many, and other requests are waiting, so
// the work is done in steps. Each step stores its position in the same transaction, so that a restarted
// broker continues there.

import BrokerCore
import Records
import SQLConnections

/// The `leaver` table: deleted accounts whose public records have still to be deleted.
struct DeletedCreatorTable {
  /// The records examined in one step, of all creators.
  private static let rowsPerStep = 5000

  let transaction: SQLTransaction

  private var db: any SQLConnection { transaction.db }

  /// Schedules the deletion of an account's records in all public databases.
  func insert(_ account: StoreKey) throws {
    try db.run(
      """
      INSERT INTO leaver (zone, account)
      SELECT key, ? FROM zone WHERE owner = (SELECT key FROM account WHERE id = ?)
      ON CONFLICT DO NOTHING
      """, [account, AccountID.public.bytes])
  }

  /// Deletes some records of one deleted account. Sets `isDeferred` if the records could not be deleted now
  /// because a cascade must be finished first; the same step is to be tried again later.
  func step(
    at now: Timestamp, using generator: inout some RandomNumberGenerator
  ) throws -> RemovedRecords {
    let creator = try db.first("SELECT zone, account, after FROM leaver LIMIT 1", []) {
      (zone: $0[0] as StoreKey, account: $0[1] as StoreKey, after: $0[2] as String)
    }
    guard let creator else { return RemovedRecords() }
    let devices = try devices(of: creator.account)
    let (names, position) = try names(in: creator.zone, after: creator.after, by: Set(devices))
    var effects = CommitEffects()
    if !names.isEmpty, let device = devices.first,
      let identity = try identity(device, creator.account, zone: creator.zone)
    {
      guard let deletion = try delete(names, as: identity, at: now, using: &generator) else {
        return RemovedRecords(isMore: true, isDeferred: true)
      }
      effects = deletion
      try eraseEarlierVersions(of: names, in: creator.zone)
    }
    if let position {
      try db.run(
        "UPDATE leaver SET after = ? WHERE zone = ? AND account = ?",
        [position, creator.zone, creator.account])
    } else {
      try db.run(
        "DELETE FROM leaver WHERE zone = ? AND account = ?", [creator.zone, creator.account])
    }
    return RemovedRecords(effects: effects, isMore: true)
  }

  private func devices(of account: StoreKey) throws -> [StoreKey] {
    try
      (db.column("SELECT key FROM device WHERE account = ? ORDER BY key", [account]) as [StoreKey])
  }

  /// Returns the next records that these devices created, and the last name examined; `nil` at the end of
  /// the zone. A batch is limited by its number of records and by the stored bytes, earlier versions
  /// included.
  private func names(
    in zone: StoreKey, after name: String, by devices: Set<StoreKey>
  ) throws -> (found: [RecordName], position: String?) {
    let rows = try db.rows(
      """
      SELECT name, created_device, key, length(fields) FROM record
      WHERE zone = ? AND name > ? AND kind = 0 ORDER BY name LIMIT \(Self.rowsPerStep)
      """, [zone, name])
    var found: [RecordName] = []
    var bytesLeft = BrokerLimits.storedBytesPerTransaction
    for row in rows where devices.contains(row[1]) {
      bytesLeft -= try row[3] as Int + bytesOfEarlierVersions(of: row[2])
      guard bytesLeft >= 0 || found.isEmpty else { return (found, found.last?.text) }
      found.append(RecordName(stored: row[0]))
      if found.count == RemovalRequest.recordsMaximum { return (found, row[0]) }
    }
    return (found, rows.count == Self.rowsPerStep ? rows.last?[0] : nil)
  }

  private func bytesOfEarlierVersions(of record: StoreKey) throws -> Int {
    try db.first(
      "SELECT coalesce(sum(length(fields)), 0) FROM past WHERE record = ?", [record]
    ) { $0[0] } ?? 0
  }

  private func identity(
    _ device: StoreKey, _ account: StoreKey, zone: StoreKey
  ) throws -> SessionIdentity? {
    let container = try db.first("SELECT container FROM zone WHERE key = ?", [zone]) {
      $0[0] as StoreKey
    }
    guard let container else { return nil }
    let (accountID, deviceID) = try transaction.origins.origin(of: device, in: db)
    return SessionIdentity(
      container: container, account: accountID, accountKey: account, device: deviceID,
      deviceKey: device)
  }

  /// Deletes records with the plan of an ordinary request, so that subscribers are notified and references
  /// are followed. Returns `nil` if the plan is refused, because a cascade hides too many records now.
  private func delete(
    _ names: [RecordName], as identity: SessionIdentity, at now: Timestamp,
    using generator: inout some RandomNumberGenerator
  ) throws -> CommitEffects? {
    let removal = RemovalRequest(removing: names, from: .public)
    let gathered = try transaction.gather(
      removal.request, of: identity, numbers: removal.numbers,
      publicRights: removal.publicRights)
    var planner = ModifyPlanner(removal.request, of: identity, at: now, gathered: gathered)
    guard case .perform(let writes) = planner.plan(using: &generator) else { return nil }
    transaction.spend(storedBytes: gathered.storedBytes)
    return try transaction.carryOut(writes, of: identity).effects
  }

  /// Erases the earlier versions of deleted records. No account may read them, so they need not be
  /// retained until they expire.
  private func eraseEarlierVersions(of names: [RecordName], in zone: StoreKey) throws {
    for name in names {
      try db.run(
        "DELETE FROM past WHERE record = (SELECT key FROM record WHERE zone = ? AND name = ?)",
        [zone, name.text])
    }
  }
}
