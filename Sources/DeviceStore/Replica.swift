// One device: its store and its sync machine, without sockets, clocks or tasks. A driver (the agent or a simulation)
// calls one method at a time from a serial executor and performs the returned actions. When a method returns, its
// decisions are on disk.

import GRDB
import Records
import RecordsWire
import SQLiteFile
import SyncCore

/// One device of an account.
package final class Replica {
  /// Reads what the device shows. It can be used in any task while the replica works.
  package let reader: DeviceReader

  /// Reads as `reader` does, for what an edit depends on: it does not begin with an empty cache after each commit. Only for
  /// the executor that edits the replica.
  package var ownReader: DeviceReader {
    DeviceReader(
      database: database.readWithWriter, rules: application.rules, deviceName: settings.deviceName)
  }

  /// The state of the connection to the broker.
  package var phase: Phase { machine.phase }

  /// The state of the synchronization of the public database.
  var publicReading: PublicDatabaseSync { machine.publicReading }

  /// The number of bytes received of a file; `nil` if it is not being downloaded.
  func syncProgress(_ digest: AssetDigest) -> Int? { machine.fetchedBytes(of: digest) }

  /// The wanted files that the broker has lost, as far as it reported them on this connection.
  package var lostAssets: [AssetDigest] { machine.lostAssets }

  /// The zones that the device is reading from the start. They may show records that the broker no longer has.
  package var zonesBeingRead: Set<ZoneID> {
    Set(machine.zones.filter { $0.value.token == nil || $0.value.sweep != .none }.keys)
  }

  /// The number of the last notification that was shown before this start.
  package let lastShownNotification: Int64

  /// The client's request that causes the next edits. Its key is stored with them.
  package var answering: RequestKey?

  /// The zones of other accounts that this device was asked to join. Their appearance is no news; a zone is removed
  /// when the directory lists it.
  package var expectedZones: Set<ZoneID> = []

  let database: DeviceDatabase
  let application: Application
  /// Whether an attempt to connect makes sense after a change of the account: whether the driver knows an address.
  package var canConnect: () -> Bool = { true }
  private let settings: DeviceSettings
  private var machine: SyncMachine
  private var generator: AnyRandomNumberGenerator
  // Notifications that waited for their records when the process ended.
  private var releasedAtStart = 0

  /// Opens a device over `database`. In a new database, the transaction that creates the device's identity also writes
  /// the first records.
  /// - Parameters:
  ///   - settings: the identity of the device. `accountName` cannot change after a broker has welcomed the device.
  ///   - application: the rules and projections of the application. `database` has the projections' schema.
  ///   - generator: the random number generator for keys, ids and delays.
  /// - Throws: `StoreError`; `invalidArguments` if the store belongs to another account.
  package init(
    database: DeviceDatabase, settings: DeviceSettings, application: Application,
    generator: any RandomNumberGenerator, now: Timestamp
  ) throws {
    var generator = AnyRandomNumberGenerator(base: generator)
    (machine, lastShownNotification, releasedAtStart) = try application.write(to: database) { db in
      for projection in application.projections { try projection.open(db, at: now) }
      try IdentityTable.begin(db, application, generator: &generator, now: now)
      try EventLog.begin(db, using: &generator)
      try IdentityTable.beginPublicDatabase(db, application.rules)
      var notifications = try NotificationTable(DeviceTransaction(db, application, now: now))
      let shown = try NotificationState.load(db).released
      let released = try notifications.release(readTo: nil).count
      let machine = try IdentityTable.machine(db, settings: settings, application.rules)
      return (machine, shown, released)
    }
    self.application = application
    self.settings = settings
    self.generator = generator
    self.database = database
    reader = DeviceReader(
      database: database, rules: application.rules, deviceName: settings.deviceName,
      memories: application.projections.compactMap(\.memory))
  }

  /// Releases the projections' resources, so that the database can be closed. Called last.
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
  /// - Throws: the error of `body`, or `StoreError`; then nothing changed.
  package func write<Result>(
    _ now: Timestamp, _ body: (DeviceTransaction) throws -> Result
  ) throws -> Result {
    try application.write(to: database) { db in
      let transaction = try DeviceTransaction(db, application, now: now)
      let result = try body(transaction)
      try transaction.finish()
      return result
    }
  }

  /// Whether the outcome of a request will probably arrive soon.
  package func expectsOutcome(at now: Timestamp) -> Bool { machine.expectsOutcome(at: now) }

  /// Whether projections have work for the background; see `advanceProjections`.
  package var hasProjectionWork: Bool { application.projections.contains { $0.hasWork } }

  private static let rowsPerStep = 200
  /// A person's edit may have to wait for such a step: as long as for a step of an import.
  private static let rowsPerIdleStep = 800

  /// Performs a step of the background work of projections, in a short transaction. Call it again, with
  /// pauses for other work, while the result is `true`. After a restart the work continues with the next call.
  /// - Parameter isIdle: Whether the device has nothing else to do. Then a step may be longer that saves many others.
  /// - Returns: whether more work remains.
  /// - Throws: `StoreError`; then the next call repeats the step, or does its work in several steps.
  @discardableResult
  package func advanceProjections(
    rowsMaximum: Int? = nil, isIdle: Bool = false, now: Timestamp
  ) throws -> Bool {
    let rowsMaximum = rowsMaximum ?? (isIdle ? Self.rowsPerIdleStep : Self.rowsPerStep)
    guard let projection = application.projections.first(where: \.hasWork) else { return false }
    projection.hasWork = try write(now) {
      try projection.advance(rowsMaximum: rowsMaximum, isIdle: isIdle, in: $0)
    }
    return hasProjectionWork
  }

  /// Returns the first actions. Called once.
  package func start() -> [SyncAction] {
    defer { releasedAtStart = 0 }
    let left: [SyncAction] = releasedAtStart == 0 ? [] : [.notified(count: releasedAtStart)]
    let standing: [SyncAction] =
      machine.staysOut ? [.conversation(.phaseChanged(machine.phase))] : []
    return left + standing + connect()
  }

  /// Applies the edits of an action, all or none. They are durable and visible to readers when the method returns, and
  /// sent when the broker can be reached.
  /// - Parameter isAsked: `false` for edits that the user did not confirm (imports, external clients). The deletion
  ///   guard counts their deletions and may hold them.
  /// - Throws: `RecordsError` – `unknownItem`, `serverRecordChanged` (an expectation failed),
  ///   `permissionFailure` (a read-only group), `zoneNotFound`, `limitExceeded`, `invalidArguments` – or
  ///   `StoreError`; then nothing changed.
  package func edit(
    _ edits: [LocalEdit], isAsked: Bool = true, now: Timestamp
  ) throws -> [SyncAction] {
    try perform(edits, as: UserAction(), isAsked: isAsked, now: now).actions
  }

  /// Resolves a conflict: `mine` and `theirs` choose the value set on this device or on the other one, `both` keeps
  /// both if the field can contain them. The conflict's record is deleted in the same action.
  /// - Returns: as `perform`.
  /// - Throws: `unknownItem`, also if this device does not have the record with the conflict; `invalidArguments`; or
  ///   `StoreError`.
  package func resolve(
    conflict: RecordID, choice: ConflictChoice, now: Timestamp
  ) throws -> (action: Int64?, actions: [SyncAction]) {
    var number: Int64?
    let actions = try transact(now) { transaction, machine in
      let edits = try ConflictResolution.edits(transaction, conflict, choice)
      var application = try EditApplication(
        transaction, isAsked: true, action: UserAction(.resolve))
      try application.apply(edits)
      number = application.action
      return []
    }
    return (number, actions)
  }

  /// Sets the device's name, which overrides its settings; durable on return. `nil` restores the name in the settings.
  /// The next connection sends it to the broker.
  /// - Throws: `StoreError`.
  package func rename(device name: String?) throws {
    try database.write { try SettingTable.set($0, SettingTable.deviceName, to: name) }
    machine.rename(device: name ?? reader.deviceName)
  }

  /// Deletes a rejected edit that the user has discarded.
  package func dismiss(rejectedEdit id: Int64) throws {
    try database.write { try $0.run("DELETE FROM rejected_edit WHERE id = ?", [id]) }
  }

  /// Sends the deletions that the guard holds.
  package func acceptDeletions(now: Timestamp) throws -> [SyncAction] {
    try transact(now) { transaction, machine in
      try DeletionHold.accept(transaction).flatMap { machine.abandon($0) }
    }
  }

  /// Reverts the deletions that the guard holds, and those of the same counts that were sent before. The records are
  /// shown again.
  package func refuseDeletions(now: Timestamp) throws -> [SyncAction] {
    try transact(now) { transaction, _ in
      try DeletionHold.refuse(transaction)
      return []
    }
  }

  /// Requests `SyncAction.synchronized` with this id for when all edits are sent, except held deletions, and all changes
  /// committed before are read. An id is used once. `forgetSynchronize` cancels the request.
  package func synchronize(id: UInt64, now: Timestamp) throws -> [SyncAction] {
    try transact(now) { _, machine in
      machine.wait(id)
      return machine.wake()
    }
  }

  /// Fetches earlier versions or deleted records from the broker and stores them. Then `SyncAction.answered` follows
  /// with this id, immediately if there is no connection. An id is used once.
  package func ask(_ question: PastQuestion, id: UInt64) -> [SyncAction] {
    outsideStore { machine, _ in machine.ask(question, id: id) }
  }

  /// Cancels the request of `synchronize`.
  package func forgetSynchronize(id: UInt64) { machine.forget(id) }

  /// Handles a connection that was opened.
  package func connected(now: Timestamp) throws -> [SyncAction] {
    outsideStore { machine, _ in
      machine.now = now
      return machine.connected()
    }
  }

  /// Handles the end of the connection, or an attempt that failed. Ignored if there is no connection.
  package func disconnected(now: Timestamp) throws -> [SyncAction] {
    outsideStore { machine, generator in machine.disconnected(using: &generator) }
  }

  /// Connects at once, because the broker's socket has appeared.
  package func brokerAppeared() -> [SyncAction] { outsideStore { machine, _ in machine.wake() } }

  /// Connects at once, or checks the connection, because the network has changed or the machine has slept.
  package func networkChanged(now: Timestamp) -> [SyncAction] {
    outsideStore { machine, generator in
      machine.now = now
      return machine.networkChanged(using: &generator)
    }
  }

  /// Handles a message of the broker.
  /// - Parameter replyTo: the correlation number of the message that it answers; `nil` or 0 for none.
  /// - Throws: `StoreError`; the state is as before, and the driver should end the connection (`disconnected`) and
  ///   continue.
  package func received(
    _ message: BrokerMessage, replyTo: UInt64?, now: Timestamp
  ) throws -> [SyncAction] {
    try received([BrokerFrame(replyTo: replyTo ?? 0, message: message)], now: now)
  }

  /// Handles several messages in their order, in one transaction, because a disk takes as long for one message as for
  /// many.
  /// - Throws: as for one message; then none of them had an effect.
  package func received(_ frames: [BrokerFrame], now: Timestamp) throws -> [SyncAction] {
    try received(prepared: frames.map { PreparedFrame($0) }, now: now)
  }

  /// Returns the work for messages that another thread can do before they are passed to `received(prepared:)`; `nil` if
  /// they have fewer than `minimum` changes of other devices.
  package func preparation(
    of frames: [BrokerFrame], minimum: Int = FramePreparation.changesMinimum
  ) -> FramePreparation? {
    FramePreparation(
      frames, for: machine.identity.device, application.projections, minimum: minimum)
  }

  /// Handles messages, as `received` does, with what was prepared for them.
  package func received(prepared frames: [PreparedFrame], now: Timestamp) throws -> [SyncAction] {
    if frames.contains(where: { SignOut.isRevocation($0.frame.message) }) {
      return try revoked(now: now)
    }
    var next = machine
    next.now = now
    var actions: [SyncAction] = []
    for (index, prepared) in frames.enumerated() {
      let frame = prepared.frame
      let steps = next.received(frame.message, replyTo: frame.replyTo, using: &generator)
      guard steps.contains(where: \.needsTransaction) else {
        actions += steps.actions
        continue
      }
      let begin = next
      return try actions
        + transact(now, followedBy: frames[(index + 1)...]) { transaction, machine in
          transaction.prepared = prepared.changes
          machine = begin
          return steps
        }
    }
    machine = next
    return actions
  }

  /// A part of a message arrived, so the broker is not silent.
  package func heard(now: Timestamp) throws -> [SyncAction] {
    var next = machine
    next.now = now
    let steps = next.heard()
    return try continued(from: next, steps, now: now)
  }

  /// Handles a timer that an action set.
  package func fired(_ timer: SyncTimer, now: Timestamp) throws -> [SyncAction] {
    var next = machine
    next.now = now
    let steps = next.fired(timer, using: &generator)
    return try continued(from: next, steps, now: now)
  }

  // MARK: -

  /// Runs `body` with the machine, without a transaction.
  func outsideStore(
    _ body: (inout SyncMachine, inout AnyRandomNumberGenerator) -> [SyncStep]
  ) -> [SyncAction] {
    body(&machine, &generator).actions
  }

  /// Performs the machine's steps, in a transaction if one is needed.
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

  /// Changes the account of the device, or signs out. The connection ends, `body` changes the store, and a new machine
  /// starts.
  func changeAccount(
    _ now: Timestamp, _ body: (DeviceTransaction, inout AnyRandomNumberGenerator) throws -> Void
  ) throws -> [SyncAction] {
    var nextGenerator = generator
    let (fresh, actions) = try application.write(to: database) { db in
      let transaction = try DeviceTransaction(db, application, now: now)
      try body(transaction, &nextGenerator)
      try transaction.finish()
      let machine = try IdentityTable.machine(db, settings: settings, application.rules)
      return (machine, transaction.news + (transaction.needsErasing ? [.erase] : []))
    }
    generator = nextGenerator
    let ended = outsideStore { machine, generator in machine.leave(using: &generator) }
    machine = fresh
    return ended + [.conversation(.phaseChanged(fresh.phase)), .directoryChanged] + actions
      + connect()
  }

  private func connect() -> [SyncAction] {
    canConnect() ? outsideStore { machine, _ in machine.wake() } : []
  }

  /// Runs `body`, performs the resulting steps and handles `frames`, all in one transaction. The machine's changes are
  /// kept only if the transaction is committed. It is repeated if a message of the broker has a record that cannot be
  /// stored.
  func transact(
    _ now: Timestamp, followedBy frames: ArraySlice<PreparedFrame> = [],
    _ body: (DeviceTransaction, inout SyncMachine) throws -> [SyncStep]
  ) throws -> [SyncAction] {
    do {
      return try transact(now, followedBy: frames, isCautious: false, body)
    } catch is CautionRequired {
      return try transact(now, followedBy: frames, isCautious: true, body)
    }
  }

  private func transact(
    _ now: Timestamp, followedBy frames: ArraySlice<PreparedFrame>, isCautious: Bool,
    _ body: (DeviceTransaction, inout SyncMachine) throws -> [SyncStep]
  ) throws -> [SyncAction] {
    var next = machine
    next.now = now
    var nextGenerator = generator
    var expected = expectedZones
    let actions = try application.write(to: database) { db in
      let transaction = try DeviceTransaction(
        db, application, now: now, generator: nextGenerator)
      transaction.isCautious = isCautious
      transaction.answering = answering
      transaction.expectedZones = expected
      let steps = try body(transaction, &next)
      var work = StepExecution(transaction, next, transaction.generator)
      try work.perform(steps)
      for frame in frames { try work.receive(frame) }
      try work.sendMore()
      try transaction.finish()
      (next, nextGenerator) = (work.machine, work.generator)
      expected = transaction.expectedZones
      // Requests are sent before watchers are woken.
      return work.actions + transaction.news
        + transaction.reports.map { .report($0) } + (transaction.needsErasing ? [.erase] : [])
    }
    (machine, generator, expectedZones) = (next, nextGenerator, expected)
    return actions
  }
}

/// A device's random number generator: the system's in the agent, a seeded one in tests.
struct AnyRandomNumberGenerator: RandomNumberGenerator {
  var base: any RandomNumberGenerator

  mutating func next() -> UInt64 { base.next() }
}

/// The identity of a device.
package struct DeviceSettings: Hashable, Sendable {
  /// The application's name, a namespace on the broker.
  package var container: String
  /// The account name; `nil` if the broker chooses the account by uid or device key.
  package var accountName: String?
  /// The device's name, as users see it.
  package var deviceName: String
  /// Whether the device reads the public database.
  package var readsPublicRecords: Bool
  /// A random number of this start of the program, by which the broker distinguishes two copies of the device; `nil`
  /// for none.
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
