// Feeds the broker's machine and does what it says, all on one event loop: between a commit and
// the socket there is no queue and no hop. Actions are done in order, also those that doing others
// brings about (a flush can make a socket writable again).

import BrokerCore
import BrokerStore
import NIOCore
import Records
import RecordsWire

/// The driver of a `Broker`.
///
/// NB: `@unchecked` because everything here is touched on `loop` only, which `handle` asserts; a
/// lock per frame would guard nothing.
final class BrokerDriver: @unchecked Sendable {
  let loop: any EventLoop
  private var broker: Broker
  private let storage: StorageThread
  private let reading: ReadingThread
  /// Queries have a thread of their own: one that takes long holds up nobody who follows.
  private let queries: ReadingThread
  private let assets: AssetThread
  private let log: PeerLog

  private var handlers: [ConnectionID: ConnectionHandler] = [:]
  private var lastConnection = 0
  private var counts: ConnectionCounts
  private var unfinished = UnfinishedFrames()
  private var waiting: [StorageRequest] = []
  private var isHandingOver = false
  private var requestsUnderWay = 0
  private var pendingActions: [BrokerAction] = []
  private var isActing = false
  private var unflushed: [ConnectionHandler] = []
  private var drained: EventLoopPromise<Void>?

  init(
    loop: any EventLoop, counts: ConnectionCounts, broker: Broker, storage: StorageThread,
    reading: ReadingThread,
    queries: ReadingThread, assets: AssetThread, log: PeerLog
  ) {
    self.loop = loop
    self.counts = counts
    self.broker = broker
    self.storage = storage
    self.reading = reading
    self.queries = queries
    self.assets = assets
    self.log = log
  }

  // MARK: Events

  /// A connection came. Returns why it may not stay; it is counted all the same until it is `gone`.
  func admit(_ uid: UInt32) -> RecordsError? {
    counts.open(uid, isTrusted: broker.policy.maySpeakFor.contains(uid))
  }

  /// The socket of a connection that was counted is closed.
  func gone(_ uid: UInt32) { counts.close(uid) }

  func opened(_ handler: ConnectionHandler, uid: UInt32) -> ConnectionID {
    lastConnection += 1
    let id = ConnectionID(lastConnection)
    handlers[id] = handler
    handle(.opened(id, uid: uid))
    return id
  }

  /// Adds to the bytes of incomplete frames that a user's connections hold, or subtracts from them.
  /// Returns whether they are within the limits.
  func holds(_ byteCount: Int, for uid: UInt32, isGreeting: Bool) -> Bool {
    unfinished.add(byteCount, of: uid, isGreeting: isGreeting)
  }

  func closed(_ id: ConnectionID) {
    handlers[id] = nil
    handle(.closed(id))
  }

  func handle(_ event: BrokerEvent) {
    loop.preconditionInEventLoop()
    if case .ticked = event { log.endSecond() }
    pendingActions += broker.handle(event)
    guard !isActing else { return }
    isActing = true
    while !pendingActions.isEmpty {
      let actions = pendingActions
      pendingActions = []
      for action in actions { perform(action) }
      flush()
    }
    isActing = false
    storeWaiting()
  }

  /// How the broker stands. To be asked on the event loop.
  var standing: BrokerStanding {
    loop.preconditionInEventLoop()
    return broker.standing
  }

  // MARK: Actions

  private func perform(_ action: BrokerAction) {
    switch action {
    case .send(let id, let replyTo, .assetPiece(let piece)):
      write(Self.frame(of: piece, replyTo: replyTo), to: id)
    case .send(let id, let replyTo, let message):
      write(ByteBuffer(bytes: BrokerFrame(replyTo: replyTo, message: message).framed), to: id)
    case .tell(let connections, let message):
      publish(BrokerFrame(replyTo: 0, message: message).framed, to: connections)
    case .publish(let segments, let connections):
      for segment in segments { publish(segment.frame, to: connections) }
    case .sendPiece(let id, let frame):
      guard let handler = handlers[id] else { return }
      handler.write(ByteBuffer(bytes: frame), reportingTo: self, id)
      needsFlush(handler)
    case .store(let request): waiting.append(request)
    case .read(let request):
      guard case .query(let id, _, _, _, _) = request else {
        return reading.perform(request, on: loop) { [self] in handle(.read($0)) }
      }
      guard let isWanted = handlers[id]?.presence else { return }
      queries.perform(request, on: loop, isWanted: isWanted) { [self] in handle(.read($0)) }
    case .asset(let request):
      assets.perform(request, on: loop) { [self] in handle(.assetDone($0)) }
    case .pause(let id): handlers[id]?.setReading(false)
    case .resume(let id): if drained == nil { handlers[id]?.setReading(true) }
    case .close(let id): handlers.removeValue(forKey: id)?.close()
    case .logRefusal(let refusal): log.add(refusal)
    }
  }

  /// A piece of a file is copied once on its way to the socket: pieces are most of what is sent.
  private static func frame(of piece: AssetPiece, replyTo: UInt64) -> ByteBuffer {
    let head = piece.frameHead(number: replyTo)
    var frame = ByteBufferAllocator().buffer(capacity: head.count + piece.content.count)
    frame.writeBytes(head)
    frame.writeBytes(piece.content)
    return frame
  }

  private func publish(_ frame: [UInt8], to connections: [ConnectionID]) {
    // One buffer for everybody: NIO shares its storage as long as nobody appends to it.
    let buffer = ByteBuffer(bytes: frame)
    for id in connections { write(buffer, to: id) }
  }

  private func write(_ buffer: ByteBuffer, to id: ConnectionID) {
    guard let handler = handlers[id] else { return }
    handler.write(buffer)
    needsFlush(handler)
  }

  private func needsFlush(_ handler: ConnectionHandler) {
    guard !handler.needsFlush else { return }
    handler.needsFlush = true
    unflushed.append(handler)
  }

  private func flush() {
    let handlers = unflushed
    unflushed.removeAll(keepingCapacity: true)
    for handler in handlers { handler.flush() }
  }

  // MARK: Storing

  /// Hands over what waits at the end of the event loop's turn, so that all who wrote at the same
  /// moment share a transaction.
  private func storeWaiting() {
    guard !waiting.isEmpty, !isHandingOver else { return }
    isHandingOver = true
    loop.assumeIsolated().execute { [self] in
      isHandingOver = false
      let batch = waiting
      waiting.removeAll(keepingCapacity: true)
      requestsUnderWay += batch.count
      storage.add(batch) { [self] results in loop.execute { [self] in stored(results) } }
    }
  }

  private func stored(_ results: [StorageResult]) {
    requestsUnderWay -= results.count
    handle(.stored(results))
    if isAtRest { drained?.succeed() }
  }

  private var isAtRest: Bool { requestsUnderWay == 0 && waiting.isEmpty }

  // MARK: Stopping

  /// Waits until everything that was asked for is on disk and answered, then says goodbye to
  /// everybody; the future is done when the last connection is closed.
  func drain() -> EventLoopFuture<Void> {
    loop.preconditionInEventLoop()
    let promise = loop.makePromise(of: Void.self)
    drained = promise
    // Or a peer that goes on asking would keep it from ever being done.
    for handler in handlers.values { handler.setReading(false) }
    if isAtRest { promise.succeed() }
    return promise.futureResult.assumeIsolated().flatMap { [self] in sayGoodbye() }.nonisolated()
  }

  private func sayGoodbye() -> EventLoopFuture<Void> {
    let goodbye = BrokerMessage.goodbye(
      RecordsError(
        .serviceUnavailable, "The broker is stopping.", hint: "Connect again.",
        retryAfterSeconds: 0))
    let frame = ByteBuffer(bytes: BrokerFrame(replyTo: 0, message: goodbye).framed)
    let closings = handlers.values.compactMap { handler in
      handler.write(frame)
      return handler.close()
    }
    handlers = [:]
    log.endSecond()
    return EventLoopFuture.andAllComplete(closings, on: loop)
  }

  /// Passes through the event loop and the storage thread, as a sign of life of both.
  func isAlive() async -> Bool {
    let promise = loop.makePromise(of: Void.self)
    storage.addChore { promise.succeed() }
    return (try? await promise.futureResult.get()) != nil
  }
}
