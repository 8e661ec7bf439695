// The one that owns the device. Everything that changes it – edits, messages, timers – runs here,
// one at a time, on one event loop that also carries the broker's connection: a message is on disk
// and answered without changing threads. It decides nothing; it does what the replica's actions
// say, in their order.

import AddressBook
import BrokerLinks
import DaemonKit
import DeviceStore
import Logging
import NIOCore
import Records
import RecordsWire
import SyncCore
import Synchronization

/// Drives a replica.
actor AgentDriver {
  /// Reads what the device shows, from any task.
  nonisolated let reader: DeviceReader
  /// Wakes whoever watches.
  nonisolated let hub = EventHub()
  /// Wakes whoever tells of notifications.
  nonisolated let notifications = NotificationHub()
  /// How the device stands to the broker, for any task.
  nonisolated var phase: Phase { standing.withLock { $0 } }
  nonisolated let unownedExecutor: UnownedSerialExecutor

  /// The device's files.
  nonisolated let assets: AgentAssets

  let loop: any EventLoop
  let replica: Replica
  private let connector: (any BrokerConnector)?
  private var reserve: DiskReserve?
  let logger: Logger
  private let supervisor: Supervisor
  private nonisolated let standing = Mutex(Phase.offline)
  nonisolated let timeline = Mutex(TimelineActivity())
  private nonisolated let known = Mutex((identity: Identity?.none, generation: 0))
  var link: (any BrokerLink)?
  // Each attempt has a number; what comes from an earlier connection is not listened to.
  private(set) var attempt: UInt64 = 0 { didSet { inbox = [] } }
  var fetches = AssetFetches()
  /// Files that are whole and durable and have no row yet.
  var arrivals: [Asset] = []
  var orders = OrderWaits()
  var collection: RepeatedTask?
  private var signsOfLife: RepeatedTask?
  private var projectionWork: Scheduled<Void>?
  /// The last failures, until the device is live again.
  private nonisolated let failures = Mutex(DriverFailures())
  nonisolated var storeFailure: StoreError? { failures.withLock { $0.store } }
  nonisolated var connectionError: RecordsError? { failures.withLock { $0.connection } }
  /// When the broker last said something.
  private var heardTime = Timestamp(microseconds: 0)
  private var isStopped = false
  /// What the broker said on the present connection and is not taken in yet.
  private var inbox: [BrokerFrame] = []
  private var timers: [SyncTimer: Scheduled<Void>] = [:]
  private var waits: [UInt64: AsyncStream<Void>.Continuation] = [:]
  private var questions: [UInt64: AsyncStream<Bool>.Continuation] = [:]
  private var forgetting: RepeatedTask?
  private var lastWait: UInt64 = 0

  /// A driver of `replica` on `loop`; without a connector the device works alone. `reserve` is
  /// the room for what must be written when the disk is full.
  init(
    replica: sending Replica, assets: AgentAssets, loop: any EventLoop,
    connector: (any BrokerConnector)?, reserve: DiskReserve? = nil, logger: Logger,
    supervisor: Supervisor = Supervisor()
  ) {
    self.reserve = reserve
    self.reader = replica.reader
    self.replica = replica
    self.assets = assets
    self.loop = loop
    self.connector = connector
    self.logger = logger
    self.supervisor = supervisor
    unownedExecutor = loop.executor.asUnownedSerialExecutor()
  }

  /// Who this device is. Kept, because every answer tells it and the store counts a lot for it;
  /// read again after each meeting with the broker, which alone can change it.
  nonisolated func identity() throws -> Identity {
    let (kept, generation) = known.withLock { $0 }
    if let kept { return kept }
    let status = try reader.status()
    var identity = Identity(
      account: status.account, accountName: status.accountName, device: status.device,
      deviceName: status.deviceName)
    for device in try reader.devices(includingRemoved: true) {
      identity.deviceNames[device.id] = device.name
    }
    identity.displayName = try reader.ownDisplayName()
    for person in try reader.people() {
      identity.accountNames[person.account] = person.name
      identity.displayNames[person.account] = person.displayName
    }
    // What was read before a meeting is not kept after it.
    known.withLock { if $0.generation == generation { $0.identity = identity } }
    return identity
  }

  /// Begins to connect, and to give watchers signs of life.
  func start() {
    if reserve?.hold() == false {
      logger.warning("The disk is full; edits are rejected until there is space")
    }
    let hub = hub
    signsOfLife = loop.scheduleRepeatedTask(
      initialDelay: Self.signOfLifeInterval, delay: Self.signOfLifeInterval
    ) { [notifications] _ in
      hub.tell([])
      notifications.wake()
    }
    advanceProjections()
    forgetting = loop.scheduleRepeatedTask(
      initialDelay: .minutes(1), delay: .hours(1)
    ) { [weak self] _ in self?.assumeIsolated { $0.forgetPast() } }
    tendAssets()
    erase()
    guard connector != nil else { return }
    perform(replica.start())
  }

  /// Does the background work of projections, such as building the lists' order again after the language has changed:
  /// a little at a time, so that requests and messages get in between.
  private func advanceProjections() {
    guard replica.hasProjectionWork, !isStopped else { return }
    act {
      try replica.advanceProjections(now: $0)
      return []
    }
    projectionWork = loop.scheduleTask(in: .milliseconds(1)) { [weak self] in
      self?.assumeIsolated { $0.advanceProjections() }
    }
  }

  /// Step by step, with a pause between, so that everything else gets its turn.
  private func forgetPast() {
    do {
      guard try replica.forgetPast(now: SystemClock.now()) else { return }
      loop.scheduleTask(in: .milliseconds(100)) { [weak self] in
        self?.assumeIsolated { $0.forgetPast() }
      }
    } catch {
      logger.error("Cannot delete expired data", metadata: ["error": "\(error.logText)"])
    }
  }

  private static let signOfLifeInterval = TimeAmount.seconds(15)

  /// Ends the connection and all waits; edits stay possible, the broker is not called again.
  func stop() {
    isStopped = true
    projectionWork?.cancel()
    attempt += 1
    link?.close()
    link = nil
    if phase == .live { noteAgreement() }
    for timer in timers.values { timer.cancel() }
    timers = [:]
    for wait in waits.values { wait.finish() }
    waits = [:]
    for question in questions.values { question.finish() }
    questions = [:]
    orders.endAll()
    signsOfLife?.cancel()
    forgetting?.cancel()
    collection?.cancel()
    hub.close()
    notifications.close()
  }

  /// Lets go of the database, so that it can be closed. To be called last.
  func close() throws { try replica.close() }

  /// Lets `body` read and edit without anything happening in between. A request whose key was answered
  /// before throws that answer (`AnsweredRequest`) and edits nothing.
  /// - Throws: `StoreError` `full` where the disk has no more room than what is on its way needs;
  ///   what `body` throws, see `Replica.edit`.
  func edit<Result: Sendable>(
    _ body: @Sendable (Replica, Timestamp) throws -> (Result, [SyncAction])
  ) throws -> Result {
    guard reserve?.hold() != false else {
      throw StoreError(
        .full, "The disk is full. Nothing more can be saved; saved data is safe.")
    }
    if let request = KeyedRequest.current {
      if request.begins(), let answer = try reader.answered(request.key) { throw answer }
      replica.answering = request.key
    }
    defer { replica.answering = nil }
    let (result, actions) = try body(replica, SystemClock.now())
    perform(actions)
    return result
  }

  /// Calls the device something else; `nil` takes back what was chosen. A broker that is there is
  /// greeted anew, and tells the other devices.
  func rename(device name: String?) throws {
    try replica.rename(device: name)
    known.withLock { $0 = (nil, $0.generation + 1) }
    guard let link else { return }
    attempt += 1
    link.close()
    self.link = nil
    act { try replica.disconnected(now: $0) }
    brokerAppeared()
  }

  /// Answers once everything before it is done: a sign that nothing is stuck.
  func isAlive() -> Bool { true }

  /// The broker's socket has appeared.
  func brokerAppeared() {
    perform(replica.brokerAppeared())
  }

  /// The network has changed, or the machine has slept.
  func networkChanged() {
    logger.debug("The network has changed")
    perform(replica.networkChanged())
  }

  /// Begins a wait until this device and the broker agree; the stream yields once when they do.
  func beginSynchronize() throws -> (id: UInt64, done: AsyncStream<Void>) {
    lastWait += 1
    let id = lastWait
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    waits[id] = continuation
    do {
      perform(try replica.synchronize(id: id, now: SystemClock.now()))
    } catch {
      waits[id] = nil
      throw error
    }
    return (id, stream)
  }

  /// Gives a wait up, or forgets one that is over.
  func endSynchronize(_ id: UInt64) {
    waits.removeValue(forKey: id)?.finish()
    replica.forgetSynchronize(id: id)
  }

  /// Asks the broker about the past, and waits until what it says is kept here.
  /// - Returns: whether nothing that the broker has is missing; `false` after `seconds`, or without
  ///   a broker.
  nonisolated func ask(_ question: PastQuestion, seconds: Double) async -> Bool {
    guard phase == .live || phase == .catchingUp else { return false }
    let (id, answers) = await begin(question)
    let isWhole = await Deadline(seconds: seconds).first(of: answers)
    await end(question: id)
    return isWhole ?? false
  }

  private func begin(_ question: PastQuestion) -> (id: UInt64, answers: AsyncStream<Bool>) {
    let wait = beginWait()
    perform(replica.ask(question, id: wait.id))
    return wait
  }

  /// Begins to wait for `SyncAction.answered`.
  func beginWait() -> (id: UInt64, answers: AsyncStream<Bool>) {
    lastWait += 1
    let (stream, continuation) = AsyncStream.makeStream(
      of: Bool.self, bufferingPolicy: .bufferingNewest(1))
    questions[lastWait] = continuation
    return (lastWait, stream)
  }

  /// Gives such a wait up, or forgets one that is over.
  func end(question id: UInt64) {
    questions.removeValue(forKey: id)?.finish()
  }

  func perform(_ actions: [SyncAction]) {
    for action in actions {
      switch action {
      case .connect: connect()
      case .send(let id, let message): link?.send(id, message)
      case .disconnect:
        attempt += 1
        link?.close()
        link = nil
      case .wait(let timer, let milliseconds): wait(timer, milliseconds: milliseconds)
      case .appended(let events): hub.tell(events)
      case .phaseChanged(let phase):
        changed(to: phase)
      case .synchronized(let id): waits[id]?.yield()
      case .answered(let id, let isWhole): questions[id]?.yield(isWhole)
      case .ordered(let id, let answer): orders.answer(id, answer)
      case .erase: erase()
      case .directoryChanged: known.withLock { $0 = (nil, $0.generation + 1) }
      case .file(let action): perform(action)
      case .assetLost(let digest, let error): fetches.end(digest, because: error)
      case .notified: notifications.wake()
      case .publicReadingBegan: publicReadingBegan()
      case .publicReadingEnded(let ending): publicReadingEnded(ending)
      case .report(let text):
        logger.notice("Synchronization report", metadata: ["report": "\(text)"])
      }
    }
  }

  /// Attempts that come to nothing are no news; reaching and losing the broker is.
  private func changed(to phase: Phase) {
    if phase == .live { failures.withLock { $0 = DriverFailures() } }
    known.withLock { $0 = (nil, $0.generation + 1) }
    let before = standing.withLock { standing in
      defer { standing = phase }
      return standing
    }
    if before == .live, phase != .live { noteAgreement() }
    supervisor.status("\(phase)")
    let isNews = phase == .live || before == .live || phase.isRefused
    logger.log(level: isNews ? .info : .debug, "Phase changed", metadata: ["phase": "\(phase)"])
  }

  /// Writes down until when the device was live. Nothing depends on it but what people are shown.
  private func noteAgreement() {
    do {
      try replica.noteAgreement(at: heardTime)
    } catch {
      logger.debug(
        "Cannot store the time of the last sync", metadata: ["error": "\(error.logText)"])
    }
  }

  private func connect() {
    guard let connector else { return }
    attempt += 1
    let number = attempt
    connector.connect { [weak self] event in
      self?.assumeIsolated { $0.heard(event, attempt: number) }
    }
  }

  private func heard(_ event: LinkEvent, attempt number: UInt64) {
    guard number == attempt else {
      // A connection that was given up while it was being made.
      if case .opened(let late) = event { late.close() }
      return
    }
    switch event {
    case .opened(let opened):
      link = opened
      act { try replica.connected(now: $0) }
    case .received(let frame):
      heardTime = SystemClock.now()
      inbox.append(frame)
      guard inbox.count == 1 else { return }
      loop.execute { [weak self] in self?.assumeIsolated { $0.readInbox() } }
    case .writable:
      // What a replica sends at a time is bounded by the protocol; it need not be held back.
      break
    case .closed(let reason):
      // What came before the end is still told, a goodbye above all.
      readInbox()
      guard number == attempt else { return }
      attempt += 1
      link = nil
      if let reason {
        failures.withLock { $0.connection = reason }
        logger.debug("The connection to the broker ended", metadata: ["reason": "\(reason)"])
      }
      act { try replica.disconnected(now: $0) }
    }
  }

  /// Takes in what came with one read of the socket, in one transaction.
  private func readInbox() {
    let frames = inbox
    inbox = []
    guard !frames.isEmpty else { return }
    act { try replica.received(frames, now: $0) }
  }

  private func wait(_ timer: SyncTimer, milliseconds: Int) {
    timers[timer]?.cancel()
    timers[timer] = loop.scheduleTask(in: .milliseconds(Int64(milliseconds))) { [weak self] in
      self?.assumeIsolated { driver in
        driver.timers[timer] = nil
        driver.act { try driver.replica.fired(timer, now: $0) }
      }
    }
  }

  /// Does what the replica answers. A disk that fails is told once; the connection is dropped, so
  /// that nothing is taken for stored, and made again later.
  func act(_ body: (Timestamp) throws -> [SyncAction]) {
    do {
      perform(try withReserve(body))
    } catch {
      let failure = error as? StoreError
      let isKnown = failures.withLock { failures in
        defer { failures.store = failure }
        return failure != nil && failure == failures.store
      }
      // NB: a disk stays full for hours; it is told once, not with every attempt.
      let level: Logger.Level = isKnown ? .debug : .error
      logger.log(
        level: level, "The device's database failed", metadata: ["error": "\(error.logText)"])
      attempt += 1
      link?.close()
      link = nil
      recover()
    }
  }

  /// What comes from the broker is noted also when the disk is full: answers to what was sent
  /// make an end of it.
  private func withReserve(_ body: (Timestamp) throws -> [SyncAction]) throws -> [SyncAction] {
    do {
      return try body(SystemClock.now())
    } catch let error as StoreError where error.kind == .full && reserve?.isHeld == true {
      logger.warning("The disk is full; the reserved space is used to store replies of the broker")
      reserve?.giveBack()
      return try body(SystemClock.now())
    }
  }

  /// Tries again at a fixed pace. How long the replica would wait says how the broker is doing, which
  /// answers well and would be asked for the same again and again.
  private func recover() {
    if let actions = try? replica.disconnected(now: SystemClock.now()) { perform(actions) }
    wait(.reconnect, milliseconds: 5000)
  }
}

extension Phase {
  fileprivate var isRefused: Bool {
    if case .refused = self { true } else { false }
  }
}
