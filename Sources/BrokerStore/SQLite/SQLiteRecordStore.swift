// The store on SQLite: one connection that writes, a few that read beside it. Ids of devices and
// accounts are looked up once and remembered, because every record names four of them.

import BrokerCore
import GRDB
import Predicates
import Records
import SQLiteFile
import Synchronization

/// The broker's store in an SQLite database.
package final class SQLiteRecordStore: RecordStore {
  private let database: any DatabaseWriter
  let origins = OriginCache()
  let damages: DamageList
  let publicRights: PublicRights
  private let memory: WriterMemory
  private let log: WriteAheadLog

  /// Opens or creates the database at `path`, whose public records are under `publicRights`, and
  /// tells `report` of each state of a record that is found damaged, the first time; from whatever
  /// thread reads it.
  /// - Throws: `StoreError`, when the file is not ours, newer, damaged or cannot be opened.
  package convenience init(
    path: String, publicRights: PublicRights = PublicRights(),
    cascades: CascadeBounds = CascadeBounds(),
    report: @escaping @Sendable (DamagedState) -> Void = { _ in }
  ) throws(StoreError) {
    let log = WriteAheadLog()
    try self.init(
      try BrokerSchema.file.open(path: path, readers: 4, log: log), log, path: path, publicRights,
      cascades, report: report)
  }

  /// A store that lives in memory, for simulations.
  package convenience init(
    publicRights: PublicRights = PublicRights(), cascades: CascadeBounds = CascadeBounds()
  ) throws(StoreError) {
    try self.init(
      try BrokerSchema.file.openInMemory(like: BrokerSchema.empty.get()), WriteAheadLog(),
      path: "in memory", publicRights, cascades, report: { _ in })
  }

  private init(
    _ database: any DatabaseWriter, _ log: WriteAheadLog, path: String,
    _ publicRights: PublicRights, _ cascades: CascadeBounds,
    report: @escaping @Sendable (DamagedState) -> Void
  ) throws(StoreError) {
    self.database = database
    self.log = log
    self.publicRights = publicRights
    memory = WriterMemory(cascades: cascades)
    damages = DamageList(report: report)
    do {
      try database.write { try memory.load(in: $0) }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  deinit {
    // A database is not closed while there are statements of it.
    memory.letGoOfStatements()
  }

  package func transact<Result>(
    _ body: (any StoreTransaction) throws -> Result
  ) throws -> Result {
    try translatingErrors {
      try database.writeWithoutTransaction { db in
        try memory.prepare(in: db)
        do {
          var result: Result?
          try db.inTransaction(.immediate) {
            result = try body(
              SQLiteTransaction(
                db: db, origins: origins, memory: memory, damages: damages,
                publicRights: publicRights))
            try memory.finish(in: db)
            return .commit
          }
          guard let result else { preconditionFailure("A transaction ended without its result.") }
          memory.committed()
          return result
        } catch {
          memory.undone(in: db)
          throw error
        }
      }
    }
  }

  package var isUntidy: Bool { log.isFull }

  package func tidy() {
    database.writeWithoutTransaction { log.copy(in: $0) }
  }

  package func page(_ request: PageRequest) throws -> FeedPage {
    try translatingErrors {
      try database.reading { db in
        try RecordTable(
          db: db, origins: origins, memory: nil, damages: damages,
          hidden: HiddenRecords(db: db, looksMaximum: BrokerLimits.looksForHiddenByReader)
        ).page(request)
      }
    }
  }

  package func fetch(_ ids: [RecordID], of identity: SessionIdentity) throws -> [Change?] {
    try translatingErrors {
      try database.reading { db in
        let zones = ZoneTable(db: db, memory: nil)
        let records = RecordTable(
          db: db, origins: origins, memory: nil, damages: damages,
          hidden: HiddenRecords(db: db, looksMaximum: BrokerLimits.looksForHiddenByReader))
        let participants = ParticipantTable(db: db, memory: nil)
        var byteCount = 0
        return try ids.map { id in
          let zoneID = id.zone.resolved(for: identity.account)
          guard let zone = try zones.zone(zoneID, container: identity.container),
            let key = zone.key, !zone.isDeleted,
            try zoneID.isPublic || participants.access(of: identity, in: zone).allowsReading
          else { return nil }
          let record = try records.record(id.name, zone: key)
          guard
            !zoneID.isPublic || record.map({ publicRights.allowsReading($0, by: identity) }) == true
          else { return nil }
          byteCount += record?.record.bytes.count ?? 0
          guard byteCount <= Limits.frameBytes else {
            throw RecordsError.limit(
              "Bytes of the records asked for", limit: Limits.frameBytes, actual: byteCount)
          }
          return record
        }
      }
    }
  }

  package func history(
    _ id: RecordID, below: Revision?, of identity: SessionIdentity
  ) throws -> HistoryPage {
    try readingPast(of: id.zone, as: identity, orElse: HistoryPage(states: [], isWhole: true)) {
      try $0.history(of: id.name, in: $1, below: below)
    }
  }

  package func trash(
    _ zone: ZoneID, below: Revision?, of identity: SessionIdentity
  ) throws -> TrashPage {
    try readingPast(of: zone, as: identity, orElse: TrashPage(items: [], next: nil)) {
      try $0.trash(of: $1, below: below)
    }
  }

  private func readingPast<Page>(
    of id: ZoneID, as identity: SessionIdentity, orElse empty: Page,
    _ body: (PastTable, StoredZone) throws -> Page
  ) throws -> Page {
    try translatingErrors {
      try database.reading { db in
        let zone = try ZoneTable(db: db, memory: nil).zone(
          id.resolved(for: identity.account), container: identity.container)
        guard let zone, !zone.isDeleted,
          try ParticipantTable(db: db, memory: nil).access(of: identity, in: zone).allowsReading
        else { return empty }
        let records = RecordTable(db: db, origins: origins, memory: nil, damages: damages)
        return try body(PastTable(records: records), zone)
      }
    }
  }

  package func accounts(
    _ order: AccountRequest, of identity: SessionIdentity
  ) throws -> (profiles: [AccountProfile], isWhole: Bool) {
    try reading { try AccountProfiles(db: $0, identity: identity).answer(order) }
  }

  package func directory(of identity: SessionIdentity) throws -> DirectoryPage {
    try translatingErrors {
      try database.reading { db in
        try DirectoryTable(db: db).page(
          container: identity.container, account: identity.accountKey, after: .zero)
      }
    }
  }

  /// What a pragma of the writing connection says; for tests and self-checks.
  package func pragma(_ name: String) throws -> String? {
    try database.writeWithoutTransaction { db in
      try String.fetchOne(db.cachedStatement(sql: "PRAGMA \(name)"))
    }
  }

  /// Reads beside the writer.
  func reading<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try translatingErrors { try database.reading(body) }
  }

  private func translatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as RecordsError {
      throw error
    } catch is HiddenRecords.TooManyLooks {
      throw RecordsError(
        .zoneBusy, "Records that refer to a deleted record are still being deleted.",
        hint: "Ask again in a moment.", retryAfterSeconds: 1)
    } catch {
      throw StoreError(error, path: "of the broker")
    }
  }
}

/// One transaction on SQLite.
struct SQLiteTransaction: StoreTransaction {
  let db: Database
  let origins: OriginCache
  let memory: WriterMemory
  let damages: DamageList
  let publicRights: PublicRights

  var zones: ZoneTable { ZoneTable(db: db, memory: memory) }
  var records: RecordTable {
    RecordTable(db: db, origins: origins, memory: memory, damages: damages)
  }
  var devices: DeviceTable { DeviceTable(db: db, memory: memory) }
  var accounts: AccountTable { AccountTable(db: db) }
  var directories: DirectoryTable { DirectoryTable(db: db) }
  var assets: AssetTable { AssetTable(db: db) }
  var indexes: IndexTable { IndexTable(db: db) }

  var storedBytesLeft: Int { memory.storedBytesLeft }

  var spent: Double {
    let bytes = 1 - Double(storedBytesLeft) / Double(BrokerLimits.storedBytesPerTransaction)
    let steps = Double(memory.book.stepsUsed) / Double(PredicateLimits.stepsPerSharedCommit)
    return max(bytes, steps)
  }

  func spend(storedBytes byteCount: Int) { memory.spend(storedBytes: byteCount) }

  // MARK: Modifying

  func gather(
    _ request: ModifyRequest, of identity: SessionIdentity
  ) throws -> GatheredForModify {
    let numbers = try devices.numbers(of: identity, for: request.number)
    guard request.number == numbers.last.next else {
      return try gatherRights(to: request, of: identity, numbers: numbers)
    }
    return try gather(request, of: identity, numbers: numbers, publicRights: publicRights)
  }

  /// What is asked of a request that was carried out before: whether its outcome may still be told.
  private func gatherRights(
    to request: ModifyRequest, of identity: SessionIdentity, numbers: StoredNumbers
  ) throws -> GatheredForModify {
    var stored: [ZoneID: StoredZone] = [:]
    var participations: [ZoneID: StoredParticipation] = [:]
    for group in request.groups where numbers.outcome != nil {
      let id = group.zone.resolved(for: identity.account)
      guard stored[id] == nil else { continue }
      stored[id] = try zones.zone(id, container: identity.container)
      guard let key = stored[id]?.key, id.owner != identity.account else { continue }
      participations[id] = try participants.participation(of: identity.accountKey, in: key)
    }
    return GatheredForModify(
      numbers: numbers, zones: stored, records: [:], participations: participations,
      publicRights: publicRights)
  }

  func gather(
    _ request: ModifyRequest, of identity: SessionIdentity, numbers: StoredNumbers,
    publicRights: PublicRights
  ) throws -> GatheredForModify {
    var stored: [ZoneID: StoredZone] = [:]
    var found: [RecordID: Change] = [:]
    var participations: [ZoneID: StoredParticipation] = [:]
    guard request.number == numbers.last.next else {
      return GatheredForModify(numbers: numbers, zones: stored, records: found)
    }
    let names = request.mentions
    var storedBytes = 0
    for group in request.groups {
      let id = group.zone.resolved(for: identity.account)
      if stored[id] == nil { stored[id] = try zones.zone(id, container: identity.container) }
      guard let key = stored[id]?.key else { continue }
      if id.owner != identity.account, participations[id] == nil {
        participations[id] = try participants.participation(of: identity.accountKey, in: key)
      }
      for name in group.operations.compactMap(\.recordName) {
        let place = RecordID(zone: id, name: name)
        guard found[place] == nil, storedBytes <= Limits.storedBytesPerRequest,
          let record = try records.recordToWriteOver(name, zone: key)
        else { continue }
        storedBytes += record.record.bytes.count
        found[place] = record
      }
    }
    let isHiding =
      !memory.cascadingZones.isEmpty
      && stored.values.contains { memory.cascadingZones.contains($0.key ?? 0) }
    var gathered = GatheredForModify(
      numbers: numbers, zones: stored, records: found,
      assets: names.assets
        ? try assets.gather(request, zones: stored, records: found, of: identity) : nil,
      participations: participations, publicRights: publicRights,
      zoneCounts: try request.mayMakeZone
        ? zones.counts(of: identity.accountKey, container: identity.container) : ZoneCounts(),
      references: names.parents || isHiding
        ? try gatherReferences(of: request, identity, zones: stored, records: found, publicRights)
        : .nothing,
      usages: try usages(of: request, by: identity, over: found))
    gathered.storedBytes = storedBytes
    return gathered
  }

  func apply(
    _ writes: ModifyWrites, of identity: SessionIdentity
  ) throws -> (outcome: ModifyOutcome, effects: CommitEffects) {
    let (done, effects) = try carryOut(writes, of: identity)
    try devices.record(done, device: identity.deviceKey)
    return (done.outcome, effects)
  }

  /// Carries out a plan, without keeping what came of it. Returns it with what deletions took along.
  func carryOut(
    _ writes: ModifyWrites, of identity: SessionIdentity
  ) throws -> (writes: ModifyWrites, effects: CommitEffects) {
    var application = ModifyApplication(transaction: self, identity: identity)
    for write in writes.writes { try application.apply(write) }
    let done = writes.noting(try application.takeAlong(writes.deletions))
    return (done, try application.finish())
  }

  func removeLeft(
    at now: Timestamp, using generator: inout some RandomNumberGenerator
  ) throws -> RemovedRecords {
    try LeaverTable(transaction: self).step(at: now, using: &generator)
  }

  func isRevoked(_ identity: SessionIdentity) throws -> Bool {
    try devices.numbers(of: identity, for: .zero).isRevoked
  }

  func acknowledge(_ number: RequestNumber, of identity: SessionIdentity) throws {
    try devices.acknowledge(number, device: identity.deviceKey)
  }

  // MARK: Signing in

  func gather(
    _ request: SignInRequest, using generator: inout some RandomNumberGenerator
  ) throws -> GatheredForSignIn {
    let hello = request.hello
    let device = try hello.device.flatMap { try devices.device($0) }
    let credentialAccount = try accounts.account(ofUID: request.uid)
    let needsName = hello.accountName == nil && device == nil && credentialAccount == nil
    return GatheredForSignIn(
      device: device,
      namedAccount: try hello.accountName.flatMap { try accounts.account(named: $0) },
      credentialAccount: credentialAccount,
      derivedName: needsName
        ? try accounts.freeName(for: request.uid, using: &generator) : nil,
      hasContainer: try accounts.hasRoom(forContainer: hello.container))
  }

  func register(
    _ choice: SignInPlan.AccountChoice, _ request: SignInRequest, identifiers: NewIdentifiers,
    at now: Timestamp
  ) throws -> StoredDevice {
    let account: StoredAccount
    switch choice {
    case .existing(let existing): account = existing
    case .new(let name, let uid):
      account = try accounts.insert(identifiers.account, name: name, uid: uid, at: now)
    }
    return try devices.insert(
      request.hello.device ?? identifiers.device, account: account, request, at: now)
  }

  func enter(
    _ device: StoredDevice, _ request: SignInRequest, identifiers: NewIdentifiers,
    at now: Timestamp
  ) throws -> SignedIn {
    let hello = request.hello
    let container = try accounts.container(named: hello.container)
    let announcement = try DirectoryDevices(db: db).enter(
      device, name: hello.deviceName, container: container, at: now)
    let (id, last) = try devices.seen(device, name: hello.deviceName, at: now)
    let identity = SessionIdentity(
      container: container, account: device.account.id, accountKey: device.account.key,
      device: id, deviceKey: device.key, keyGeneration: memory.keyGeneration(of: device.key))
    try makeStandardZone(of: identity, incarnation: identifiers.incarnation)
    try makePublicZone(in: container, incarnation: identifiers.incarnation)
    try acknowledge(hello.acknowledged, of: identity)
    return try signedIn(identity, device, hello, last: last, announcing: announcement)
  }

  func admit(_ device: StoredDevice, _ request: SignInRequest) throws -> SignedIn {
    let container = try accounts.container(named: request.hello.container)
    let (id, last) = try devices.identity(of: device)
    let identity = SessionIdentity(
      container: container, account: device.account.id, accountKey: device.account.key,
      device: id, deviceKey: device.key, keyGeneration: memory.keyGeneration(of: device.key))
    let standard = ZoneID(owner: identity.account, name: .standard)
    guard try zones.zone(standard, container: container) != nil,
      try zones.zone(.public, container: container) != nil
    else { throw StoreError(.full, "The zones of an application cannot be made.") }
    return try signedIn(identity, device, request.hello, last: last)
  }

  private func signedIn(
    _ identity: SessionIdentity, _ device: StoredDevice, _ hello: Hello, last: RequestNumber,
    announcing announcement: DirectoryCommit? = nil
  ) throws -> SignedIn {
    let (directory, isLeftOut) = try directories.greetingPage(
      container: identity.container, account: device.account.key, after: hello.directory)
    return SignedIn(
      identity: identity, accountName: device.account.name, lastNumber: last,
      directory: directory, isDirectoryLeftOut: isLeftOut,
      zones: try zones(at: hello.zones, of: identity),
      announcements: announcement.map { [$0] } ?? [])
  }

  private func makeStandardZone(of identity: SessionIdentity, incarnation: Incarnation) throws {
    let id = ZoneID(owner: identity.account, name: .standard)
    guard try zones.zone(id, container: identity.container) == nil else { return }
    let zone = StoredZone(
      key: nil, id: id, title: "", incarnation: incarnation, head: .zero, reapedThrough: .zero,
      isDeleted: false)
    let key = try zones.insert(zone, container: identity.container, owner: identity.accountKey)
    _ = try directories.touch(
      zone: key, container: identity.container, account: identity.accountKey)
  }

  func zones(
    at positions: [ZonePosition], of identity: SessionIdentity
  ) throws -> [AttachedZone] {
    try positions.map { position in
      let id = position.zone.resolved(for: identity.account)
      let zone = try zones.zone(id, container: identity.container)
      let isReadable = try zone.map {
        try participants.access(of: identity, in: $0).allowsReading
      }
      return AttachedZone(
        position: ZonePosition(zone: id, token: position.token),
        stored: isReadable == true ? try zone.map(zones.withLostNames) : nil)
    }
  }

  // MARK: Accounts

  func perform(
    _ order: AccountRequest, of identity: SessionIdentity
  ) throws -> (profiles: [AccountProfile], effects: CommitEffects) {
    let profiles = AccountProfiles(db: db, identity: identity)
    let before = try profiles.answer(.me).profiles
    try profiles.change(order)
    let after = try profiles.answer(.me).profiles
    let isRenamed = before.map(\.displayName) != after.map(\.displayName)
    return (after, isRenamed ? try announceName(of: identity) : CommitEffects())
  }

  // MARK: Administration

  func administer(
    _ order: AdministrativeRequest, identifiers: NewIdentifiers, at now: Timestamp
  ) throws -> AdministrationOutcome {
    try OrderApplication(transaction: self, now: now).perform(order, identifiers: identifiers)
  }

  func watchClock(
    _ now: Timestamp, forgettingAfterSeconds seconds: Int64
  ) throws -> (movement: WatchedTime.Movement, watched: WatchedTime) {
    try ClockTable(db: db).update { watched in
      // What was dated ahead is gone before its date is forgotten: this is the look behind it.
      watched.forget(before: watched.old(afterSeconds: seconds).before)
      return (watched.look(at: now), watched)
    }
  }

  func reap(tombstones old: OldTimes, rowsMaximum: Int) throws -> Int {
    defer { memory.forget() }
    var rows = try records.reapTombstones(old, rowsMaximum: rowsMaximum)
    rows += try records.reapDeletedZones(rowsMaximum: rowsMaximum - rows)
    rows += try indexes.reapDeletedZones(rowsMaximum: rowsMaximum - rows)
    return rows + (try references.reapDeletedZones(rowsMaximum: rowsMaximum - rows))
  }

  func forgetZones(_ old: OldTimes, rowsMaximum: Int) throws -> Bool {
    defer { memory.forget() }
    return try DirectoryForgetting(db: db).step(old, rowsMaximum: rowsMaximum)
  }

  func declareIndexes(_ wanted: [DeclaredIndex]) throws {
    try indexes.declare(wanted)
    memory.remember(try indexes.declared())
  }

  func fillIndexes(rowsMaximum: Int) throws -> Bool {
    try indexes.fill(records, rowsMaximum: rowsMaximum)
  }

  func reapPast(_ old: OldTimes, rowsMaximum: Int) throws -> Bool {
    let past = PastTable(records: records)
    let isMoreOld = try past.reap(old, rowsMaximum: rowsMaximum)
    return try past.erase() || isMoreOld
  }
}

extension ModifyRequest {
  /// Whether a zone may come of it.
  fileprivate var mayMakeZone: Bool {
    groups.contains { group in
      group.operations.contains { if case .saveZone = $0 { true } else { false } }
    }
  }

  /// Whether any of its saves names a file, and whether any names a record to go with.
  fileprivate var mentions: (assets: Bool, parents: Bool) {
    var names = (assets: false, parents: false)
    for group in groups {
      for case .save(let save) in group.operations {
        let mentions = save.fields.mentions
        if !mentions.assets.isEmpty { names.assets = true }
        if !mentions.parents.isEmpty { names.parents = true }
      }
    }
    return names
  }
}

extension Operation {
  /// The record an operation is about; `nil` for an operation on the zone itself.
  var recordName: RecordName? {
    switch self {
    case .save(let save): save.name
    case .delete(let delete): delete.name
    case .saveZone, .deleteZone, .emptyTrash: nil
    }
  }
}
