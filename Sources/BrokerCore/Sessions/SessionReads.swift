// The reads that a connection waits for. Each read checks permissions when it runs. If the account loses a
// permission before the answer is sent, the answer could contain what the account may no longer read, so
// the read is repeated.

import DequeModule
import Records

/// A read for a client.
enum ClientRead: Sendable {
  case records(ReadOperation)
  /// A chunk of a file.
  case asset(AssetFetch)
}

/// The reads of one connection.
struct SessionReads: Sendable {
  /// A read that has not begun.
  struct Held: Sendable {
    let read: ClientRead
    let context: RequestContext
  }

  /// The reads without an answer, by request number.
  private var pending: [UInt64: Held] = [:]
  /// The numbers of pending reads that began before the account lost a permission.
  private var stale: Set<UInt64> = []
  /// The pending reads that have not begun, in their order.
  private var held: Deque<Held> = []
  /// The number of reads that have begun and have no result. `limited` counts those that are limited by
  /// `BrokerLimits.readsUnderWay`: all except queries and file chunks.
  private var begun = 0
  private var limited = 0
  private(set) var queries = 0

  var hasBegun: Bool { begun > 0 }

  /// Whether the request with this number is still being answered.
  func isAnswering(_ number: UInt64) -> Bool { pending[number] != nil }

  /// Adds a read, which begins when `next` returns it.
  mutating func add(_ read: ClientRead, _ context: RequestContext) {
    let added = Held(read: read, context: context)
    if read.isQuery { queries += 1 }
    pending[context.replyTo] = added
    held.append(added)
  }

  /// Returns the next read if the connection's own limits allow it. Call `begin` to begin it.
  func next(isWritable: Bool) -> Held? {
    guard let next = held.first else { return nil }
    if next.read.isAsset { return next }
    return isWritable && (next.read.isQuery || limited < BrokerLimits.readsUnderWay) ? next : nil
  }

  /// Begins the read that `next` returned.
  mutating func begin() {
    let next = held.removeFirst()
    begun += 1
    if next.read.isLimited { limited += 1 }
  }

  /// Ends a read that has its result.
  /// - Returns: the read, if it must be repeated.
  mutating func end(_ read: ClientRead, number: UInt64) -> Held? {
    begun -= 1
    if read.isLimited { limited -= 1 }
    let ended = pending.removeValue(forKey: number)
    if read.isQuery { queries -= 1 }
    return stale.remove(number) == nil ? nil : ended
  }

  /// The account lost a permission. Every read without an answer must be repeated.
  mutating func invalidate() { stale.formUnion(pending.keys) }
}

extension ClientRead {
  fileprivate var isAsset: Bool {
    if case .asset = self { true } else { false }
  }

  fileprivate var isQuery: Bool {
    if case .records(let operation) = self { operation.isQuery } else { false }
  }

  fileprivate var isLimited: Bool { !isAsset && !isQuery }
}

extension Broker {
  /// Adds a read. It begins when the socket is writable and few reads of the connection are in progress,
  /// because answers are large and wait in memory until the peer reads them.
  mutating func ask(_ read: ClientRead, _ context: RequestContext) {
    sessions[context.connection]?.reads.add(read, context)
    beginReads(of: context.connection)
  }

  /// Counts a request of a client, and adds its read.
  mutating func read(_ operation: ReadOperation, _ context: RequestContext) {
    began(context.connection)
    ask(.records(operation), context)
  }

  /// Begins the reads of a connection for which there is room.
  mutating func beginReads(of connection: ConnectionID) {
    while let session = sessions[connection], let identity = session.identity,
      let next = session.reads.next(isWritable: session.socket.isWritable),
      answers.begin(connection, of: identity.accountKey)
    {
      sessions[connection]?.reads.begin()
      switch next.read {
      case .records(let operation): actions.append(.read(.client(operation, next.context)))
      case .asset(let fetch): actions.append(.asset(.read(fetch, next.context)))
      }
    }
  }

  /// Ends a read that has its result.
  /// - Returns: whether the answer may be sent. If not, the read is repeated.
  mutating func ended(_ read: ClientRead, _ context: RequestContext) -> Bool {
    let connection = context.connection
    let repeated = sessions[connection]?.reads.end(read, number: context.replyTo)
    beginReads(of: connection)
    settleAnswers(of: connection)
    guard let repeated else { return true }
    ask(repeated.read, repeated.context)
    return false
  }

  /// Gives the turn of a connection that has no answers to another one of its account, if one waits.
  mutating func settleAnswers(of connection: ConnectionID) {
    takeTurn(endedTurn(of: connection))
  }

  /// Continues with the connection whose turn it is now. If that needs no turn, the next one gets it.
  mutating func takeTurn(_ connection: ConnectionID?) {
    var next = connection
    while let connection = next {
      readMissedDirectory(connection)
      beginReads(of: connection)
      advance(connection)
      next = endedTurn(of: connection)
    }
  }

  private mutating func endedTurn(of connection: ConnectionID) -> ConnectionID? {
    guard let session = sessions[connection], let identity = session.identity, !session.hasAnswers
    else { return nil }
    return answers.end(connection, of: identity.accountKey)
  }

  /// Returns whether `number` is free. If a request with this number is still being answered, sends the
  /// client an error: of two answers with one number, the broker could not tell which one it must repeat.
  mutating func isFree(_ number: UInt64, on connection: ConnectionID) -> Bool {
    guard sessions[connection]?.reads.isAnswering(number) == true else { return true }
    let error = RecordsError(
      .invalidArguments,
      "The message number \(number) is in use by a request without an answer yet.",
      hint: "Use each message number once.", reason: "numberInUse")
    actions.append(.send(connection, replyTo: number, .error(error)))
    return false
  }

  /// The account of a connection lost a permission. All reads in progress are repeated before they are
  /// answered.
  mutating func invalidateReads(of connection: ConnectionID) {
    sessions[connection]?.reads.invalidate()
    notifications.invalidateRead(of: connection)
  }
}
