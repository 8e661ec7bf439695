// Disasters of a simulated broker other than crashes: its database is backed up and restored as
// `contacts-broker backup` and `restore` do it, record bytes are damaged and repaired, and its clock jumps.

import BrokerCore
import BrokerStore
import FoundationEssentials
import GRDB
import Records

extension RestoreWorld {
  /// The number of retained backups; a new one replaces the oldest.
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
    ancestors.insert(databases)
    backups.append(
      Backup(number: databases, path: target, ancestors: ancestors, restores: report.restores))
    if backups.count > Self.backupsMaximum { try remove(backups.removeFirst().path) }
  }

  /// Replaces the broker's database by one of these backups.
  mutating func restore(_ backups: [Backup], _ kind: RestoreKind = .continue) throws {
    guard let backup = backups.randomElement(using: &generator), canBeginHistories else { return }
    newHistories += 1
    databases += 1
    let target = "\(folder)/\(databases).sqlite"
    try FileManager.default.copyItem(atPath: backup.path, toPath: target)
    let archive = BrokerArchive(path: target)
    let mending = try archive.mend()
    let time = now
    try archive.beginNewHistory(
      at: time, kind, namesAreReliable: mending.namesAreReliable, using: generator.split())
    trace?("a backup is restored to \(kind), with \(mending.damagedCount) damaged records")
    if try kind == .rewind || makesDevicesGoBack(target) { memory.forget() }
    let former = path
    path = target
    try startBroker()
    try remove(former)
    ancestors = backup.ancestors
    report.restores += 1
  }

  /// Whether devices go back although the broker is restored from this copy to continue: the copy is from after a rewind of
  /// which they have not heard. If a backup from before the rewind had been restored in between, they have edited since.
  private func makesDevicesGoBack(_ copy: String) throws -> Bool {
    let rewind = try lastRewind(in: copy)
    guard rewind > .zero, try rewind != lastRewind(in: path) else { return false }
    return devices.contains { heardRewinds[$0.index]?.contains(rewind) != true }
  }

  /// The last rewind of a broker's database; zero if there was none.
  private func lastRewind(in database: String) throws -> Revision {
    let queue = try DatabaseQueue(path: database)
    defer { try? queue.close() }
    return try queue.read { db in
      let sql = "SELECT max(rewound_at) FROM directory_head"
      return Revision(try Int64.fetchOne(db, sql: sql) ?? 0)
    }
  }

  /// Whether a zone's lineage has room for the histories of two more disasters. Beyond its limit, devices merge by field.
  private var canBeginHistories: Bool { newHistories + 2 < Lineage.entriesMaximum }

  /// Restores the broker while there are no edits. Before, devices leave one after the other, and the others continue; so each
  /// has stopped at another revision. Afterwards, they connect in any order, and show what the last one showed.
  mutating func restoreAtRest() throws {
    try repair()
    try settleTemporarily()
    let order = devices.indices.shuffled(using: &generator)
    for index in order.dropLast() where generator.happens(percent: 60) {
      try leaveForGood(index)
      for _ in 0..<generator.below(6) { try editAtRest() }
      try settleDown()
      if generator.happens(percent: 20) { try backUp() }
    }
    guard let last = devices.indices.filter({ !devices[$0].isAway }).last else { return }
    let expected = try RestoreMemory.Contents(of: devices[last])
    let mayReturn = memory.returning(among: try lostRecords())
    // NB: the deletion of a group names a position, and a backup from before an earlier restore does not have its history.
    let count = report.restores
    try restore(backups.filter { ancestors.contains($0.number) && $0.restores == count })
    for index in devices.indices.shuffled(using: &generator) where devices[index].isAway {
      trace?("device \(index) is back")
      devices[index].isAway = false
      if generator.happens(percent: 50) { try settleDown() }
    }
    try settleTemporarily()
    for device in devices { try expected.check(device, mayReturn: mayReturn) }
  }

  /// Rewinds the broker to a backup while there are no edits. Before, devices leave one after the other, and the others change and
  /// delete what the backup has. Afterwards, all devices show what the backup had, without a conflict, and what they had
  /// besides is in their trash.
  mutating func rewindAtRest() throws {
    try repair()
    guard canBeginHistories else { return }
    try settleTemporarily()
    try backUp()
    let backup = backups.suffix(1)
    let expected = try RestoreMemory.Contents(of: devices[0])
    for index in devices.indices.shuffled(using: &generator).dropLast()
    where generator.happens(percent: 60) {
      for _ in 0..<generator.below(6) { try editAtRest() }
      try settleDown()
      try leaveForGood(index)
    }
    let before = try devices.map { try RestoreMemory.Contents(of: $0) }
    try restore(Array(backup), .rewind)
    for index in devices.indices.shuffled(using: &generator) where devices[index].isAway {
      trace?("device \(index) is back")
      devices[index].isAway = false
      if generator.happens(percent: 50) { try settleDown() }
    }
    try settleTemporarily()
    for (device, known) in zip(devices, before) {
      try expected.checkRewound(device, from: known, all: before)
    }
  }

  private mutating func leaveForGood(_ index: Int) throws {
    trace?("device \(index) goes away")
    devices[index].isAway = true
    if let id = devices[index].socket { try cut(id) }
  }

  private mutating func editAtRest() throws {
    let present = devices.indices.filter { !devices[$0].isAway }
    guard let index = present.randomElement(using: &generator) else { return }
    switch generator.below(10) {
    case 0: try changeGroups(on: index)
    case 1, 2: try deleteContact(on: index)
    case 3, 4: try addContact(on: index)
    default: try changeContact(on: index)
    }
    if generator.happens(percent: 50) { try settleDown() }
  }

  private func remove(_ path: String) throws {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  /// Restarts the broker on the current database.
  private mutating func startBroker() throws {
    let store = try SQLiteRecordStore(path: path)
    try throwing { world, generator in try world.broker.restart(on: store, generator: &generator) }
  }

  // MARK: Damage

  /// Changes a byte of a record on the disk.
  mutating func damage() throws {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    let rows = try queue.read { db in
      try Row.fetchAll(db, sql: "SELECT key, fields FROM record WHERE kind = 0 ORDER BY key")
    }
    guard let row = rows.randomElement(using: &generator), canBeginHistories else { return }
    var bytes: Data = row[1]
    bytes[bytes.startIndex + generator.below(bytes.count)] ^= UInt8(1 << generator.below(8))
    try queue.write { db in
      try db.execute(
        sql: "UPDATE record SET fields = ? WHERE key = ?", arguments: [bytes, row[0] as Int64])
    }
    trace?("record \(row[0] as Int64) is damaged")
    report.damages += 1
  }

  /// Stops the broker and repairs its records, as an operator would.
  mutating func repair() throws {
    broker.crash()
    let done = try BrokerArchive(path: path).repair(at: now, using: generator.split())
    trace?("the broker is repaired: \(done)")
    if !done.isEmpty { newHistories += 1 }
    try startBroker()
    let left = try BrokerArchive(path: path).findings()
    guard left.isEmpty else {
      throw InvariantViolation("repair", "findings remain after the repair: \(left)")
    }
  }

  /// The records that the broker lost to damage, and that no device has sent again.
  private func lostRecords() throws -> Set<RecordName> {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    let names = try queue.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT name FROM record WHERE kind = 1 AND modified_number = 0 AND type = 'Damaged'
          """)
    }
    return Set(names.map(RecordName.init(stored:)))
  }

  // MARK: Time

  /// Sets the wall clock to another time, up to 200 days away.
  mutating func leap() {
    leapSeconds += Int64(generator.below(400 * 86_400)) - 200 * 86_400
    trace?("the clock leaps, and says \(now)")
  }

  /// Expires tombstones older than 90 days of observed time. That much time never passes here, so none may
  /// expire.
  mutating func expireTombstones() throws {
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
      throw InvariantViolation("clock", "\(before - after) tombstones expired at \(time)")
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
