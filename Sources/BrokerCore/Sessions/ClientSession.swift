// The state of one connection, from the opening of its socket to its close. It has no queue of changes: the
// feeds know each subscriber's position, and requests under way are only counted. Its size therefore does not
// depend on how fast the peer reads.

import Records

/// The state of one connection. Its size does not depend on how fast the peer reads.
struct ClientSession: Sendable {
  /// The progress of the sign-in.
  enum Phase: Hashable, Sendable {
    case greeting(sinceSeconds: Int64)
    /// The storage thread has the greeting.
    case signingIn(Greeting)
    case ready(SessionIdentity)
  }

  /// The values of the greeting that the welcome needs.
  struct Greeting: Hashable, Sendable {
    let replyTo: UInt64
    /// The run of the program that the connection belongs to, if the greeting names one.
    let invocation: UInt64?
  }

  /// Whether the socket accepts more bytes.
  enum Socket: Hashable, Sendable {
    case writable
    case full(sinceSeconds: Int64)

    var isWritable: Bool { self == .writable }
  }

  /// The other end of the connection.
  let peer: Peer
  var phase: Phase
  var socket = Socket.writable
  var lastHeardSeconds: Int64
  var requests = RequestWindow()
  var reads = SessionReads()
  var feeds = SessionFeeds()
  var assets = SessionAssets()
  var directory = DirectoryPush()

  init(peer: Peer, openedSeconds: Int64) {
    self.peer = peer
    phase = .greeting(sinceSeconds: openedSeconds)
    lastHeardSeconds = openedSeconds
  }

  /// The device and account; `nil` until the device is signed in.
  var identity: SessionIdentity? {
    guard case .ready(let identity) = phase else { return nil }
    return identity
  }

  /// Whether answers for the connection are being read, or wait for its socket.
  var hasAnswers: Bool {
    !socket.isWritable || reads.hasBegun || feeds.isCatchingUp || directory.isReading
  }

  /// The error that ends the session now, if it has waited too long for its peer.
  /// - Parameter isAwaited: whether other connections of its account wait for it to accept its answers.
  func timeout(atSeconds now: Int64, isAwaited: Bool) -> RecordsError? {
    if case .greeting(let since) = phase, now - since > BrokerLimits.greetingSeconds {
      return RecordsError(
        .notAuthenticated,
        "The client sent no hello within \(BrokerLimits.greetingSeconds) seconds.")
    }
    let limit =
      isAwaited ? BrokerLimits.stalledSecondsUnderContention : BrokerLimits.stalledSeconds
    if case .full(let since) = socket, now - since > limit {
      return RecordsError(
        .serviceUnavailable, "The client accepted no data for \(limit) seconds.",
        hint: "Connect again; nothing is lost.", retryAfterSeconds: 1)
    }
    if now - lastHeardSeconds > BrokerLimits.silenceSeconds {
      return RecordsError(
        .serviceUnavailable, "The client sent nothing for \(BrokerLimits.silenceSeconds) seconds.",
        hint: "Connect again, and send pings while idle.", retryAfterSeconds: 1)
    }
    return nil
  }
}

/// The requests of a connection that are under way, and whether its socket is read.
struct RequestWindow: Sendable {
  /// What to do with the connection's socket.
  enum Change: Hashable, Sendable {
    case pause, resume
  }

  private var count = 0
  private var isPaused = false

  mutating func begin() { count += 1 }

  mutating func end() { count -= 1 }

  /// Decides whether the broker reads the connection's socket. It stops when too many requests are under way,
  /// until half of them are done, and while the socket is not writable, because answers would accumulate.
  /// - Returns: the change; `nil` if there is none.
  mutating func update(isWritable: Bool) -> Change? {
    let limit = isPaused ? Limits.requestsInFlight / 2 + 1 : Limits.requestsInFlight
    let mustPause = !isWritable || count >= limit
    guard mustPause != isPaused else { return nil }
    isPaused = mustPause
    return mustPause ? .pause : .resume
  }
}

/// The files of a connection that are being transferred.
struct SessionAssets: Sendable {
  /// The files it uploads, at most `Limits.assetUploadsPerSession`.
  var uploads: Set<UploadID> = []
  /// The file chunks it asked for and has not been sent, at most `Limits.assetFetchesInFlight`.
  var fetches = 0
  /// Whether lost files are being looked up for it.
  var isLookingUpLosses = false
}
