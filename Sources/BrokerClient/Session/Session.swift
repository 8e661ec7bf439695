// A connection to the broker that reconnects. After each welcome the session sends the calls that have no
// answer yet. When an answer arrives, it resumes the calling task. Reads are idempotent, and the broker
// applies each modify request once, by its number.
//
// The actor runs on the connection's event loop, so a received frame resumes the waiting task without a
// change of executor.
//
// Bounds: `PendingCalls.maximum` reads and `Outbox.requestsMaximum` requests without an answer, each for
// at most `timeout`; `Inbox.messagesMaximum` buffered messages of a stream.

import BrokerLinks
import NIOCore
import Records
import RecordsWire
import SyncCore

/// One connection to the broker, reopened after it is lost.
actor Session {
  private enum State {
    case idle, connecting, awaitingWelcome, waiting
    case live(Welcome)
    case closed
  }

  nonisolated let unownedExecutor: UnownedSerialExecutor
  private let loop: any EventLoop
  private let connector: any BrokerConnector
  private let helloTemplate: HelloTemplate
  private let sharedIdentity: SharedIdentity
  /// The device key that the last hello carried. It differs from the shared identity's key after another
  /// connection of the container made the program a new device.
  private var key: [UInt8]
  private let timeout: TimeAmount

  private var state = State.idle
  private var link: (any BrokerLink)?
  private var attempt: UInt64 = 0
  private var backoff = Backoff()
  private var reconnectTimer: Scheduled<Void>?
  private var heartbeat = Heartbeat()
  private var lastReason: RecordsError?

  private var lastID: UInt64 = 0
  /// The frame that last requested the stream.
  private var streamRequestID: UInt64 = 0
  private var calls = PendingCalls()
  private var welcomeCalls: [UInt64] = []
  private var outbox: Outbox

  private var cursor: StreamCursor?
  private var inbox = Inbox()

  init(
    connector: any BrokerConnector, loop: any EventLoop, helloTemplate: HelloTemplate,
    sharedIdentity: SharedIdentity, timeout: TimeAmount, cursor: StreamCursor? = nil
  ) {
    self.connector = connector
    self.loop = loop
    self.helloTemplate = helloTemplate
    self.sharedIdentity = sharedIdentity
    self.timeout = timeout
    self.cursor = cursor
    let identity = sharedIdentity.current
    key = identity.key
    outbox = Outbox(identity)
    unownedExecutor = loop.executor.asUnownedSerialExecutor()
  }

  deinit {
    link?.close()
    reconnectTimer?.cancel()
    heartbeat.stop()
  }

  // MARK: Calls

  /// Waits for a connection and returns the broker's welcome.
  func welcome() async throws(RecordError) -> Welcome {
    if case .live(let welcome) = state { return welcome }
    let answer = await wait(for: nil) { $0.welcomeCalls.append($1) }
    guard case .welcome(let welcome) = try answer.get() else { throw Self.unexpectedAnswer }
    return welcome
  }

  /// Sends a message and returns the answer. After a lost connection the message is sent again, so it must be
  /// idempotent.
  func ask(_ message: ClientMessage) async throws(RecordError) -> BrokerMessage {
    guard !calls.isFull else {
      throw RecordError(
        .requestRateLimited, "\(PendingCalls.maximum) calls are waiting for an answer.",
        hint: "Wait until some of them return.", retryAfterSeconds: 1)
    }
    return try await wait(for: message) { $0.send(message, call: $1) }.get()
  }

  /// Sends groups of operations as one request, which the broker applies once.
  func modify(_ groups: [OperationGroup]) async throws(RecordError) -> ModifyOutcome {
    guard !outbox.isFull else {
      throw RecordError(
        .requestRateLimited, "\(Outbox.requestsMaximum) requests are waiting for an outcome.",
        hint: "Wait until some of them return.", retryAfterSeconds: 1)
    }
    let answer = await wait(for: nil) {
      $0.outbox.add(groups, call: $1)
      $0.sendRequests()
    }
    guard case .outcome(let outcome) = try answer.get() else { throw Self.unexpectedAnswer }
    return outcome
  }

  private func wait(
    for message: ClientMessage?, begin: (isolated Session, UInt64) -> Void
  ) async -> PendingCalls.Answer {
    lastID += 1
    let call = lastID
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if case .closed = state {
          continuation.resume(returning: .failure(Self.closed))
          return
        }
        let deadline = loop.scheduleTask(in: timeout) { [weak self] in
          guard let self else { return }
          self.assumeIsolated { $0.timedOut(call) }
        }
        calls.add(call, message, continuation, deadline: deadline)
        begin(self, call)
        connectIfIdle()
      }
    } onCancel: {
      loop.execute { [weak self] in self?.assumeIsolated { $0.cancelled(call) } }
    }
  }

  private func cancelled(_ call: UInt64) {
    _ = outbox.withdraw(call: call)
    calls.answer(call, .failure(RecordError(.operationCancelled, "The task was cancelled.")))
  }

  private func timedOut(_ call: UInt64) {
    guard calls.contains(call) else { return }
    // NB: a request with a number was sent at least once and is sent again after a reconnection, even
    // after this call timed out. The caller must therefore assume that it may have been applied.
    let wasSent = calls.isSent(call) || outbox.requests.contains { $0.call == call }
    if outbox.withdraw(call: call) || !wasSent {
      let reason = lastReason ?? RecordsError(.networkUnavailable, "No broker answers.")
      calls.answer(call, .failure(RecordError(reason)))
    } else {
      calls.answer(
        call,
        .failure(
          RecordError(
            .serverResponseLost, "The broker has not answered in time.",
            hint: "The request may have been applied.", retryAfterSeconds: 1)))
    }
  }

  // MARK: Sending

  private var isLive: Bool { if case .live = state { true } else { false } }

  private func send(_ message: ClientMessage, call: UInt64) {
    guard isLive, let link else { return }
    lastID += 1
    calls.send(lastID, for: call)
    link.send(lastID, message)
  }

  private func sendRequests() {
    guard isLive, let link else { return }
    while let (call, request) = outbox.next() {
      lastID += 1
      calls.send(lastID, for: call)
      link.send(lastID, .modify(request))
    }
  }

  // MARK: Connecting

  private func connectIfIdle() {
    guard case .idle = state else { return }
    state = .connecting
    attempt += 1
    let number = attempt
    connector.connect { [weak self] event in
      guard let self else {
        if case .opened(let late) = event { late.close() }
        return
      }
      self.assumeIsolated { $0.handle(event, attempt: number) }
    }
  }

  private func handle(_ event: LinkEvent, attempt number: UInt64) {
    guard number == attempt else {
      if case .opened(let late) = event { late.close() }
      return
    }
    switch event {
    case .opened(let opened): sendHello(on: opened)
    case .received(let frame): received(frame)
    case .writable: break  // The numbers of calls and requests already bound what is written.
    case .closed(let reason):
      connectionLost(
        reason: reason
          ?? RecordsError(.networkUnavailable, "The connection was ended.", retryAfterSeconds: 1))
    }
  }

  private func sendHello(on opened: any BrokerLink) {
    link = opened
    state = .awaitingWelcome
    lastID += 1
    let identity = sharedIdentity.current
    if identity.key != key { outbox.resetForNewDevice() }
    key = identity.key
    let hello = helloTemplate.hello(
      as: identity, last: outbox.last, acknowledged: outbox.acknowledged)
    opened.send(lastID, .hello(hello))
  }

  private func welcomed(_ welcome: Welcome) {
    state = .live(welcome)
    backoff.reset()
    lastReason = nil
    // A broker that was restored from a backup numbers its notifications from the start.
    let wasRestored = welcome.lastNumber.value < sharedIdentity.current.acknowledged
    sharedIdentity.update {
      $0.id = welcome.device.description
      if wasRestored { $0.acknowledgedNotifications = .none }
    }
    if wasRestored, case .notifications = cursor {
      cursor = .notifications(NotificationCursor(after: .none))
    }
    outbox.welcomed(lastNumber: welcome.lastNumber)
    beat(everySeconds: welcome.heartbeatSeconds)
    for call in welcomeCalls { calls.answer(call, .success(.welcome(welcome))) }
    welcomeCalls = []
    for (call, message) in calls.unansweredMessages { send(message, call: call) }
    sendRequests()
    resumeStream(for: welcome.account)
  }

  private func resumeStream(for account: AccountID) {
    guard let cursor else { return }
    lastID += 1
    streamRequestID = lastID
    link?.send(lastID, cursor.resumeMessage(for: account))
  }

  private func beat(everySeconds seconds: Int) {
    heartbeat.start(on: loop, everySeconds: seconds) { [weak self] in
      self?.assumeIsolated { $0.beat() }
    }
  }

  /// Sends a ping, or disconnects if no frame arrived for two heartbeat intervals.
  private func beat() {
    guard heartbeat.count(isReading: !inbox.isPaused) else {
      disconnect(
        reason: RecordsError(
          .networkUnavailable, "The broker stopped answering.", retryAfterSeconds: 1))
      return
    }
    lastID += 1
    link?.send(lastID, .ping)
  }

  // MARK: Disconnecting

  /// Closes the connection and continues as after a lost one.
  private func disconnect(reason: RecordsError) {
    attempt += 1
    link?.close()
    connectionLost(reason: reason)
  }

  private func connectionLost(reason: RecordsError) {
    attempt += 1
    link = nil
    heartbeat.stop()
    calls.dropFrames()
    inbox.reconnected()
    lastReason = reason
    if case .closed = state { return }
    guard reason.code.isTransient else {
      state = .idle
      fail(RecordError(reason))
      return
    }
    guard !calls.isEmpty || !outbox.isEmpty || cursor != nil else {
      state = .idle
      return
    }
    state = .waiting
    var generator = SystemRandomNumberGenerator()
    let milliseconds = backoff.nextMilliseconds(using: &generator)
    reconnectTimer = loop.scheduleTask(in: .milliseconds(Int64(milliseconds))) { [weak self] in
      guard let self else { return }
      self.assumeIsolated { session in
        guard case .waiting = session.state else { return }
        session.state = .idle
        session.connectIfIdle()
      }
    }
  }

  private func fail(_ error: RecordError) {
    welcomeCalls = []
    for call in calls.all {
      _ = outbox.withdraw(call: call)
      calls.answer(call, .failure(error))
    }
    finishStream(with: error)
  }

  /// Closes the session. All waiting calls throw `operationCancelled`, and later ones do too.
  func close() {
    attempt += 1
    link?.close()
    link = nil
    reconnectTimer?.cancel()
    heartbeat.stop()
    state = .closed
    fail(Self.closed)
  }

  // MARK: Receiving

  private func received(_ frame: BrokerFrame) {
    heartbeat.heard()
    switch frame.message {
    case .welcome(let welcome): welcomed(welcome)
    case .goodbye(let reason) where reason.reason == "clonedDevice":
      becomeNewDevice(reason: reason)
    case .goodbye(let reason):
      // `connectionLost` decides by the reason whether to reconnect.
      disconnect(reason: reason)
    case .error(let error): handleError(error, replyTo: frame.replyTo)
    case .outcome(let outcome):
      guard let call = calls.removeFrame(frame.replyTo) else { return }
      outbox.answered(call: call)
      saveNumbers()
      calls.answer(call, .success(.outcome(outcome)))
      if outbox.isEmpty, let link { link.send(0, .acknowledge(outbox.acknowledged)) }
      sendRequests()
    default:
      if let call = calls.removeFrame(frame.replyTo) {
        calls.answer(call, .success(frame.message))
      } else {
        handleStreamMessage(frame.message)
      }
    }
  }

  private func saveNumbers() {
    sharedIdentity.update {
      $0.lastNumber = outbox.last.value
      $0.acknowledged = outbox.acknowledged.value
    }
  }

  private func handleError(_ error: RecordsError, replyTo: UInt64) {
    guard let call = calls.removeFrame(replyTo) else {
      // Before the welcome the hello was refused, and a goodbye follows. After it the error answers the
      // request for the stream.
      guard case .live = state else { return }
      guard error.code.isTransient else { return finishStream(with: RecordError(error)) }
      guard replyTo == streamRequestID else { return }
      return retry(after: error) { session in
        if case .live(let welcome) = session.state { session.resumeStream(for: welcome.account) }
      }
    }
    if error.reason == "clonedDevice" {
      becomeNewDevice(reason: error)
    } else if outbox.requests.contains(where: { $0.call == call }) {
      handleRequestError(call, error)
    } else if error.code.isTransient {
      retry(after: error) { session in
        guard let message = session.calls.message(of: call) else { return }
        session.send(message, call: call)
      }
    } else {
      calls.answer(call, .failure(RecordError(error)))
    }
  }

  private func handleRequestError(_ call: UInt64, _ error: RecordsError) {
    guard error.code.isTransient else {
      outbox.refused(call: call)
      calls.answer(call, .failure(RecordError(error)))
      sendRequests()
      return
    }
    // The broker sends the same error for each later request; dropping their frames ignores it.
    calls.dropFrames(of: Set(outbox.postpone(call: call)))
    link?.send(0, .acknowledge(outbox.acknowledged))
    retry(after: error) { session in
      session.outbox.resume()
      session.sendRequests()
    }
  }

  private func retry(
    after error: RecordsError, _ body: @escaping @Sendable (isolated Session) -> Void
  ) {
    let number = attempt
    // NB: wait at least 20 ms, or a broker that answers “retry after 0 s” would cause a busy loop.
    let pause = TimeAmount.milliseconds(max(Int64(error.retryAfterSeconds ?? 1) * 1000, 20))
    loop.scheduleTask(in: pause) { [weak self] in
      guard let self else { return }
      self.assumeIsolated { session in
        guard session.attempt == number else { return }
        body(session)
      }
    }
  }

  private func becomeNewDevice(reason error: RecordsError) {
    // Another connection of the container may have reset the identity already.
    sharedIdentity.update { if $0.key == key { $0.resetAsNewDevice() } }
    disconnect(
      reason: RecordsError(
        .serviceUnavailable, error.message, retryAfterSeconds: 0, reason: error.reason))
  }

  // MARK: The stream

  /// Returns the next message of the stream; `nil` when the task was cancelled or the session closed.
  /// - Throws: the error that ended the stream.
  func next() async throws(RecordError) -> BrokerMessage? {
    if let message = try inbox.take() {
      if inbox.resumeIfDrained() { link?.resume() }
      return message
    }
    connectIfIdle()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { inbox.wait($0) }
    } onCancel: {
      loop.execute { [weak self] in
        self?.assumeIsolated { $0.inbox.resumeReader(with: .success(nil)) }
      }
    }
    return try result.get()
  }

  /// Acknowledges all notifications up to `number`, here and at the broker.
  func acknowledge(through number: Records.NotificationNumber) {
    guard case .notifications(var notifications) = cursor,
      notifications.acknowledge(through: number)
    else { return }
    cursor = .notifications(notifications)
    sharedIdentity.update {
      $0.acknowledgedNotifications = max(
        $0.acknowledgedNotifications, NotificationNumber(number))
    }
    if isLive { link?.send(0, .acknowledgeNotifications(number)) }
  }

  private func handleStreamMessage(_ message: BrokerMessage) {
    guard case .live(let welcome) = state else { return }
    switch cursor?.received(message, account: welcome.account) ?? .ignore {
    case .ignore: break
    case .deliver(let message): if inbox.deliver(message) { link?.pause() }
    case .fail(let error): finishStream(with: RecordError(error))
    case .requestAgain: resumeStream(for: welcome.account)
    }
  }

  private func finishStream(with error: RecordError) {
    guard cursor != nil else { return }
    inbox.finish(with: error)
  }

  private static let unexpectedAnswer = RecordError(
    .internalError, "The broker sent an unexpected answer.")
  private static let closed = RecordError(.operationCancelled, "The container was closed.")
}
