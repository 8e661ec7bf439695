// What a connection asked to be read, while it is read. Each read looks at rights in its own moment; where
// a right is lost between that moment and the answer, the answer would come behind the news that it is
// lost, with what nobody may read any more. So what is under way at a loss is read again.

import Records

/// A read that a connection waits for.
enum PendingRead: Sendable {
  /// Records, and what is said of them.
  case records(ReadRequest)
  /// A piece of a file.
  case piece(AssetFetch)
}

/// A read that was not begun yet.
struct HeldRead: Sendable {
  let number: UInt64
  let read: PendingRead
}

extension Broker {
  /// Has something read that is answered under this number, as soon as the connection takes answers and
  /// few others are under way for it: answers are large, and wait in memory until the peer takes them.
  mutating func ask(_ read: PendingRead, number: UInt64, for connection: ConnectionID) {
    sessions[connection]?.reads[number] = read
    sessions[connection]?.heldReads.append(HeldRead(number: number, read: read))
    beginHeldReads(connection)
  }

  /// The same for records.
  mutating func ask(_ request: ReadRequest, number: UInt64, for connection: ConnectionID) {
    ask(.records(request), number: number, for: connection)
  }

  /// Begins the held reads for which there is room.
  mutating func beginHeldReads(_ connection: ConnectionID) {
    while let session = sessions[connection], let identity = session.identity,
      let held = session.heldReads.first, session.hasRoom(for: held.read),
      answers.begin(connection, of: identity.accountKey)
    {
      sessions[connection]?.heldReads.removeFirst()
      sessions[connection]?.begunReads += 1
      switch held.read {
      case .records(let request):
        if !request.isQuery { sessions[connection]?.readsUnderWay += 1 }
        actions.append(.read(request))
      case .piece(let fetch):
        actions.append(.asset(.read(connection, replyTo: held.number, identity, fetch)))
      }
    }
  }

  /// A read that was begun here has its result.
  /// - Parameter isBounded: whether it counts among `BrokerLimits.readsUnderWay`, as queries and pieces
  ///   do not.
  mutating func endRead(_ connection: ConnectionID, isBounded: Bool = true) {
    sessions[connection]?.begunReads -= 1
    if isBounded { sessions[connection]?.readsUnderWay -= 1 }
    beginHeldReads(connection)
    settleAnswers(of: connection)
  }

  /// Gives the turn of a connection that has no answers to another one of its account, if one waits.
  mutating func settleAnswers(of connection: ConnectionID) {
    goOn(endedTurn(of: connection))
  }

  /// It is this connection's turn; where it needs none any more, it is the next one's.
  mutating func goOn(_ connection: ConnectionID?) {
    var next = connection
    while let connection = next {
      readMissedDirectory(connection)
      beginHeldReads(connection)
      advance(connection)
      next = endedTurn(of: connection)
    }
  }

  private mutating func endedTurn(of connection: ConnectionID) -> ConnectionID? {
    guard let session = sessions[connection], let identity = session.identity, !session.hasAnswers
    else { return nil }
    return answers.end(connection, of: identity.accountKey)
  }

  /// Whether no question of this number is being answered; tells whoever sent another. Of two answers
  /// nobody could tell which was read before a right was lost.
  mutating func isFree(_ number: UInt64, on connection: ConnectionID) -> Bool {
    guard sessions[connection]?.reads[number] != nil else { return true }
    let error = RecordsError(
      .invalidArguments, "A question of the number \(number) is being answered.",
      hint: "Give each message a number of its own.", reason: "numberInUse")
    actions.append(.send(connection, replyTo: number, .error(error)))
    return false
  }

  /// An answer was read. Returns whether it may be sent; where it may not, it is read again.
  mutating func isFresh(_ connection: ConnectionID, number: UInt64) -> Bool {
    guard let pending = sessions[connection]?.reads.removeValue(forKey: number),
      sessions[connection]?.staleReads.remove(number) != nil
    else { return true }
    ask(pending, number: number, for: connection)
    return false
  }

  /// The account of a connection lost a right: what is being read may say what was seen with it.
  mutating func distrustReads(of connection: ConnectionID) {
    guard let session = sessions[connection] else { return }
    sessions[connection]?.staleReads.formUnion(session.reads.keys)
    sessions[connection]?.delivery?.distrustRead()
  }
}

extension Session {
  /// Whether answers are being read for it, or wait until its socket takes them.
  fileprivate var hasAnswers: Bool {
    !isOpen || begunReads > 0 || isCatchingUp || directory.isReading
  }

  /// Whether a read may begin, as far as the connection itself goes. Pieces of files are bounded by their
  /// number, and follow each other without a gap.
  fileprivate func hasRoom(for read: PendingRead) -> Bool {
    switch read {
    case .records(let request):
      isOpen && (request.isQuery || readsUnderWay < BrokerLimits.readsUnderWay)
    case .piece: true
    }
  }
}

extension ReadRequest {
  /// Whether it is a query, which has a thread and a bound of its own.
  fileprivate var isQuery: Bool {
    if case .query = self { true } else { false }
  }
}

extension ClientMessage {
  /// Whether nothing that was read answers it: then any number will do, also 0, under which the broker
  /// reads what it tells by itself.
  var needsNoAnswer: Bool {
    switch self {
    case .acknowledge, .acknowledgeNotifications, .detach, .ping: true
    default: false
    }
  }
}
