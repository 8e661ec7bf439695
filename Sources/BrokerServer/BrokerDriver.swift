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
package final class BrokerDriver: @unchecked Sendable {
  /// The event loop on which everything happens.
  package let loop: any EventLoop
  private var broker: Broker
  private let threads: BrokerThreads
  private let log: PeerLog

  private var connections: Connections
  private var waiting: [StorageRequest] = []
  private var isHandingOver = false
  private var requestsUnderWay = 0
  private var pendingActions: [BrokerAction] = []
  private var isActing = false
  private var drained: EventLoopPromise<Void>?

  /// The open connections, and what they hold.
  private struct Connections {
    var handlers: [ConnectionID: ConnectionHandler] = [:]
    /// The number of the connection that was opened last.
    var last = 0
    var counts: ConnectionCounts
    /// The bytes of frames that have not arrived completely.
    var unfinished = UnfinishedFrames()
    /// The handlers that have written something since the last flush.
    var unflushed: [ConnectionHandler] = []
  }

  init(
    loop: any EventLoop, counts: ConnectionCounts, broker: Broker, threads: BrokerThreads,
    log: PeerLog
  ) {
    self.loop = loop
    self.broker = broker
    self.threads = threads
    self.log = log
    connections = Connections(counts: counts)
  }

  // MARK: Events

  /// Counts a new connection until it is `gone`. Returns an error if it has to be closed.
  func admit(_ peer: Peer) -> RecordsError? {
    connections.counts.open(
      peer, isTrusted: broker.configuration.policy.maySpeakForOthers(peer))
  }

  /// The socket of a connection that was counted is closed.
  func gone(_ peer: Peer) { connections.counts.close(peer) }

  /// A remote peer's TLS handshake failed. Its connection closes.
  package func handshakeFailed(_ failure: HandshakeFailure, of peer: Peer) {
    log.add(failure, of: peer)
  }

  func opened(_ handler: ConnectionHandler, by peer: Peer) -> ConnectionID {
    connections.last += 1
    let id = ConnectionID(connections.last)
    connections.handlers[id] = handler
    handle(.opened(id, peer))
    return id
  }

  /// Notes how many bytes of an incomplete frame a connection holds. Ends connections that hold some, until all
  /// together are within the limits.
  func holds(_ byteCount: Int, _ id: ConnectionID, of peer: Peer, isGreeting: Bool) {
    connections.unfinished.update(id, of: peer, byteCount: byteCount, isGreeting: isGreeting)
    while let excess = connections.unfinished.excess(after: id) {
      guard let handler = connections.handlers[excess] else { return }
      handler.endUnfinished()
    }
  }

  func closed(_ id: ConnectionID) {
    connections.handlers[id] = nil
    handle(.closed(id))
  }

  /// Passes an event to the broker, and carries out its actions. Call it on the event loop.
  package func handle(_ event: BrokerEvent) {
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
  package var status: BrokerStatus {
    loop.preconditionInEventLoop()
    return broker.status
  }

  // MARK: Actions

  private func perform(_ action: BrokerAction) {
    switch action {
    case .send(let id, let replyTo, .assetPiece(let piece)):
      write(Self.frame(of: piece, replyTo: replyTo), to: id)
    case .send(let id, let replyTo, let message):
      if case .welcome = message { connections.handlers[id]?.acceptLargeFrames() }
      write(ByteBuffer(bytes: BrokerFrame(replyTo: replyTo, message: message).framed), to: id)
    case .broadcast(let message, let connections):
      publish(BrokerFrame(replyTo: 0, message: message).framed, to: connections)
    case .publish(let segments, let connections):
      for segment in segments { publish(segment.frame, to: connections) }
    case .sendSegment(let id, let frame):
      guard let handler = connections.handlers[id] else { return }
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
      threads.assets.perform(request, on: loop) { [self] in handle(.assetDone($0)) }
    case .watch(let zones): threads.storage.watch(zones)
    case .pause(let id): connections.handlers[id]?.setReading(false)
    case .resume(let id): if drained == nil { connections.handlers[id]?.setReading(true) }
    case .close(let id): connections.handlers.removeValue(forKey: id)?.close()
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
      return threads.reading.perform(request, on: loop) { [self] in handle(.read($0)) }
    }
    guard let isWanted = connections.handlers[context.connection]?.presence else { return }
    threads.queries.perform(request, on: loop, isWanted: isWanted) { [self] in handle(.read($0)) }
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
    guard let handler = connections.handlers[id] else { return }
    handler.write(buffer)
    needsFlush(handler)
  }

  private func needsFlush(_ handler: ConnectionHandler) {
    guard !handler.needsFlush else { return }
    handler.needsFlush = true
    connections.unflushed.append(handler)
  }

  private func flush() {
    let handlers = connections.unflushed
    connections.unflushed.removeAll(keepingCapacity: true)
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
      threads.storage.add(batch, report: report)
    }
  }

  /// Publishes what other brokers on the database have committed, when the storage thread has looked for it.
  func follow() {
    loop.preconditionInEventLoop()
    threads.storage.follow(report: report)
  }

  private var report: StorageThread.Report {
    { [self] results in loop.execute { [self] in stored(results) } }
  }

  private func stored(_ results: [StorageResult]) {
    requestsUnderWay -= results.count(where: \.isAnswer)
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
    for handler in connections.handlers.values { handler.setReading(false) }
    if isAtRest { promise.succeed() }
    return promise.futureResult.assumeIsolated().flatMap { [self] in sayGoodbye() }.nonisolated()
  }

  private func sayGoodbye() -> EventLoopFuture<Void> {
    let goodbye = BrokerMessage.goodbye(
      RecordsError(
        .serviceUnavailable, "The broker is stopping.", hint: "Connect again.",
        retryAfterSeconds: 0))
    let frame = ByteBuffer(bytes: BrokerFrame(replyTo: 0, message: goodbye).framed)
    let closings = connections.handlers.values.compactMap { handler in
      handler.write(frame)
      return handler.close()
    }
    connections.handlers = [:]
    log.endSecond()
    return EventLoopFuture.andAllComplete(closings, on: loop)
  }

  /// Passes through the storage thread and the event loop, to show that both are running.
  package func isAlive() async -> Bool {
    let promise = loop.makePromise(of: Void.self)
    threads.storage.addProbe { promise.succeed() }
    return (try? await promise.futureResult.get()) != nil
  }
}
