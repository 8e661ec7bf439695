// What accounts that were deleted have made in public databases goes with them: step by step, because
// it may be much and others wait. Where a step ends is written down with it, so a broker that stops
// goes on there.

import BrokerCore
import FoundationEssentials
import GRDB
import Records
import SQLiteFile

/// The `leaver` table.
struct LeaverTable {
  /// The names looked at in one step.
  private static let rowsPerStep = 5000

  let transaction: SQLiteTransaction

  private var db: Database { transaction.db }

  /// Notes that the public records of an account are to go.
  func enter(_ account: StoreKey) throws {
    try db.run(
      """
      INSERT OR IGNORE INTO leaver (zone, account)
      SELECT key, ? FROM zone WHERE owner = (SELECT key FROM account WHERE id = ?)
      """, [account, Data(AccountID.public.bytes)])
  }

  /// Removes some records of one who left.
  func step(
    at now: Timestamp, using generator: inout some RandomNumberGenerator
  ) throws -> RemovedRecords {
    let leaver = try db.first("SELECT zone, account, after FROM leaver LIMIT 1", []) {
      (zone: $0[0] as StoreKey, account: $0[1] as StoreKey, after: $0[2] as String)
    }
    guard let leaver else { return RemovedRecords() }
    let devices = try devices(of: leaver.account)
    let (names, reached) = try names(in: leaver.zone, after: leaver.after, by: Set(devices))
    var effects = CommitEffects()
    if !names.isEmpty, let device = devices.first,
      let identity = try identity(device, leaver.account, zone: leaver.zone)
    {
      guard let removed = try remove(names, as: identity, at: now, using: &generator) else {
        return RemovedRecords(isMore: true, isPutOff: true)
      }
      effects = removed
      try erasePast(of: names, in: leaver.zone)
    }
    if let reached {
      try db.run(
        "UPDATE leaver SET after = ? WHERE zone = ? AND account = ?",
        [reached, leaver.zone, leaver.account])
    } else {
      try db.run(
        "DELETE FROM leaver WHERE zone = ? AND account = ?", [leaver.zone, leaver.account])
    }
    return RemovedRecords(effects: effects, isMore: true)
  }

  private func devices(of account: StoreKey) throws -> [StoreKey] {
    try StoreKey.fetchAll(
      db.cachedStatement(sql: "SELECT key FROM device WHERE account = ? ORDER BY key"),
      arguments: [account])
  }

  /// The next records by these devices, and the last name looked at; `nil` where none comes behind.
  private func names(
    in zone: StoreKey, after name: String, by devices: Set<StoreKey>
  ) throws -> (found: [RecordName], reached: String?) {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT name, created_device, key, length(fields) FROM record WHERE zone = ? AND name > ? AND kind = 0
          ORDER BY name LIMIT \(Self.rowsPerStep)
          """), arguments: [zone, name])
    var found: [RecordName] = []
    var bytesLeft = BrokerLimits.storedBytesPerTransaction
    for row in rows where devices.contains(row[1]) {
      bytesLeft -= try row[3] as Int + pastBytes(of: row[2])
      guard bytesLeft >= 0 || found.isEmpty else { return (found, found.last?.text) }
      found.append(RecordName(stored: row[0]))
      if found.count == RemovalRequest.recordsMaximum { return (found, row[0]) }
    }
    return (found, rows.count == Self.rowsPerStep ? rows.last?[0] : nil)
  }

  private func pastBytes(of record: StoreKey) throws -> Int {
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

  /// Removes records; `nil` where it has to be tried again, because too much is hidden just now.
  private func remove(
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

  /// Nobody may see their earlier states, and with the account they go.
  private func erasePast(of names: [RecordName], in zone: StoreKey) throws {
    for name in names {
      try db.run(
        "DELETE FROM past WHERE record = (SELECT key FROM record WHERE zone = ? AND name = ?)",
        [zone, name.text])
    }
  }
}
