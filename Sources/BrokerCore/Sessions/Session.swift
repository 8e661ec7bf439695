// One connection, from the socket's opening to its end. It holds no changes: where it stands in
// each zone is kept by the zones' feeds, and what is under way is counted, so a session's memory
// does not depend on how fast its peer reads.

import Records

/// What the broker knows of one connection.
struct Session: Sendable {
  /// How far the conversation has come.
  enum State: Hashable, Sendable {
    /// The greeting has not come yet.
    case greeting
    /// The greeting is with the storage thread.
    case signingIn
    /// Signed in.
    case ready(SessionIdentity)
  }

  /// A checkpoint that waits for zones to come up to a revision.
  struct Checkpoint: Sendable {
    let replyTo: UInt64
    var missing: [ZoneID: Revision]
  }

  let uid: UInt32
  let openedSeconds: Int64
  var state = State.greeting
  /// The correlation number of the greeting, for its answer.
  var helloNumber: UInt64 = 0
  /// Which run of a program it belongs to, as its greeting said.
  var invocation: UInt64?
  /// Whether the socket takes more.
  var isOpen = true
  /// Since when it has not.
  var closedSeconds: Int64 = 0
  var heardSeconds: Int64
  /// The zones it follows.
  var zones: Set<ZoneID> = []
  /// The zones in which it is behind, in the order in which they get their turn.
  var behind: [ZoneID] = []
  /// Whether a page is being read for it, or a piece is on its way into the socket.
  var isCatchingUp = false
  /// Requests that wait for the storage or the reading thread.
  var requestsInFlight = 0
  /// Whether its socket is not read.
  var isPaused = false
  var checkpoints: [Checkpoint] = []
  /// The files it is sending, at most `Limits.assetUploadsPerSession`.
  var uploads: Set<UploadID> = []
  /// The pieces of files it asked for and has not been sent.
  var assetFetches = 0
  /// Whether lost files are being looked up for it.
  var isAskingForLosses = false
  /// Attaches that wait for the storage thread, and checkpoints that wait for those.
  var attachesUnderWay = 0
  /// What is being read for it, by the number of the question.
  var reads: [UInt64: PendingRead] = [:]
  /// Those of them that began before a right was lost.
  var staleReads: Set<UInt64> = []
  /// Those that are held until they may begin, in their order.
  var heldReads: [HeldRead] = []
  /// Those that were begun and have no result, and how many of them are neither queries nor pieces of
  /// files.
  var begunReads = 0
  var readsUnderWay = 0
  /// What it was not sent of its directory.
  var directory = DirectoryPush()
  /// The queries it waits for.
  var queriesInFlight = 0
  /// Where it stands in its device's notifications, if it follows them.
  var delivery: Delivery?
  /// The last notification it acknowledged since it began to follow them.
  var acknowledgedNotification: NotificationNumber?
  var heldCheckpoints: [UInt64] = []

  init(uid: UInt32, openedSeconds: Int64) {
    self.uid = uid
    self.openedSeconds = openedSeconds
    heardSeconds = openedSeconds
  }

  var identity: SessionIdentity? {
    guard case .ready(let identity) = state else { return nil }
    return identity
  }

  /// Why the session must end now, if it must.
  /// - Parameter isWaitedFor: whether others of its account wait for it to take its answers.
  func overdue(atSeconds now: Int64, isWaitedFor: Bool) -> RecordsError? {
    if state == .greeting, now - openedSeconds > BrokerLimits.greetingSeconds {
      return RecordsError(
        .notAuthenticated,
        "No hello came within \(BrokerLimits.greetingSeconds) seconds of connecting.")
    }
    let patience =
      isWaitedFor ? BrokerLimits.stalledSecondsIfWaitedFor : BrokerLimits.stalledSeconds
    if !isOpen, now - closedSeconds > patience {
      return RecordsError(
        .serviceUnavailable, "The connection took nothing for \(patience) seconds.",
        hint: "Connect again; nothing is lost.", retryAfterSeconds: 1)
    }
    if now - heardSeconds > BrokerLimits.silenceSeconds {
      return RecordsError(
        .serviceUnavailable, "Nothing was heard for \(BrokerLimits.silenceSeconds) seconds.",
        hint: "Connect again; send pings.", retryAfterSeconds: 1)
    }
    return nil
  }
}
