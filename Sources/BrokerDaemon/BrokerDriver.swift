// Passes events to the broker and carries out its actions, all on one event loop: between a commit and the
// sockets there is no queue and no change of threads. Actions are carried out in order, including those that
// others cause (a flush can make a socket writable again).

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
  /// Queries have a thread of their own, so that a slow query does not delay other reads.
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

  /// Counts a new connection until it is `gone`. Returns an error if it has to be closed.
  func admit(_ uid: UInt32) -> RecordsError? {
    counts.open(uid, isTrusted: broker.configuration.policy.maySpeakFor.contains(uid))
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

  /// The broker's status. Call it on the event loop.
  var status: BrokerStatus {
    loop.preconditionInEventLoop()
    return broker.status
  }

  // MARK: Actions

  private func perform(_ action: BrokerAction) {
    switch action {
    case .send(let id, let replyTo, .assetPiece(let piece)):
      write(Self.frame(of: piece, replyTo: replyTo), to: id)
    case .send(let id, let replyTo, let message):
      write(ByteBuffer(bytes: BrokerFrame(replyTo: replyTo, message: message).framed), to: id)
    case .broadcast(let message, let connections):
      publish(BrokerFrame(replyTo: 0, message: message).framed, to: connections)
    case .publish(let segments, let connections):
      for segment in segments { publish(segment.frame, to: connections) }
    case .sendSegment(let id, let frame):
      guard let handler = handlers[id] else { return }
      handler.write(ByteBuffer(bytes: frame), reportingTo: self, id)
      needsFlush(handler)
    case .store(let request): store(request)
    case .storeLater(let request, let milliseconds):
      loop.assumeIsolated().scheduleTask(in: .milliseconds(Int64(milliseconds))) { [self] in
        store(request)
        storeWaiting()
      }
    case .read(let request): read(request)
    case .asset(let request):
      assets.perform(request, on: loop) { [self] in handle(.assetDone($0)) }
    case .pause(let id): handlers[id]?.setReading(false)
    case .resume(let id): if drained == nil { handlers[id]?.setReading(true) }
    case .close(let id): handlers.removeValue(forKey: id)?.close()
    case .logRefusal(let refusal): log.add(refusal)
    case .logMaintenance(let event): log.add(event)
    }
  }

  private func store(_ request: StorageRequest) {
    // A long job would keep the broker from stopping. The next broker continues it.
    if drained != nil, case .maintain = request { return }
    waiting.append(request)
  }

  private func read(_ request: ReadRequest) {
    guard case .client(let operation, let context) = request, operation.isQuery else {
      return reading.perform(request, on: loop) { [self] in handle(.read($0)) }
    }
    guard let isWanted = handlers[context.connection]?.presence else { return }
    queries.perform(request, on: loop, isWanted: isWanted) { [self] in handle(.read($0)) }
  }

  /// The frame of a file chunk. Chunks are most of the bytes sent, so they are copied only once.
  private static func frame(of piece: AssetPiece, replyTo: UInt64) -> ByteBuffer {
    let head = piece.frameHead(number: replyTo)
    var frame = ByteBufferAllocator().buffer(capacity: head.count + piece.content.count)
    frame.writeBytes(head)
    frame.writeBytes(piece.content)
    return frame
  }

  private func publish(_ frame: [UInt8], to connections: [ConnectionID]) {
    // One buffer for all connections: NIO shares its storage as long as nothing is appended.
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

  /// Passes the waiting requests to the storage thread at the end of the event loop's turn, so that requests
  /// of the same moment share a transaction.
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

  /// Waits until every request is on disk and answered, then says goodbye on all connections. The future
  /// succeeds when the last connection is closed.
  func drain() -> EventLoopFuture<Void> {
    loop.preconditionInEventLoop()
    let promise = loop.makePromise(of: Void.self)
    drained = promise
    // A peer that continues to send requests would keep this from ending.
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

  /// Passes through the storage thread and the event loop, to show that both are running.
  func isAlive() async -> Bool {
    let promise = loop.makePromise(of: Void.self)
    storage.addProbe { promise.succeed() }
    return (try? await promise.futureResult.get()) != nil
  }
}
