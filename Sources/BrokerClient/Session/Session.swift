// A connection to the broker that reconnects. `Conversation` and `Outbox` decide; the session does what they say. After
// each welcome it sends the calls that have no answer yet. When an answer arrives, it resumes the calling task. Reads are
// idempotent, and the broker applies each modify request once, by its number.
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
  /// What the session does while it has no connection.
  private enum Rest {
    /// It connects with the next call.
    case idle
    /// It connects when the timer runs out.
    case waiting(Scheduled<Void>)
    /// It does not connect again.
    case closed
  }

  nonisolated let unownedExecutor: UnownedSerialExecutor
  private let environment: SessionEnvironment
  /// The device key that the last hello carried. It differs from the shared identity's key after another
  /// connection of the container made the program a new device.
  private var key: [UInt8]

  private var rest = Rest.idle
  private var conversation = Conversation(pace: .relaxed)
  private var link: (any BrokerLink)?
  /// The number of the present attempt to connect. Events and retries of earlier attempts are ignored.
  private var attempt: UInt64 = 0
  private var silenceCheck: Scheduled<Void>?
  private var lastReason: RecordsError?

  private var calls = PendingCalls()
  private var outbox: Outbox
  private var stream: SessionStream?

  init(_ environment: SessionEnvironment, cursor: StreamCursor? = nil) {
    self.environment = environment
    let identity = environment.sharedIdentity.current
    key = identity.key
    outbox = Outbox(identity)
    stream = cursor.map { SessionStream(cursor: $0) }
    unownedExecutor = environment.loop.executor.asUnownedSerialExecutor()
  }

  deinit {
    link?.close()
    if case .waiting(let timer) = rest { timer.cancel() }
    silenceCheck?.cancel()
  }

  // MARK: Calls

  /// Waits for a connection and returns the broker's welcome.
  func welcome() async throws(RecordsError) -> Welcome {
    if let welcome = conversation.welcome { return welcome }
    let answer = await wait(for: .welcome) { _, _ in }
    guard case .welcome(let welcome) = try answer.get() else { throw Self.unexpectedAnswer }
    return welcome
  }

  /// Sends a message and returns the answer. After a lost connection the message is sent again, so it must be
  /// idempotent.
  func ask(_ message: ClientMessage) async throws(RecordsError) -> BrokerMessage {
    guard !calls.isFull else {
      throw RecordsError(
        .requestRateLimited, "\(PendingCalls.maximum) calls are waiting for an answer.",
        hint: "Wait until some of them return.", retryAfterSeconds: 1)
    }
    return try await wait(for: .answer(to: message)) { $0.send(message, call: $1) }.get()
  }

  /// Sends groups of operations as one request, which the broker applies once.
  func modify(_ groups: [OperationGroup]) async throws(RecordsError) -> ModifyOutcome {
    guard !outbox.isFull else {
      throw RecordsError(
        .requestRateLimited, "\(Outbox.requestsMaximum) requests are waiting for an outcome.",
        hint: "Wait until some of them return.", retryAfterSeconds: 1)
    }
    let answer = await wait(for: .outcome) {
      $0.outbox.add(groups, call: $1)
      $0.sendRequests()
    }
    guard case .outcome(let outcome) = try answer.get() else { throw Self.unexpectedAnswer }
    return outcome
  }

  private func wait(
    for awaited: PendingCalls.Awaited, begin: (isolated Session, UInt64) -> Void
  ) async -> PendingCalls.Answer {
    let call = calls.freshCall()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if case .closed = rest {
          continuation.resume(returning: .failure(Self.closed))
          return
        }
        let deadline = schedule(after: environment.timeout) { $0.timedOut(call) }
        calls.add(call, awaited, continuation, deadline: deadline)
        begin(self, call)
        connectIfIdle()
      }
    } onCancel: {
      environment.loop.execute { [weak self] in self?.assumeIsolated { $0.cancelled(call) } }
    }
  }

  private func cancelled(_ call: UInt64) {
    _ = outbox.withdraw(call: call)
    calls.answer(call, .failure(RecordsError(.operationCancelled, "The task was cancelled.")))
  }

  private func timedOut(_ call: UInt64) {
    guard calls.contains(call) else { return }
    // NB: a request with a number was sent at least once and is sent again after a reconnection, even
    // after this call timed out. The caller must therefore assume that it may have been applied.
    let wasSent = calls.isSent(call) || outbox.isNumbered(call: call)
    _ = outbox.withdraw(call: call)
    guard wasSent else {
      let reason = lastReason ?? RecordsError(.networkUnavailable, "No broker answers.")
      return calls.answer(call, .failure(reason))
    }
    calls.answer(
      call,
      .failure(
        RecordsError(
          .serverResponseLost, "The broker has not answered in time.",
          hint: "The request may have been applied.", retryAfterSeconds: 1)))
  }

  private func schedule(
    after time: TimeAmount, _ body: @escaping @Sendable (isolated Session) -> Void
  ) -> Scheduled<Void> {
    environment.loop.scheduleTask(in: time) { [weak self] in
      guard let self else { return }
      self.assumeIsolated { body($0) }
    }
  }

  // MARK: Sending

  private func send(_ message: ClientMessage, call: UInt64) {
    guard conversation.isReady, let link else { return }
    let id = conversation.freshID()
    calls.send(id, for: call)
    link.send(id, message)
  }

  private func sendRequests() {
    guard let link else { return }
    for (id, request) in outbox.send(in: &conversation) { link.send(id, .modify(request)) }
  }

  // MARK: Connecting

  private func connectIfIdle() {
    guard case .idle = rest, conversation.begin() else { return }
    attempt += 1
    let number = attempt
    environment.connector.connect { [weak self] event in
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
    case .receiving: heard()
    case .writable: break  // The numbers of calls and requests already bound what is written.
    case .closed(let reason):
      disconnected(
        because: reason
          ?? RecordsError(.networkUnavailable, "The connection was ended.", retryAfterSeconds: 1))
    }
  }

  private func sendHello(on opened: any BrokerLink) {
    conversation.now = now
    guard let (id, milliseconds) = conversation.opened() else { return opened.close() }
    link = opened
    let identity = environment.sharedIdentity.current
    if identity.key != key { outbox.resetForNewDevice() }
    key = identity.key
    let hello = environment.helloTemplate.hello(
      as: identity, last: outbox.lastNumber, acknowledged: outbox.acknowledged)
    opened.send(id, .hello(hello))
    checkSilence(afterMilliseconds: milliseconds)
  }

  private func welcomed(_ welcome: Welcome) {
    checkSilence(afterMilliseconds: conversation.welcomed(welcome))
    lastReason = nil
    saveIdentity(of: welcome)
    outbox.welcomed(lastNumber: welcome.lastNumber)
    for call in calls.awaitingWelcome { calls.answer(call, .success(.welcome(welcome))) }
    for (call, message) in calls.unansweredMessages { send(message, call: call) }
    sendRequests()
    requestStream()
  }

  private func saveIdentity(of welcome: Welcome) {
    // A broker that was restored from a backup numbers its notifications from the start.
    let wasRestored = welcome.lastNumber.value < environment.sharedIdentity.current.acknowledged
    updateIdentity {
      $0.register(as: welcome.device)
      if wasRestored { $0.acknowledgedNotifications = .none }
    }
    if wasRestored, case .notifications = stream?.cursor {
      stream?.cursor = .notifications(NotificationCursor(after: .none))
    }
  }

  /// Changes the identity, unless another connection of the container has made the program a new device since the last
  /// hello: what this connection receives concerns the former device.
  private func updateIdentity(_ change: (inout DeviceIdentity) -> Void) {
    environment.sharedIdentity.update { if $0.key == key { change(&$0) } }
  }

  /// The time on the loop's clock, which is never set.
  private var now: Timestamp {
    Timestamp(microseconds: Int64(environment.loop.now.uptimeNanoseconds / 1000))
  }

  private func heard() {
    conversation.now = now
    if let milliseconds = conversation.heard() { checkSilence(afterMilliseconds: milliseconds) }
  }

  private func checkSilence(afterMilliseconds milliseconds: Int) {
    silenceCheck?.cancel()
    silenceCheck = schedule(after: .milliseconds(Int64(milliseconds))) { $0.checkSilence() }
  }

  private func checkSilence() {
    // While the session does not read the socket, no frame can arrive.
    if stream?.inbox.isPaused == true { heard() }
    conversation.now = now
    switch conversation.check(bytesBeforeAnswer: outbox.bytesBeforeOutcome) {
    case .disconnected: break
    case .wait(let milliseconds), .late(let milliseconds):
      checkSilence(afterMilliseconds: milliseconds)
    case .ping(let id, let milliseconds):
      link?.send(id, .ping)
      checkSilence(afterMilliseconds: milliseconds)
    case .close(let reason):
      disconnect(because: RecordsError(.networkUnavailable, reason, retryAfterSeconds: 1))
    }
  }

  /// Calls `networkChanged` on the session's loop.
  nonisolated func reportNetworkChange() {
    environment.loop.execute { [weak self] in self?.assumeIsolated { $0.networkChanged() } }
  }

  /// The network changed: connects at once, or finds out whether the connection still works.
  func networkChanged() {
    conversation.now = now
    switch conversation.networkChanged() {
    case .connect:
      guard case .waiting(let timer) = rest else { return }
      timer.cancel()
      rest = .idle
      connectIfIdle()
    case .wait: break
    case .reconnect:
      disconnect(
        because: RecordsError(
          .networkUnavailable, "The network has changed.", retryAfterSeconds: 1))
    case .ping(let id, let milliseconds):
      link?.send(id, .ping)
      checkSilence(afterMilliseconds: milliseconds)
    }
  }

  // MARK: Disconnecting

  /// Closes the connection and continues as after a lost one.
  /// - Parameter goodbye: The broker's reason, if it ended the connection.
  private func disconnect(because reason: RecordsError, goodbye: RecordsError? = nil) {
    attempt += 1
    link?.close()
    disconnected(because: reason, goodbye: goodbye)
  }

  private func disconnected(because reason: RecordsError, goodbye: RecordsError? = nil) {
    attempt += 1
    link = nil
    silenceCheck?.cancel()
    calls.dropFrames()
    outbox.disconnected()
    stream?.inbox.reconnected()
    lastReason = reason
    var generator = SystemRandomNumberGenerator()
    let wait = conversation.ended(because: goodbye, using: &generator)
    if case .closed = rest { return }
    guard reason.code.isTransient else { return fail(reason) }
    guard !calls.isEmpty || !outbox.isEmpty || stream != nil else { return }
    rest = .waiting(
      schedule(after: .milliseconds(Int64(wait))) { session in
        guard case .waiting = session.rest else { return }
        session.rest = .idle
        session.connectIfIdle()
      })
  }

  private func fail(_ error: RecordsError) {
    // A request of a failed call must not take effect later.
    outbox.removeAll()
    for call in calls.all { calls.answer(call, .failure(error)) }
    stream?.inbox.finish(with: error)
  }

  /// Closes the session. All waiting calls throw `operationCancelled`, and later ones do too.
  func close() {
    attempt += 1
    link?.close()
    link = nil
    if case .waiting(let timer) = rest { timer.cancel() }
    silenceCheck?.cancel()
    rest = .closed
    var generator = SystemRandomNumberGenerator()
    _ = conversation.ended(because: nil, using: &generator)
    fail(Self.closed)
  }

  // MARK: Receiving

  private func received(_ frame: BrokerFrame) {
    heard()
    switch frame.message {
    case .welcome(let welcome): welcomed(welcome)
    case .goodbye(let reason) where reason.reason == "clonedDevice":
      becomeNewDevice(because: reason)
    case .goodbye(let reason):
      // `disconnected` decides by the reason whether to reconnect.
      disconnect(because: reason, goodbye: reason)
    case .error(let error): refused(error, replyTo: frame.replyTo)
    case .outcome(let outcome): received(outcome)
    default:
      if let call = calls.removeFrame(frame.replyTo) {
        calls.answer(call, .success(frame.message))
      } else {
        receivedOfStream(frame.message)
      }
    }
  }

  private func received(_ outcome: ModifyOutcome) {
    switch outbox.ended(outcome.number) {
    case .known: break
    case .outOfOrder:
      disconnect(
        because: RecordsError(
          .networkUnavailable, "An outcome is out of order.", retryAfterSeconds: 1))
    case .ended(let call):
      saveNumbers()
      calls.answer(call, .success(.outcome(outcome)))
      if outbox.isEmpty { acknowledgeOutcomes() }
      sendRequests()
    }
  }

  private func acknowledgeOutcomes() {
    link?.send(conversation.freshID(), .acknowledge(outbox.acknowledged))
  }

  private func saveNumbers() {
    updateIdentity {
      $0.lastNumber = outbox.lastNumber.value
      $0.acknowledged = outbox.acknowledged.value
    }
  }

  private func refused(_ error: RecordsError, replyTo: UInt64) {
    var generator = SystemRandomNumberGenerator()
    if let refusal = outbox.refused(error, replyTo: replyTo, using: &generator) {
      refused(refusal, because: error)
    } else if let call = calls.removeFrame(replyTo) {
      refused(call: call, because: error)
    } else {
      refusedStream(error, replyTo: replyTo)
    }
  }

  private func refused(_ refusal: Outbox.Refusal, because error: RecordsError) {
    switch refusal {
    case .clonedDevice: becomeNewDevice(because: error)
    case .notAuthenticated: disconnect(because: error)
    case .postponed(let milliseconds):
      acknowledgeOutcomes()
      retry(afterMilliseconds: milliseconds) { session in
        session.outbox.resume()
        session.sendRequests()
      }
    case .rejected(let call):
      calls.answer(call, .failure(error))
      sendRequests()
    }
  }

  private func refused(call: UInt64, because error: RecordsError) {
    if error.reason == "clonedDevice" {
      becomeNewDevice(because: error)
    } else if error.code.isTransient {
      retry(afterMilliseconds: (error.retryAfterSeconds ?? 1) * 1000) { session in
        guard let message = session.calls.message(of: call) else { return }
        session.send(message, call: call)
      }
    } else {
      calls.answer(call, .failure(error))
    }
  }

  private func retry(
    afterMilliseconds milliseconds: Int, _ body: @escaping @Sendable (isolated Session) -> Void
  ) {
    let number = attempt
    // NB: wait at least 20 ms, or a broker that answers “retry after 0 s” would cause a busy loop.
    _ = schedule(after: .milliseconds(Int64(max(milliseconds, 20)))) { session in
      guard session.attempt == number else { return }
      body(session)
    }
  }

  private func becomeNewDevice(because error: RecordsError) {
    updateIdentity { $0.resetAsNewDevice() }
    disconnect(
      because: RecordsError(
        .serviceUnavailable, error.message, retryAfterSeconds: 0, reason: error.reason))
  }
}

// MARK: - The stream

extension Session {
  /// Returns the next message of the stream; `nil` when the task was cancelled or the session closed.
  /// - Throws: the error that ended the stream.
  func next() async throws(RecordsError) -> BrokerMessage? {
    guard stream != nil else { return nil }
    if let message = try stream?.inbox.take() {
      if stream?.inbox.resumeIfDrained() == true { link?.resume() }
      return message
    }
    connectIfIdle()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { stream?.inbox.wait($0) }
    } onCancel: {
      environment.loop.execute { [weak self] in
        self?.assumeIsolated { $0.stream?.inbox.resumeReader(with: .success(nil)) }
      }
    }
    return try result.get()
  }

  /// Acknowledges all notifications up to `number`, here and at the broker.
  func acknowledge(through number: NotificationNumber) {
    guard case .notifications(var notifications) = stream?.cursor,
      notifications.acknowledge(through: number)
    else { return }
    stream?.cursor = .notifications(notifications)
    environment.sharedIdentity.update {
      $0.acknowledgedNotifications = max(
        $0.acknowledgedNotifications, number)
    }
    guard conversation.isReady else { return }
    link?.send(conversation.freshID(), .acknowledgeNotifications(number))
  }

  /// Requests everything after the stream's position.
  private func requestStream() {
    guard let stream, let welcome = conversation.welcome else { return }
    let id = conversation.freshID()
    self.stream?.requestID = id
    link?.send(id, stream.cursor.resumeMessage(for: welcome.account))
  }

  private func receivedOfStream(_ message: BrokerMessage) {
    guard let welcome = conversation.welcome else { return }
    switch stream?.cursor.received(message, account: welcome.account) ?? .ignore {
    case .ignore: break
    case .deliver(let message):
      if stream?.inbox.deliver(message) == true { link?.pause() }
    case .fail(let error): stream?.inbox.finish(with: error)
    case .requestAgain: requestStream()
    }
  }

  /// The broker cannot give the stream, or not at the moment. Before the welcome the hello was refused, and a goodbye
  /// follows.
  private func refusedStream(_ error: RecordsError, replyTo: UInt64) {
    guard conversation.isReady, let stream else { return }
    guard error.code.isTransient else {
      self.stream?.inbox.finish(with: error)
      return
    }
    guard replyTo == stream.requestID else { return }
    retry(afterMilliseconds: (error.retryAfterSeconds ?? 1) * 1000) { $0.requestStream() }
  }

  private static let unexpectedAnswer = RecordsError(
    .internalError, "The broker sent an unexpected answer.")
  private static let closed = RecordsError(.operationCancelled, "The container was closed.")
}
