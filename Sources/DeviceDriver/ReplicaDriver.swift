// The owner of a device. Everything that changes it (edits, messages, timers) runs here, one at a time, on one
// event loop that also carries the connection to the broker: a message is stored and answered without a change
// of thread. The driver decides nothing. It performs the actions of the replica, in their order.
//
// Its state is divided into components: the connection, the schedule, the waits, the downloads and the status.
// Each file of the actor's extensions uses few of them.

import BrokerLinks
import DeviceStore
import Logging
import NIOCore
import Records
import SyncCore

/// Drives a replica: connects it to the broker, runs its timers, reads and writes its files, and lets callers
/// wait. CloudKit's equivalent is the daemon `cloudd` behind `CKSyncEngine`.
package actor ReplicaDriver {
  /// Reads what the device shows, from any task.
  package nonisolated let reader: DeviceReader
  /// The device's files.
  package nonisolated let files: DeviceFiles
  /// Publishes what changed on the device.
  package nonisolated let events = EventHub()
  /// Publishes that there may be new notifications.
  package nonisolated let notifications = NotificationHub()

  let replica: Replica
  nonisolated let environment: DriverEnvironment
  nonisolated let status: DriverStatus
  let connection: BrokerConnection
  var schedule: DriverSchedule
  var waits = DriverWaits()
  var downloads = CompletedDownloads()
  private var reserve: DiskReserve?

  /// The loop of the driver and of its connection.
  package nonisolated var loop: any EventLoop { environment.loop }
  nonisolated var logger: Logger { environment.logger }

  /// The loop's executor, so that the driver runs on the thread of its connection.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    environment.loop.executor.asUnownedSerialExecutor()
  }

  /// Creates a driver, which has no effect before `start`.
  package init(replica: sending Replica, files: DeviceFiles, environment: DriverEnvironment) {
    reader = replica.reader
    status = DriverStatus(reader: replica.reader)
    self.replica = replica
    self.files = files
    self.environment = environment
    reserve = environment.reserve
    connection = BrokerConnection(connector: environment.connector)
    schedule = DriverSchedule(loop: environment.loop)
  }

  // MARK: Life

  /// Starts to connect, and starts the repeated work of the device. Edits are possible before.
  package func start() {
    if reserve?.hold() == false {
      logger.warning("The disk is full; edits are rejected until there is space")
    }
    startUpkeep()
    replica.canConnect = { [connection] in connection.isPossible }
    perform(replica.start())
  }

  /// Closes the connection and ends all waits and streams. Edits stay possible, but are not sent.
  package func stop() {
    connection.close()
    if status.phase == .live { storeSyncTime() }
    schedule.end()
    waits.endAll()
    events.close()
    notifications.close()
    statusChanges.close()
  }

  /// Releases the database, so that it can be closed. To be called last, after `stop`.
  /// - Throws: `StoreError`.
  package func close() throws { try replica.close() }

  /// Returns `true` after all earlier work of the driver: a test that it is not blocked.
  package func isAlive() -> Bool { true }

  // MARK: Edits

  /// Runs `body`, which may read and edit the replica; nothing else happens meanwhile. Then performs the actions
  /// that `body` returns with its result.
  /// - Throws: `StoreError` `full` if the disk has only the space that pending requests need; what
  ///   `DriverHooks.editBegins` and `body` throw, see `Replica.edit`. Then nothing was edited.
  package func edit<Result: Sendable>(
    _ body: @Sendable (Replica, Timestamp) throws -> (Result, [SyncAction])
  ) throws -> Result {
    guard reserve?.hold() != false else {
      throw StoreError(
        .full, "The disk is full. Nothing more can be saved; saved data is safe.")
    }
    defer { replica.answering = nil }
    try environment.hooks.editBegins(replica)
    let (result, actions) = try body(replica, environment.now())
    perform(actions)
    return result
  }

  /// Changes the device's name; `nil` restores the name of its settings. A connected driver connects again, because
  /// the broker learns the name from the greeting and reports it to the other devices.
  /// - Throws: `StoreError`.
  package func rename(device name: String?) throws {
    try replica.rename(device: name)
    status.discardIdentity()
    guard connection.isOpen else { return }
    connection.close()
    act { try replica.disconnected(now: $0) }
    brokerAppeared()
  }

  // MARK: Actions

  /// Performs the actions of the replica.
  func perform(_ actions: [SyncAction]) {
    schedule.performedCount += 1
    for action in actions { perform(action) }
    statusChanges.notify()
    advanceProjections()
  }

  private func perform(_ action: SyncAction) {
    switch action {
    case .conversation(let action): perform(action)
    case .appended(let changes):
      // Waking the watchers takes as long as sending the request of the edit.
      connection.flush()
      publish(EventNews(events: changes))
    case .confirmed(let records): publish(EventNews(confirmed: records))
    case .notified: notifications.notify()
    case .directoryChanged: status.discardIdentity()
    case .erase:
      // Erased records have no events. A sign of life lets watchers look at the count.
      status.erased()
      events.publish([])
      erase()
    }
  }

  private func perform(_ action: DriverAction) {
    switch action {
    case .connect: connect()
    case .send(let id, let message): connection.send(id, message)
    case .disconnect: connection.close()
    case .wait(let timer, let milliseconds): set(timer, milliseconds: milliseconds)
    case .phaseChanged(let phase): enter(phase)
    case .responsivenessChanged(let responsiveness): enter(responsiveness)
    case .synchronized(let id): waits.synchronizations.answer(id, ())
    case .answered(let id, let isWhole): waits.questions.answer(id, isWhole)
    case .ordered(let id, let answer): waits.requests.answer(id, answer)
    case .file(let action): perform(action)
    case .assetLost(let digest, let error): waits.files.end(digest, because: error)
    case .publicReadingBegan: publicReadingBegan()
    case .publicReadingEnded(let ending): publicReadingEnded(ending)
    case .report(let text):
      logger.notice("Synchronization report", metadata: ["report": "\(text)"])
    }
  }

  /// Publishes news to the watchers of events.
  func publish(_ news: EventNews) {
    var news = news
    news.confirmationCount = status.countConfirmation(!news.confirmed.isEmpty)
    events.publish(news)
  }

  /// Runs `body`, which calls the replica, and performs the actions that it returns. If the database fails, the
  /// connection is closed, so that the broker does not take anything for stored, and opened again later.
  /// - Returns: whether `body` succeeded.
  @discardableResult
  func act(_ body: (Timestamp) throws -> [SyncAction]) -> Bool {
    do {
      perform(try withReserve(body))
      return true
    } catch {
      let isNew = status.fail(error as? StoreError)
      // NB: a disk stays full for hours; the log has one line for it, not one for each attempt.
      logger.log(
        level: isNew ? .error : .debug, "The device's database failed",
        metadata: ["error": "\(error.logText)"])
      connection.close()
      recover()
      return false
    }
  }

  /// Messages of the broker are stored even if the disk is full: the answers to pending requests complete them.
  private func withReserve(_ body: (Timestamp) throws -> [SyncAction]) throws -> [SyncAction] {
    do {
      return try body(environment.now())
    } catch let error as StoreError where error.kind == .full && reserve?.isHeld == true {
      logger.warning("The disk is full; the reserved space is used to store replies of the broker")
      reserve?.giveBack()
      return try body(environment.now())
    }
  }

  /// Connects again after a fixed delay. The replica's own delay is for a broker that does not answer; this broker
  /// does, and would be asked the same again and again.
  private func recover() {
    if let actions = try? replica.disconnected(now: environment.now()) { perform(actions) }
    set(.reconnect, milliseconds: Self.recoveryMilliseconds)
  }

  static let recoveryMilliseconds = 5000

  private func set(_ timer: SyncTimer, milliseconds: Int) {
    schedule.set(timer, milliseconds: milliseconds) { [weak self] in
      self?.assumeIsolated { driver in
        driver.schedule.fired(timer)
        // Without an address there is nothing to try. Joining an account connects.
        guard timer != .reconnect || driver.connection.isPossible else { return }
        driver.act { try driver.replica.fired(timer, now: $0) }
      }
    }
  }
}
