// The broker as a state machine: events in, actions out. It reads no clock, opens no socket and writes no
// disk. A driver (BrokerDaemon, or the simulation) passes it events and carries out its actions in order.
// Answers and changes are sent only for what the storage thread has reported as committed.

import Records

/// An event that the driver reports to the broker.
package enum BrokerEvent: Sendable {
  /// A peer opened a connection.
  case opened(ConnectionID, Peer)
  /// A message arrived in a frame of `byteCount` bytes.
  case received(ConnectionID, number: UInt64, ClientMessage, byteCount: Int)
  /// Bytes arrived that are not a frame.
  case receivedMalformed(ConnectionID, RecordsError)
  /// A frame arrived that has a number but not a valid message.
  case receivedInvalid(ConnectionID, number: UInt64, RecordsError)
  /// The socket accepts more bytes, or no longer does.
  case writabilityChanged(ConnectionID, isWritable: Bool)
  /// The socket has accepted the frame of a `sendSegment`.
  case segmentWasWritten(ConnectionID)
  /// The socket is closed.
  case closed(ConnectionID)
  /// The storage thread committed. The results are in the order of the requests.
  case stored([StorageResult])
  case read(ReadResult)
  case assetDone(AssetResult)
  /// A second has passed. `seconds` counts from any fixed moment.
  case ticked(seconds: Int64)
  /// The operator changed the policy. Sessions that are signed in continue.
  case policyChanged(BrokerPolicy)
}

/// An action that the driver must carry out.
package enum BrokerAction: Sendable {
  /// Send a message to a connection.
  case send(ConnectionID, replyTo: UInt64, BrokerMessage)
  /// Send a message with the number 0 to several connections.
  case broadcast(BrokerMessage, to: [ConnectionID])
  /// Send segments of a feed to several connections.
  case publish([FeedSegment], to: [ConnectionID])
  /// Send a frame and report `segmentWasWritten` when the socket has accepted it.
  case sendSegment(ConnectionID, frame: [UInt8])
  /// Pass a request to the storage thread.
  case store(StorageRequest)
  /// Pass a request to the storage thread after a pause.
  case storeLater(StorageRequest, milliseconds: Int)
  /// Pass a request to a reading thread.
  case read(ReadRequest)
  /// Pass a request to the asset thread.
  case asset(AssetRequest)
  /// Read the changes that other brokers make in these zones (`true`), or leave them unread (`false`).
  case watch([StoreKey: Bool])
  /// Stop reading from the socket.
  case pause(ConnectionID)
  /// Read from the socket again.
  case resume(ConnectionID)
  /// Close the socket after it has accepted all earlier frames.
  case close(ConnectionID)
  case logRefusal(Refusal)
  case logMaintenance(MaintenanceEvent)
}

/// The broker's state and decisions.
package struct Broker: Sendable {
  /// The settings. Only the policy changes while the broker runs.
  package internal(set) var configuration: BrokerConfiguration
  var sessions: [ConnectionID: ClientSession] = [:]
  var accounts = AccountConnections()
  var feeds = FeedTable()
  var notifications = NotificationDeliveries()
  var assets = AssetTraffic()
  var limits: PeerLimits
  /// The bytes that wait for the storage and asset threads.
  var queue = StorageQueue()
  /// The limit on connections that have answers.
  var answers = AnswerTurns()
  var maintenance = Maintenance()
  /// The time of the last tick.
  var seconds: Int64 = 0
  /// The actions of the event that is being handled.
  var actions: [BrokerAction] = []

  /// Creates a broker without connections.
  package init(_ configuration: BrokerConfiguration) {
    self.configuration = configuration
    limits = PeerLimits(configuration)
  }

  /// Handles an event. Returns the actions that the driver must carry out, in order.
  package mutating func handle(_ event: BrokerEvent) -> [BrokerAction] {
    switch event {
    case .opened(let connection, let peer): opened(connection, by: peer)
    case .received(let connection, let number, let message, let byteCount):
      received(message, number: number, byteCount: byteCount, from: connection)
    case .receivedMalformed(let connection, let error): end(connection, because: error)
    case .receivedInvalid(let connection, let number, let error):
      receivedInvalid(number: number, error, from: connection)
    case .writabilityChanged(let connection, let isWritable):
      writabilityChanged(of: connection, to: isWritable)
    case .segmentWasWritten(let connection): segmentWasWritten(connection)
    case .closed(let connection): remove(connection)
    case .stored(let results): stored(results)
    case .read(let result): read(result)
    case .assetDone(let result): assetDone(result)
    case .ticked(let now): ticked(now)
    case .policyChanged(let policy): configuration.policy = policy
    }
    if let zones = feeds.takeInterest(), configuration.sharesDatabase {
      actions.append(.watch(zones))
    }
    defer { actions = [] }
    return actions
  }

  /// Sends the answer to a request, if its connection still exists.
  mutating func reply(_ message: BrokerMessage, to context: RequestContext) {
    guard sessions[context.connection] != nil else { return }
    actions.append(.send(context.connection, replyTo: context.replyTo, message))
  }

  private mutating func opened(_ connection: ConnectionID, by peer: Peer) {
    sessions[connection] = ClientSession(peer: peer, openedSeconds: seconds)
    guard case .remote(let network) = peer else { return }
    guard let excess = limits.strangers.add(connection, from: network) else { return }
    end(excess, because: .tooManyStrangers)
  }

  // MARK: Ending

  /// Sends the reason and closes the connection. Its session is removed at once.
  mutating func end(_ connection: ConnectionID, because error: RecordsError) {
    guard let session = sessions[connection] else { return }
    actions.append(
      .logRefusal(
        Refusal(peer: session.peer, account: session.identity?.account, error: error)))
    actions.append(.send(connection, replyTo: 0, .goodbye(error)))
    actions.append(.close(connection))
    remove(connection)
  }

  private mutating func remove(_ connection: ConnectionID) {
    notifications.remove(connection)
    guard let session = sessions.removeValue(forKey: connection) else { return }
    limits.strangers.remove(connection)
    for upload in assets.remove(connection, uploads: session.assets.uploads) {
      actions.append(.asset(.close(upload)))
    }
    guard let identity = session.identity else { return }
    accounts.remove(connection, identity)
    for zone in session.feeds.zones {
      feeds.unsubscribe(connection, from: FeedKey(container: identity.container, zone: zone))
    }
    takeTurn(answers.forget(connection, of: identity.accountKey))
  }

  private mutating func ticked(_ now: Int64) {
    seconds = now
    for (connection, session) in sessions {
      let isAwaited = session.identity.map { answers.hasWaiting(of: $0.accountKey) } ?? false
      if let error = session.timeout(atSeconds: now, isAwaited: isAwaited) {
        end(connection, because: error)
      }
      // Tries again if the directory could not be read.
      if session.directory.hasMissed { readMissedDirectory(connection) }
    }
    runMaintenance()
    announceLosses()
    limits.forget(atSeconds: now)
  }
}
