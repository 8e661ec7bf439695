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

extension Broker {
  /// Has something read that is answered under this number, as soon as the connection takes answers and
  /// few others are under way for it: answers are large, and wait in memory until the peer takes them.
  mutating func ask(_ request: ReadRequest, number: UInt64, for connection: ConnectionID) {
    sessions[connection]?.reads[number] = .records(request)
    sessions[connection]?.heldReads.append(request)
    beginHeldReads(connection)
  }

  /// Begins the held reads for which there is room.
  mutating func beginHeldReads(_ connection: ConnectionID) {
    while let session = sessions[connection], session.isOpen, let request = session.heldReads.first
    {
      if !request.isQuery {
        guard session.readsUnderWay < BrokerLimits.readsUnderWay else { return }
        sessions[connection]?.readsUnderWay += 1
      }
      sessions[connection]?.heldReads.removeFirst()
      actions.append(.read(request))
    }
  }

  /// A read that was begun here, and is no query, has its result.
  mutating func endRead(_ connection: ConnectionID) {
    sessions[connection]?.readsUnderWay -= 1
    beginHeldReads(connection)
  }

  /// Has a piece of a file read that is answered under this number.
  mutating func ask(_ fetch: AssetFetch, number: UInt64, for connection: ConnectionID) {
    guard let identity = sessions[connection]?.identity else { return }
    sessions[connection]?.reads[number] = .piece(fetch)
    actions.append(.asset(.read(connection, replyTo: number, identity, fetch)))
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
    switch pending {
    case .records(let request): ask(request, number: number, for: connection)
    case .piece(let fetch): ask(fetch, number: number, for: connection)
    }
    return false
  }

  /// The account of a connection lost a right: what is being read may say what was seen with it.
  mutating func distrustReads(of connection: ConnectionID) {
    guard let session = sessions[connection] else { return }
    sessions[connection]?.staleReads.formUnion(session.reads.keys)
    sessions[connection]?.delivery?.distrustRead()
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
