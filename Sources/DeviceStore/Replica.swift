// One device: its store and its sync machine, without sockets, clocks or tasks. A driver (the agent
// daemon, or a simulation) calls one method at a time from one serial executor and then does what
// the returned actions say; when a method returns, what it decided is on disk.

import GRDB
import Records
import RecordsWire
import SQLiteFile
import SyncCore

/// One device of an account.
package final class Replica {
  /// Reads what the device shows; usable from any task while the replica works.
  package let reader: DeviceReader

  /// How the device stands to its broker now.
  package var phase: Phase { machine.phase }

  /// How the reading of the public database stands.
  var publicReading: PublicReading { machine.publicReading }

  /// How much of a file that is being fetched is here.
  func syncProgress(_ digest: AssetDigest) -> Int? { machine.fetchedBytes(of: digest) }

  /// Files that are wanted here and that the broker has lost, as far as it said so on this connection.
  package var lostAssets: [AssetDigest] { machine.lostAssets }

  /// The zones whose reading from the start has not come to its end: until then they may show what
  /// the broker no longer has.
  package var zonesBeingRead: Set<ZoneID> {
    Set(machine.zones.filter { $0.value.token == nil || $0.value.sweep != .none }.keys)
  }

  /// The number of the last notification that callers were told of before this start.
  package let notificationsTold: Int64

  /// The request that edits are made for, while its client waits; its key is stored with them.
  package var answering: RequestKey?

  let database: DeviceDatabase
  let application: Application
  private let settings: DeviceSettings
  private var machine: SyncMachine
  private var generator: AnyRandomNumberGenerator
  // Notifications that waited for their records when the process ended.
  private var releasedAtStart = 0

  /// Opens a device over `database`. On a new one the first records are written, in the same
  /// transaction that creates the device's identity.
  /// - Parameters:
  ///   - settings: who this is; `accountName` may not change once a broker has welcomed the device.
  ///   - application: what is known of the records, and the tables derived from them. `database` has their schema.
  ///   - generator: where keys, ids and back-off come from.
  /// - Throws: `StoreError`; `invalidArguments` when the store belongs to another account.
  package init(
    database: DeviceDatabase, settings: DeviceSettings, application: Application,
    generator: any RandomNumberGenerator, now: Timestamp
  ) throws {
    var generator = AnyRandomNumberGenerator(base: generator)
    (machine, notificationsTold, releasedAtStart) = try database.write { db in
      for projection in application.projections { try projection.open(db, at: now) }
      try DeviceIdentity.begin(db, application, generator: &generator, now: now)
      try EventLog.begin(db, using: &generator)
      try DeviceIdentity.beginPublicDatabase(db, application.rules)
      var notifications = try NotificationTable(DeviceTransaction(db, application, now: now))
      let told = try NotificationState.load(db).released
      let released = try notifications.release(readTo: nil).count
      let machine = try DeviceIdentity.machine(db, settings: settings, application.rules)
      return (machine, told, released)
    }
    self.application = application
    self.settings = settings
    self.generator = generator
    self.database = database
    reader = DeviceReader(
      database: database, rules: application.rules, deviceName: settings.deviceName)
  }

  /// Releases what keeps the database from being closed. To be called last.
  package func close() throws {
    try database.write { _ in
      for projection in application.projections { projection.close() }
    }
  }

  /// The application's projection of this type; `nil` if it has none.
  package func projection<Wanted: Projection>(_ type: Wanted.Type = Wanted.self) -> Wanted? {
    application.projections.lazy.compactMap { $0 as? Wanted }.first
  }

  /// Runs a transaction that changes tables of a projection and no record.
  /// - Throws: what `body` throws, or `StoreError`; then nothing changed.
  package func write<Result>(
    _ now: Timestamp, _ body: (DeviceTransaction) throws -> Result
  ) throws -> Result {
    try database.write { db in
      let transaction = try DeviceTransaction(db, application, now: now)
      let result = try body(transaction)
      try transaction.finish()
      return result
    }
  }

  /// Whether projections have work for the background; see `advanceProjections`.
  package var hasProjectionWork: Bool { application.projections.contains { $0.hasWork } }

  /// Does a step of the work that projections leave for the background, in a transaction of some milliseconds. To be
  /// called again, with pauses for everything else, while the result is `true`. Work that a restart interrupts goes on
  /// with the next call.
  /// - Returns: whether more is left.
  /// - Throws: `StoreError`; then the step is done by the next call.
  @discardableResult
  package func advanceProjections(rowsMaximum: Int = 200, now: Timestamp) throws -> Bool {
    guard let projection = application.projections.first(where: \.hasWork) else { return false }
    projection.hasWork = try write(now) {
      try projection.advance(rowsMaximum: rowsMaximum, in: $0)
    }
    return hasProjectionWork
  }

  /// The first actions: to connect. Called once.
  package func start() -> [SyncAction] {
    defer { releasedAtStart = 0 }
    let left: [SyncAction] = releasedAtStart == 0 ? [] : [.notified(count: releasedAtStart)]
    let standing: [SyncAction] =
      machine.staysOut ? [.conversation(.phaseChanged(machine.phase))] : []
    return left + standing + outsideStore { machine, _ in machine.wake() }
  }

  /// Does a person's (or program's) action: all of `edits` or none, durable on return, visible to
  /// readers, sent when the broker can be reached.
  /// - Parameter isAsked: `false` for edits that no person confirmed (imports, external clients),
  ///   whose deletions the guard counts and may hold.
  /// - Throws: `RecordsError` – `unknownItem`, `serverRecordChanged` (an expectation failed),
  ///   `permissionFailure` (a group one may only read), `zoneNotFound`, `limitExceeded`,
  ///   `invalidArguments` – or `StoreError`; then nothing was done.
  package func edit(
    _ edits: [LocalEdit], isAsked: Bool = true, now: Timestamp
  ) throws -> [SyncAction] {
    try perform(edits, as: UserAction(), isAsked: isAsked, now: now).actions
  }

  /// Resolves a conflict: `mine` and `theirs` name the value that was set on this device and on the
  /// other, `both` keeps both where the field can hold them. The conflict's record is deleted in the
  /// same action.
  /// - Throws: `unknownItem`, also when the record that the conflict is about is not here;
  ///   `invalidArguments`, or `StoreError`.
  package func resolve(
    conflict: RecordID, choice: ConflictChoice, now: Timestamp
  ) throws -> [SyncAction] {
    try transact(now) { transaction, machine in
      let edits = try ConflictResolution.edits(transaction, conflict, choice)
      var application = try EditApplication(
        transaction, isAsked: true, action: UserAction(.resolve))
      try application.apply(edits)
      return []
    }
  }

  /// Calls the device `name` from now on, whatever its settings say, durable on return; `nil` takes
  /// that back. The broker learns it at the next greeting.
  /// - Throws: `StoreError`.
  package func rename(device name: String?) throws {
    try database.write { try SettingTable.set($0, SettingTable.deviceName, to: name) }
    machine.rename(device: name ?? reader.deviceName)
  }

  /// Forgets a parked edit: its author has seen it.
  package func dismiss(parked: Int64) throws {
    try database.write { try $0.run("DELETE FROM parked WHERE id = ?", [parked]) }
  }

  /// Sends the deletions that the guard holds.
  package func acceptDeletions(now: Timestamp) throws -> [SyncAction] {
    try transact(now) { transaction, machine in
      try DeletionHold.accept(transaction).flatMap { machine.abandon($0) }
    }
  }

  /// Takes back the deletions that the guard holds, and those of the same counts that were sent
  /// before: the records show again.
  package func refuseDeletions(now: Timestamp) throws -> [SyncAction] {
    try transact(now) { transaction, _ in
      try DeletionHold.refuse(transaction)
      return []
    }
  }

  /// Asks to be told (`SyncAction.synchronized` with this id) once everything is sent and
  /// everything committed before has been read. An id is used once; unanswered waits are forgotten
  /// with `forgetSynchronize`.
  package func synchronize(id: UInt64, now: Timestamp) throws -> [SyncAction] {
    try transact(now) { _, machine in
      machine.wait(id)
      return machine.wake()
    }
  }

  /// Asks the broker about the past. What it says is kept, then `SyncAction.answered` comes with
  /// this id; at once when there is no broker to ask. An id is used once.
  package func ask(_ question: PastQuestion, id: UInt64) -> [SyncAction] {
    outsideStore { machine, _ in machine.ask(question, id: id) }
  }

  /// Gives up a wait.
  package func forgetSynchronize(id: UInt64) { machine.forget(id) }

  /// The connection that was asked for is open.
  package func connected(now: Timestamp) throws -> [SyncAction] {
    outsideStore { machine, _ in machine.connected() }
  }

  /// The connection is gone, or could not be made. Ignored when there is none.
  package func disconnected(now: Timestamp) throws -> [SyncAction] {
    outsideStore { machine, generator in machine.disconnected(using: &generator) }
  }

  /// The broker's socket has appeared: an attempt to connect is worth making at once.
  package func brokerAppeared() -> [SyncAction] { outsideStore { machine, _ in machine.wake() } }

  /// The network has changed, or the machine has slept: the replica connects at once, or finds out whether its
  /// connection still works.
  package func networkChanged() -> [SyncAction] {
    outsideStore { machine, generator in machine.networkChanged(using: &generator) }
  }

  /// A message came from the broker.
  /// - Parameter replyTo: the correlation number of the message it answers; `nil` or 0 for none.
  /// - Throws: `StoreError`; the state is as before, and the driver should drop the connection
  ///   (`disconnected`) and go on.
  package func received(
    _ message: BrokerMessage, replyTo: UInt64?, now: Timestamp
  ) throws -> [SyncAction] {
    try received([BrokerFrame(replyTo: replyTo ?? 0, message: message)], now: now)
  }

  /// Messages came one behind the other. They are taken in as one by one, but what they change is stored
  /// in one transaction: a disk takes as long for one message as for many.
  /// - Throws: as for one message; then it is as if none had come.
  package func received(_ frames: [BrokerFrame], now: Timestamp) throws -> [SyncAction] {
    if frames.contains(where: { SignOut.isRevocation($0.message) }) {
      return try revoked(now: now)
    }
    var next = machine
    next.now = now
    var actions: [SyncAction] = []
    for (index, frame) in frames.enumerated() {
      let steps = next.received(frame.message, replyTo: frame.replyTo, using: &generator)
      guard steps.contains(where: \.needsTransaction) else {
        actions += steps.actions
        continue
      }
      let begin = next
      return try actions
        + transact(now, followedBy: frames[(index + 1)...]) { _, machine in
          machine = begin
          return steps
        }
    }
    machine = next
    return actions
  }

  /// A timer that an action set has run out.
  package func fired(_ timer: SyncTimer, now: Timestamp) throws -> [SyncAction] {
    var next = machine
    next.now = now
    let steps = next.fired(timer, using: &generator)
    return try continued(from: next, steps, now: now)
  }

  // MARK: -

  /// Runs what concerns the machine alone.
  func outsideStore(
    _ body: (inout SyncMachine, inout AnyRandomNumberGenerator) -> [SyncStep]
  ) -> [SyncAction] {
    body(&machine, &generator).actions
  }

  /// Goes on after the machine decided `steps`, with a transaction only where one is needed.
  private func continued(
    from next: SyncMachine, _ steps: [SyncStep], now: Timestamp
  ) throws -> [SyncAction] {
    guard steps.contains(where: \.needsTransaction) else {
      machine = next
      return steps.actions
    }
    return try transact(now) { _, machine in
      machine = next
      return steps
    }
  }

  /// Gives the device to another account, or to none: the connection ends, `body` changes the store,
  /// and a machine begins that knows nothing of before.
  func changeAccount(
    _ now: Timestamp, _ body: (DeviceTransaction, inout AnyRandomNumberGenerator) throws -> Void
  ) throws -> [SyncAction] {
    var nextGenerator = generator
    let (fresh, actions) = try database.write { db in
      let transaction = try DeviceTransaction(db, application, now: now)
      try body(transaction, &nextGenerator)
      try transaction.finish()
      let events = transaction.events
      let machine = try DeviceIdentity.machine(db, settings: settings, application.rules)
      let told: [SyncAction] = events.isEmpty ? [] : [.appended(events)]
      return (machine, told + (transaction.needsErasing ? [.erase] : []))
    }
    generator = nextGenerator
    let ended = outsideStore { machine, generator in machine.leave(using: &generator) }
    machine = fresh
    return ended + [.conversation(.phaseChanged(fresh.phase)), .directoryChanged] + actions
      + outsideStore { machine, _ in machine.wake() }
  }

  /// Runs `body` and everything that follows from it in one transaction, takes in `frames` behind it,
  /// and keeps the machine as it then is only if that is committed.
  func transact(
    _ now: Timestamp, followedBy frames: ArraySlice<BrokerFrame> = [],
    _ body: (DeviceTransaction, inout SyncMachine) throws -> [SyncStep]
  ) throws -> [SyncAction] {
    var next = machine
    next.now = now
    var nextGenerator = generator
    let actions = try database.write { db in
      let transaction = try DeviceTransaction(
        db, application, now: now, generator: nextGenerator)
      transaction.answering = answering
      let steps = try body(transaction, &next)
      var work = StepPerformance(transaction, next, transaction.generator)
      try work.perform(steps)
      for frame in frames { try work.receive(frame) }
      try work.pump()
      try transaction.finish()
      (next, nextGenerator) = (work.machine, work.generator)
      let events = transaction.events
      return (events.isEmpty ? [] : [.appended(events)]) + work.actions
        + transaction.reports.map { .report($0) } + (transaction.needsErasing ? [.erase] : [])
    }
    (machine, generator) = (next, nextGenerator)
    return actions
  }
}

/// A device's random number generator: the system's in the agent, a seeded one in tests.
struct AnyRandomNumberGenerator: RandomNumberGenerator {
  var base: any RandomNumberGenerator

  mutating func next() -> UInt64 { base.next() }
}

/// Who a device is.
package struct DeviceSettings: Hashable, Sendable {
  /// The application's name, a namespace on the broker.
  package var container: String
  /// The account to ask for; `nil` leaves it to the broker (by uid or device key).
  package var accountName: String?
  /// The device's name, shown to people.
  package var deviceName: String
  /// Whether the public database is read here.
  package var readsPublicRecords: Bool
  /// A number drawn at random when the program starts, by which the broker tells two copies of the
  /// device apart; `nil` says none.
  package var invocation: UInt64?

  /// Settings of a device.
  package init(
    container: String, accountName: String?, deviceName: String,
    readsPublicRecords: Bool = false, invocation: UInt64? = nil
  ) {
    self.readsPublicRecords = readsPublicRecords
    self.invocation = invocation
    self.container = container
    self.accountName = accountName
    self.deviceName = deviceName
  }
}
