// What happens to the broker of a simulated world besides dying: its database is copied and put back, as
// `contacts-broker backup` and `restore` do it, bits of records flip and are repaired, and its clock leaps.

import BrokerCore
import BrokerStore
import FoundationEssentials
import GRDB
import Records

extension RestoreWorld {
  /// Backups that are kept; the oldest goes.
  private static let backupsMaximum = 3
  private static let horizonSeconds: Int64 = 90 * 86_400

  // MARK: Backups

  /// Copies the database while the broker serves it.
  mutating func backUp() throws {
    databases += 1
    let target = "\(folder)/\(databases).sqlite"
    try BrokerArchive(path: path).copy(to: target)
    let mending = try BrokerArchive(path: target).mend()
    trace?("a backup is made, with \(mending.damagedCount) damaged records")
    backups.append(Backup(path: target, buried: memory.buried))
    if backups.count > Self.backupsMaximum { try remove(backups.removeFirst().path) }
  }

  /// Puts one of the backups back, in place of what the broker has.
  mutating func restore() throws {
    guard let backup = backups.randomElement(using: &dice) else { return }
    databases += 1
    let target = "\(folder)/\(databases).sqlite"
    try FileManager.default.copyItem(atPath: backup.path, toPath: target)
    let archive = BrokerArchive(path: target)
    let mending = try archive.mend()
    let time = now
    try archive.beginNewHistory(
      at: time, namesAreReliable: mending.namesAreReliable, using: &dice)
    trace?("a backup is restored, with \(mending.damagedCount) damaged records")
    let former = path
    path = target
    try startBroker()
    try remove(former)
    memory.restored(backup.buried)
    report.restores += 1
  }

  private func remove(_ path: String) throws {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  /// The broker's process ends, and another one serves the database that is there now.
  private mutating func startBroker() throws {
    let store = try SQLiteRecordStore(path: path)
    try throwing { world, dice in try world.broker.restart(on: store, dice: &dice) }
  }

  // MARK: Damage

  /// A byte of a record becomes another one on the disk.
  mutating func damage() throws {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    let rows = try queue.read { db in
      try Row.fetchAll(db, sql: "SELECT key, fields FROM record WHERE kind = 0 ORDER BY key")
    }
    guard let row = rows.randomElement(using: &dice) else { return }
    var bytes: Data = row[1]
    bytes[bytes.startIndex + dice.below(bytes.count)] ^= UInt8(1 << dice.below(8))
    try queue.write { db in
      try db.execute(
        sql: "UPDATE record SET fields = ? WHERE key = ?", arguments: [bytes, row[0] as Int64])
    }
    trace?("record \(row[0] as Int64) is damaged")
    report.damages += 1
  }

  /// An administrator stops the broker and has its records repaired.
  mutating func repair() throws {
    broker.crash()
    let done = try BrokerArchive(path: path).repair(at: now)
    trace?("the broker is repaired: \(done)")
    try startBroker()
    let left = try BrokerArchive(path: path).findings()
    guard left.isEmpty else { throw InvariantViolation("repair", "repaired, and \(left)") }
  }

  // MARK: Time

  /// The clock on the wall is set to another time, up to 200 days away.
  mutating func leap() {
    leapSeconds += Int64(dice.below(400 * 86_400)) - 200 * 86_400
    trace?("the clock leaps, and says \(now)")
  }

  /// The broker removes what has been old for 90 days that it has watched. So much time never passes here.
  mutating func reap() throws {
    let before = try tombstones()
    let time = now
    try broker.store.transact { transaction in
      let (_, watched) = try transaction.observeClock(
        time, forgettingAfterSeconds: Self.horizonSeconds)
      let old = watched.old(afterSeconds: Self.horizonSeconds)
      _ = try transaction.expireTombstones(old, rowsMaximum: 100)
      _ = try transaction.expireHistory(old, rowsMaximum: 100)
      _ = try transaction.expireDirectoryEntries(old, rowsMaximum: 100)
    }
    let after = try tombstones()
    guard after == before else {
      throw InvariantViolation("clock", "\(before - after) tombstones are gone at \(time)")
    }
  }

  private func tombstones() throws -> Int {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { db in
      try Int.fetchOne(
        db,
        sql: """
          SELECT (SELECT count(*) FROM record JOIN zone ON zone.key = record.zone
              WHERE kind = 1 AND is_deleted = 0) + (SELECT count(*) FROM directory)
          """) ?? 0
    }
  }
}
