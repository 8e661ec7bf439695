// What the broker decides, whole: events in, actions out. It reads no clock, opens no socket and
// writes no disk; a driver (BrokerDaemon, or the simulation) feeds it and does what it says.
// Replies and changes are sent only for what the storage thread has reported as committed.

import Records

/// Something that happened.
package enum BrokerEvent: Sendable {
  /// A socket was opened by a process of this uid.
  case opened(ConnectionID, uid: UInt32)
  /// A message came; `byteCount` is the length of its frame.
  case received(ConnectionID, number: UInt64, ClientMessage, byteCount: Int)
  /// Bytes came that are no frame.
  case receivedMalformed(ConnectionID, RecordsError)
  /// A frame came that breaks a rule; its number could be read.
  case receivedRefused(ConnectionID, number: UInt64, RecordsError)
  /// The socket takes more, or no longer does.
  case openness(ConnectionID, isOpen: Bool)
  /// What was sent with `sendPiece` is in the socket.
  case pieceWasSent(ConnectionID)
  /// The socket is closed.
  case closed(ConnectionID)
  /// The storage thread committed; the results are in the order of the requests.
  case stored([StorageResult])
  /// The reading thread is done.
  case read(ReadResult)
  /// The thread that has the files is done.
  case assetDone(AssetResult)
  /// A second passed; `seconds` counts from any fixed moment.
  case ticked(seconds: Int64)
  /// The administrator trusts others from here on; who is signed in stays.
  case policyChanged(BrokerPolicy)
}

/// Something to do.
package enum BrokerAction: Sendable {
  /// Send a message.
  case send(ConnectionID, replyTo: UInt64, BrokerMessage)
  /// Send one message, under the number 0, to several connections.
  case tell([ConnectionID], BrokerMessage)
  /// Send pieces of a feed to everybody listed.
  case publish([FeedSegment], to: [ConnectionID])
  /// Send one frame and report `pieceWasSent` once the socket has taken it.
  case sendPiece(ConnectionID, frame: [UInt8])
  /// Hand a request to the storage thread.
  case store(StorageRequest)
  /// Hand a request to the reading thread.
  case read(ReadRequest)
  /// Hand a request to the thread that has the files.
  case asset(AssetRequest)
  /// Read no further from the socket.
  case pause(ConnectionID)
  /// Read on.
  case resume(ConnectionID)
  /// Close the socket once what was sent is in it.
  case close(ConnectionID)
  /// Tell the journal that somebody was refused.
  case logRefusal(Refusal)
}

/// Who is trusted with what.
package struct BrokerPolicy: Hashable, Sendable {
  /// The uids that may name any account in their hello.
  package let maySpeakFor: Set<UInt32>
  /// Whether an unknown uid gets an account of its own.
  package let accountsAreOpen: Bool
  /// The uids that may give orders.
  package let administrators: Set<UInt32>

  /// A policy.
  package init(
    maySpeakFor: Set<UInt32>, accountsAreOpen: Bool, administrators: Set<UInt32> = []
  ) {
    self.maySpeakFor = maySpeakFor
    self.accountsAreOpen = accountsAreOpen
    self.administrators = administrators
  }
}

/// The broker's decisions.
package struct Broker: Sendable {
  /// Encodes a stretch of a zone's feed into a frame.
  package typealias Encode = @Sendable (ZoneChanges) -> [UInt8]
  /// Digests a device's key, or the secret of a link.
  package typealias Digest = @Sendable ([UInt8]) -> [UInt8]

  struct FeedKey: Hashable, Sendable {
    let container: StoreKey
    let zone: ZoneID
  }

  struct DirectoryKey: Hashable, Sendable {
    let container: StoreKey
    let account: StoreKey
  }

  /// Whom the administrator trusts.
  package private(set) var policy: BrokerPolicy
  /// The connections that one account may have: a user who speaks for many is not bounded otherwise.
  let connectionsPerAccount: Int
  /// How stretches of the feed become frames, for live pieces and for pages alike.
  package let encode: Encode
  let digest: Digest
  let quotas: QuotaPolicy
  var uploads: [UploadID: Upload] = [:]
  var losses = LostAssets()
  var sessions: [ConnectionID: Session] = [:]
  var deviceConnections = DeviceConnections()
  var feeds: [FeedKey: ZoneFeed] = [:]
  /// How often anybody began to follow a zone.
  var attachments = 0
  var readers: [DirectoryKey: Set<ConnectionID>] = [:]
  /// Who follows the notifications of which device.
  var listeners: [StoreKey: Set<ConnectionID>] = [:]
  var sweeping = Sweeping()
  var cascades = CascadeReaping()
  var errands = Errands()
  var guesses = LinkGuesses()
  var leaving = Leaving()
  var seconds: Int64 = 0
  var queue = StorageQueue()
  var answers = AnswerTurns()
  var tailsBytes = 0
  var actions: [BrokerAction] = []

  /// A broker without connections.
  package init(
    policy: BrokerPolicy, quotas: QuotaPolicy = QuotaPolicy(), connectionsPerAccount: Int = .max,
    encode: @escaping Encode, digest: @escaping Digest
  ) {
    self.connectionsPerAccount = connectionsPerAccount
    self.policy = policy
    self.quotas = quotas
    self.encode = encode
    self.digest = digest
  }

  /// How many connections there are.
  package var connectionCount: Int { sessions.count }

  /// Takes in what happened and says what to do, in order.
  package mutating func handle(_ event: BrokerEvent) -> [BrokerAction] {
    switch event {
    case .opened(let connection, let uid):
      sessions[connection] = Session(uid: uid, openedSeconds: seconds)
    case .received(let connection, let number, let message, let byteCount):
      received(message, number: number, byteCount: byteCount, from: connection)
    case .receivedMalformed(let connection, let error): end(connection, because: error)
    case .receivedRefused(let connection, let number, let error):
      refused(number: number, because: error, from: connection)
    case .openness(let connection, let isOpen): opennessChanged(of: connection, to: isOpen)
    case .pieceWasSent(let connection):
      sessions[connection]?.isCatchingUp = false
      catchUp(connection)
    case .closed(let connection): forget(connection)
    case .stored(let results): stored(results)
    case .read(let result): read(result)
    case .assetDone(let result): assetDone(result)
    case .ticked(let now): ticked(now)
    case .policyChanged(let policy): self.policy = policy
    }
    defer { actions = [] }
    return actions
  }

  // MARK: Ending

  /// Says goodbye and closes; the session is forgotten at once.
  mutating func end(_ connection: ConnectionID, because error: RecordsError) {
    guard let session = sessions[connection] else { return }
    actions.append(
      .logRefusal(
        Refusal(uid: session.uid, account: session.identity?.account, error: error)))
    actions.append(.send(connection, replyTo: 0, .goodbye(error)))
    actions.append(.close(connection))
    forget(connection)
  }

  private mutating func forget(_ connection: ConnectionID) {
    unfollowNotifications(connection)
    guard let session = sessions.removeValue(forKey: connection) else { return }
    closeUploads(of: session)
    losses.forget(connection)
    guard let identity = session.identity else { return }
    deviceConnections.remove(connection, identity)
    for zone in session.zones {
      unfollow(FeedKey(container: identity.container, zone: zone), connection)
    }
    let key = DirectoryKey(container: identity.container, account: identity.accountKey)
    readers[key]?.remove(connection)
    if readers[key]?.isEmpty == true { readers[key] = nil }
    goOn(answers.forget(connection, of: identity.accountKey))
  }

  private mutating func ticked(_ now: Int64) {
    seconds = now
    for (connection, session) in sessions {
      let isWaitedFor = session.identity.map { answers.isWaited(for: $0.accountKey) } ?? false
      if let error = session.overdue(atSeconds: now, isWaitedFor: isWaitedFor) {
        end(connection, because: error)
      }
      // One that could not be read is tried again.
      if session.directory.hasMissed { readMissedDirectory(connection) }
    }
    sweepNotifications()
    removeLeft()
    reapCascades()
    runErrands()
    tellLosses()
    guesses.forget(atSeconds: now)
  }
}
