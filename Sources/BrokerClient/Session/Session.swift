// A connection that comes back: greets, sends what waits, gives each answer to whoever asked, and
// after a loss does it all again. Everything happens on one event loop, the connection's own, so
// between a frame and the task it wakes there is no other queue. A question without an answer is asked
// again on the next connection – none of them changes anything twice –; requests go by their numbers.
//
// Bounds: `Calls.maximum` questions and `Outbox.requestsMaximum` requests without an answer, each for
// at most `patience`; of a followed stream `Inbox.messagesMaximum` messages.

import BrokerLinks
import NIOCore
import Records
import RecordsWire
import SyncCore

/// One connection to the broker, over the losses of it.
actor Session {
  private enum Standing {
    case idle, connecting, greeting, waiting
    case live(Welcome)
    case closed
  }

  nonisolated let unownedExecutor: UnownedSerialExecutor
  private let loop: any EventLoop
  private let connector: any BrokerConnector
  private let greeting: Greeting
  private let keeper: IdentityKeeper
  /// The key of the device that it spoke for last.
  private var key: [UInt8]
  private let patience: TimeAmount

  private var standing = Standing.idle
  private var link: (any BrokerLink)?
  private var attempt: UInt64 = 0
  private var backoff = Backoff()
  private var retry: Scheduled<Void>?
  private var heartbeat = Heartbeat()
  private var lastReason: RecordsError?

  private var lastID: UInt64 = 0
  /// What asked for the stream last.
  private var streamQuestion: UInt64 = 0
  private var calls = Calls()
  private var greeters: [UInt64] = []
  private var outbox: Outbox

  private var following: Following?
  private var inbox = Inbox()

  init(
    connector: any BrokerConnector, loop: any EventLoop, greeting: Greeting,
    keeper: IdentityKeeper, patience: TimeAmount, following: Following? = nil
  ) {
    self.connector = connector
    self.loop = loop
    self.greeting = greeting
    self.keeper = keeper
    self.patience = patience
    self.following = following
    let identity = keeper.current
    key = identity.key
    outbox = Outbox(identity)
    unownedExecutor = loop.executor.asUnownedSerialExecutor()
  }

  deinit {
    link?.close()
    retry?.cancel()
    heartbeat.stop()
  }

  // MARK: Asking

  /// Waits for a connection.
  func welcome() async throws(RecordError) -> Welcome {
    if case .live(let welcome) = standing { return welcome }
    let answer = await wait(for: nil) { $0.greeters.append($1) }
    guard case .welcome(let welcome) = try answer.get() else { throw Self.strange }
    return welcome
  }

  /// Asks something that changes nothing when it is asked twice.
  func ask(_ message: ClientMessage) async throws(RecordError) -> BrokerMessage {
    guard !calls.isFull else {
      throw RecordError(
        .requestRateLimited, "\(Calls.maximum) questions wait for their answers already.",
        hint: "Wait for some of them.", retryAfterSeconds: 1)
    }
    return try await wait(for: message) { $0.send(message, call: $1) }.get()
  }

  /// Has groups of operations carried out, once.
  func modify(_ groups: [OperationGroup]) async throws(RecordError) -> ModifyOutcome {
    guard !outbox.isFull else {
      throw RecordError(
        .requestRateLimited, "\(Outbox.requestsMaximum) requests wait for their outcomes already.",
        hint: "Wait for some of them.", retryAfterSeconds: 1)
    }
    let answer = await wait(for: nil) {
      $0.outbox.add(groups, call: $1)
      $0.sendRequests()
    }
    guard case .outcome(let outcome) = try answer.get() else { throw Self.strange }
    return outcome
  }

  private func wait(
    for message: ClientMessage?, begin: (isolated Session, UInt64) -> Void
  ) async -> Calls.Answer {
    lastID += 1
    let call = lastID
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if case .closed = standing {
          continuation.resume(returning: .failure(Self.closed))
          return
        }
        let deadline = loop.scheduleTask(in: patience) { [weak self] in
          guard let self else { return }
          self.assumeIsolated { $0.gaveUp(call) }
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

  private func gaveUp(_ call: UInt64) {
    guard calls.contains(call) else { return }
    // NB: a request that has a number was sent once, and goes again when there is a broker, whether or
    // not somebody waits: that nothing came of it cannot be said any more.
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
            hint: "What was asked may have been done.", retryAfterSeconds: 1)))
    }
  }

  // MARK: Sending

  private var isLive: Bool { if case .live = standing { true } else { false } }

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
    guard case .idle = standing else { return }
    standing = .connecting
    attempt += 1
    let number = attempt
    connector.connect { [weak self] event in
      guard let self else {
        if case .opened(let late) = event { late.close() }
        return
      }
      self.assumeIsolated { $0.heard(event, attempt: number) }
    }
  }

  private func heard(_ event: LinkEvent, attempt number: UInt64) {
    guard number == attempt else {
      if case .opened(let late) = event { late.close() }
      return
    }
    switch event {
    case .opened(let opened): greet(opened)
    case .received(let frame): received(frame)
    case .writable: break  // What is sent at a time is bounded already.
    case .closed(let reason):
      lost(
        because: reason
          ?? RecordsError(.networkUnavailable, "The connection was ended.", retryAfterSeconds: 1))
    }
  }

  private func greet(_ opened: any BrokerLink) {
    link = opened
    standing = .greeting
    lastID += 1
    let identity = keeper.current
    if identity.key != key { outbox.becameNew() }
    key = identity.key
    let hello = greeting.hello(
      as: identity, last: outbox.last, acknowledged: outbox.acknowledged)
    opened.send(lastID, .hello(hello))
  }

  private func welcomed(_ welcome: Welcome) {
    standing = .live(welcome)
    backoff.reset()
    lastReason = nil
    // A broker that was restored from a backup counts its notifications anew.
    let countsAnew = welcome.lastNumber.value < keeper.current.acknowledged
    keeper.update {
      $0.id = welcome.device.description
      if countsAnew { $0.acknowledgedNotifications = .none }
    }
    if countsAnew, case .notifications = following {
      following = .notifications(NotificationFollowing(after: .none))
    }
    outbox.welcomed(lastNumber: welcome.lastNumber)
    beat(everySeconds: welcome.heartbeatSeconds)
    for call in greeters { calls.answer(call, .success(.welcome(welcome))) }
    greeters = []
    for (call, message) in calls.questions { send(message, call: call) }
    sendRequests()
    follow(as: welcome.account)
  }

  private func follow(as account: AccountID) {
    guard let following else { return }
    lastID += 1
    streamQuestion = lastID
    link?.send(lastID, following.question(of: account))
  }

  private func beat(everySeconds seconds: Int) {
    heartbeat.start(on: loop, everySeconds: seconds) { [weak self] in
      self?.assumeIsolated { $0.beat() }
    }
  }

  /// Pings, and takes a broker that said nothing for twice the agreed time for dead.
  private func beat() {
    guard heartbeat.count(isReading: !inbox.isPaused) else {
      drop(
        because: RecordsError(
          .networkUnavailable, "The broker stopped answering.", retryAfterSeconds: 1))
      return
    }
    lastID += 1
    link?.send(lastID, .ping)
  }

  // MARK: Losing

  /// Ends the connection from here and goes on as after a loss.
  private func drop(because reason: RecordsError) {
    attempt += 1
    link?.close()
    lost(because: reason)
  }

  private func lost(because reason: RecordsError) {
    attempt += 1
    link = nil
    heartbeat.stop()
    calls.forgetFrames()
    inbox.reconnected()
    lastReason = reason
    if case .closed = standing { return }
    guard reason.code.isTransient else {
      standing = .idle
      fail(RecordError(reason))
      return
    }
    guard !calls.isEmpty || !outbox.isEmpty || following != nil else {
      standing = .idle
      return
    }
    standing = .waiting
    var generator = SystemRandomNumberGenerator()
    let milliseconds = backoff.nextMilliseconds(using: &generator)
    retry = loop.scheduleTask(in: .milliseconds(Int64(milliseconds))) { [weak self] in
      guard let self else { return }
      self.assumeIsolated { session in
        guard case .waiting = session.standing else { return }
        session.standing = .idle
        session.connectIfIdle()
      }
    }
  }

  private func fail(_ error: RecordError) {
    greeters = []
    for call in calls.all {
      _ = outbox.withdraw(call: call)
      calls.answer(call, .failure(error))
    }
    end(because: error)
  }

  /// Ends for good. Whoever waits gets `operationCancelled`.
  func close() {
    attempt += 1
    link?.close()
    link = nil
    retry?.cancel()
    heartbeat.stop()
    standing = .closed
    fail(Self.closed)
  }

  // MARK: Hearing

  private func received(_ frame: BrokerFrame) {
    heartbeat.heard()
    switch frame.message {
    case .welcome(let welcome): welcomed(welcome)
    case .goodbye(let reason) where reason.reason == "clonedDevice":
      becomeNew(because: reason)
    case .goodbye(let reason):
      // The broker says why it ends, and a reason that passes is one to come back after.
      drop(because: reason)
    case .error(let error): refused(error, replyTo: frame.replyTo)
    case .outcome(let outcome):
      guard let call = calls.answered(frame.replyTo) else { return }
      outbox.answered(call: call)
      keep()
      calls.answer(call, .success(.outcome(outcome)))
      if outbox.isEmpty, let link { link.send(0, .acknowledge(outbox.acknowledged)) }
      sendRequests()
    default:
      if let call = calls.answered(frame.replyTo) {
        calls.answer(call, .success(frame.message))
      } else {
        streamed(frame.message)
      }
    }
  }

  private func keep() {
    keeper.update {
      $0.lastNumber = outbox.last.value
      $0.acknowledged = outbox.acknowledged.value
    }
  }

  private func refused(_ error: RecordsError, replyTo: UInt64) {
    guard let call = calls.answered(replyTo) else {
      // The hello was refused, and a goodbye follows; or it is what a stream asked for.
      guard case .live = standing else { return }
      guard error.code.isTransient else { return end(because: RecordError(error)) }
      guard replyTo == streamQuestion else { return }
      return again(after: error) { session in
        if case .live(let welcome) = session.standing { session.follow(as: welcome.account) }
      }
    }
    if error.reason == "clonedDevice" {
      becomeNew(because: error)
    } else if outbox.requests.contains(where: { $0.call == call }) {
      refusedRequest(call, error)
    } else if error.code.isTransient {
      again(after: error) { session in
        guard let message = session.calls.message(of: call) else { return }
        session.send(message, call: call)
      }
    } else {
      calls.answer(call, .failure(RecordError(error)))
    }
  }

  private func refusedRequest(_ call: UInt64, _ error: RecordsError) {
    guard error.code.isTransient else {
      outbox.refused(call: call)
      calls.answer(call, .failure(RecordError(error)))
      sendRequests()
      return
    }
    // The same answer is on its way for all behind it: they are not listened to any more.
    calls.forgetFrames(of: Set(outbox.postpone(call: call)))
    link?.send(0, .acknowledge(outbox.acknowledged))
    again(after: error) { session in
      session.outbox.goOn()
      session.sendRequests()
    }
  }

  private func again(
    after error: RecordsError, _ body: @escaping @Sendable (isolated Session) -> Void
  ) {
    let number = attempt
    // NB: never at once, or a broker that says “now” would be asked in a circle.
    let pause = TimeAmount.milliseconds(max(Int64(error.retryAfterSeconds ?? 1) * 1000, 20))
    loop.scheduleTask(in: pause) { [weak self] in
      guard let self else { return }
      self.assumeIsolated { session in
        guard session.attempt == number else { return }
        body(session)
      }
    }
  }

  private func becomeNew(because error: RecordsError) {
    // Another connection of the container may have done so already.
    keeper.update { if $0.key == key { $0.becomeNew() } }
    drop(
      because: RecordsError(
        .serviceUnavailable, error.message, retryAfterSeconds: 0, reason: error.reason))
  }

  // MARK: Following

  /// The next message of the stream; `nil` when the task was cancelled or the session closed.
  /// - Throws: what ended the stream.
  func next() async throws(RecordError) -> BrokerMessage? {
    if let message = try inbox.take() {
      if inbox.resumes() { link?.resume() }
      return message
    }
    connectIfIdle()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { inbox.wait($0) }
    } onCancel: {
      loop.execute { [weak self] in self?.assumeIsolated { $0.inbox.wake(with: .success(nil)) } }
    }
    return try result.get()
  }

  /// Tells the broker what the program has taken in.
  func acknowledge(through number: Records.NotificationNumber) {
    guard case .notifications(var notifications) = following,
      notifications.acknowledge(through: number)
    else { return }
    following = .notifications(notifications)
    keeper.update {
      $0.acknowledgedNotifications = max(
        $0.acknowledgedNotifications, NotificationNumber(number))
    }
    if isLive { link?.send(0, .acknowledgeNotifications(number)) }
  }

  private func streamed(_ message: BrokerMessage) {
    guard case .live(let welcome) = standing else { return }
    switch following?.received(message, account: welcome.account) ?? .ignore {
    case .ignore: break
    case .deliver(let message): if inbox.deliver(message) { link?.pause() }
    case .fail(let error): end(because: RecordError(error))
    case .askAgain: follow(as: welcome.account)
    }
  }

  private func end(because error: RecordError) {
    guard following != nil else { return }
    inbox.end(because: error)
  }

  private static let strange = RecordError(
    .internalError, "The broker sent an unexpected answer.")
  private static let closed = RecordError(.operationCancelled, "The container was closed.")
}
