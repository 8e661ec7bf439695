// A device's side of the conversation with its broker: when to connect, what to say first, what
// each answer means, when to send what. It holds no record and no clock; what it decides is a list
// of steps (SyncStep), and whoever does them in order is in step with the broker. It is a value:
// the replica works on a copy and keeps it only when the transaction that goes with it is kept.

import Records

/// The state of a device's conversation with its broker.
package struct SyncMachine: Sendable {
  /// What a device says of itself.
  package struct Identity: Hashable, Sendable {
    /// The application's namespace.
    package var container: String
    /// The account to ask for, or the one the device belongs to.
    package var accountName: String?
    /// The device's name.
    package var deviceName: String
    /// The device's key.
    package var key: [UInt8]
    /// The account, once known.
    package var account: AccountID?
    /// The device's id, once known.
    package var device: DeviceID?
    /// A number that the program drew when it started; `nil` says none.
    package let invocation: UInt64?

    /// An identity.
    package init(
      container: String, accountName: String?, deviceName: String, key: [UInt8],
      account: AccountID?, device: DeviceID?, invocation: UInt64? = nil
    ) {
      self.container = container
      self.accountName = accountName
      self.deviceName = deviceName
      self.key = key
      self.account = account
      self.device = device
      self.invocation = invocation
    }
  }

  /// How the present connection stands.
  enum Connection: Hashable, Sendable {
    case none
    case opening
    case greeting(id: UInt64)
    case ready
  }

  /// The requests that may be under way at once. More would not make a round trip shorter; fewer
  /// would leave the broker's group commit half empty.
  package static let windowRequests = 4
  /// How long a greeting may take.
  static let greetingMilliseconds = 10_000
  /// How often in a heartbeat the broker's silence is looked at.
  static let roundsPerHeartbeat = 4
  /// The rounds without a message after which the connection ends. The broker was heard at some
  /// moment of the round before them, so it ends when nothing came for three quarters to the whole
  /// of a heartbeat.
  static let silentRoundsMaximum = 3
  /// The slowest network, in bytes per second, on which a request arrives before the broker counts as silent.
  static let slowestBytesPerSecond = 16 << 10

  /// Who the device is.
  package internal(set) var identity: Identity
  /// How the device stands to its broker.
  package internal(set) var phase: Phase = .offline
  /// The last number given to a request.
  package internal(set) var lastNumber: RequestNumber
  /// Outcomes up to here are stored.
  package internal(set) var acknowledged: RequestNumber
  /// The directory's revision.
  package internal(set) var directory: Revision
  /// The zones that are followed.
  package internal(set) var zones: [ZoneID: FollowedZone]
  /// Zones deleted here, which the directory has not confirmed yet.
  var abandoned: Set<ZoneID>

  /// The time of what the machine is told next. It only tells how fast the broker answers: what is decided
  /// by time is decided by timers.
  package var now = Timestamp(microseconds: 0)

  var connection = Connection.none
  var requests: [WindowRequest]
  var isHoldingBack = false
  var transfers = AssetTransfers()
  var subscriptions = SubscriptionRequests()
  var notifications: NotificationReading
  /// The reading of the public database.
  package internal(set) var publicReading: PublicReading
  var internalErrors = 0
  var nextID: UInt64 = 1
  var zonesToAttach: Set<ZoneID> = []
  /// Zones whose feed the broker stopped for a while.
  var zonesPutOff: Set<ZoneID> = []
  /// Zones lost on this connection: what was on its way about them is for nobody any more. A zone that
  /// is merely not here may be one that the directory is about to name.
  var lostZones: Set<ZoneID> = []
  var directoryTarget = Revision.zero
  var directoryRequest: UInt64?
  var heartbeatMilliseconds = 30_000
  var hasHeard = false
  var silentRounds = 0
  /// Whether the last round sent a ping.
  var hasPinged = false
  var backoff = Backoff()
  var resendBackoff = Backoff()
  var attachBackoff = Backoff()
  var waits: [UInt64: Wait] = [:]
  /// The wait for the targets of moved records, once they must be here.
  var targets: Wait?
  /// Whether to wait once more when that wait is over.
  var awaitsTargetsAgain = false
  /// Questions under way, by the numbers of their messages.
  var questions: [UInt64: Asking] = [:]
  /// Who waits for an answer to an order, by the numbers of their messages.
  var orders: [UInt64: UInt64] = [:]

  /// Why no connection is made: nobody is signed in.
  package internal(set) var staysOut = false

  /// How far a wait for everything has come.
  enum Wait: Hashable, Sendable {
    case wanted
    case asked(checkpoint: UInt64)
  }

  /// A machine that goes on where its store stands.
  /// - Parameters:
  ///   - notifications: the last notification that is stored.
  ///   - requests: the frozen requests without an outcome, by rising numbers.
  ///   - publicReading: what is read of the public database; nothing unless it is said.
  package init(
    identity: Identity, lastNumber: RequestNumber, acknowledged: RequestNumber,
    directory: Revision, zones: [ZoneID: FollowedZone], abandoned: Set<ZoneID>,
    notifications: NotificationNumber = .none, requests: [WindowRequest],
    publicReading: PublicReading = PublicReading()
  ) {
    self.identity = identity
    self.lastNumber = lastNumber
    self.acknowledged = acknowledged
    self.directory = directory
    self.zones = zones
    self.abandoned = abandoned
    self.notifications = NotificationReading(position: notifications)
    self.requests = requests
    self.publicReading = publicReading
  }

  mutating func freshID() -> UInt64 {
    defer { nextID += 1 }
    return nextID
  }

  mutating func enter(_ new: Phase) -> [SyncStep] {
    guard new != phase else { return [] }
    phase = new
    return [.phaseChanged(new)]
  }
}

// MARK: - Connecting

extension SyncMachine {
  /// The device starts, or the broker's socket has appeared: connect, unless that is under way.
  package mutating func wake() -> [SyncStep] {
    guard connection == .none, !staysOut else { return [] }
    connection = .opening
    return enter(isRefused ? phase : .connecting) + [.connect]
  }

  /// The device belongs to nobody: no broker is called.
  package mutating func stayOut(because error: RecordsError) {
    staysOut = true
    phase = .refused(error)
  }

  /// The device is given away: the connection ends, and with it all who wait for something.
  package mutating func leave(using generator: inout some RandomNumberGenerator) -> [SyncStep] {
    guard connection != .none else { return [] }
    return hangUp(because: nil, using: &generator)
  }

  /// The device is called something else, from the next greeting on.
  package mutating func rename(device name: String) { identity.deviceName = name }

  /// The name that the device greets the broker with.
  package var deviceName: String { identity.deviceName }

  private var isRefused: Bool {
    if case .refused = phase { true } else { false }
  }

  /// The connection is open: say hello.
  package mutating func connected() -> [SyncStep] {
    guard connection == .opening else { return [] }
    let id = freshID()
    connection = .greeting(id: id)
    hasHeard = false
    hasPinged = false
    silentRounds = 0
    for zone in zones.keys {
      zones[zone]?.isLevel = false
      zones[zone]?.isResuming = false
      zones[zone]?.isDoubted = false
    }
    let hello = Hello(
      version: ProtocolVersion.newest, container: identity.container,
      accountName: identity.accountName, deviceName: identity.deviceName,
      device: identity.device, deviceKey: identity.key, lastNumber: lastNumber,
      acknowledged: acknowledged, directory: directory,
      zones: zones.keys.sorted().map { ZonePosition(zone: $0, token: zones[$0]?.token) },
      invocation: identity.invocation)
    return [
      .send(id: id, .hello(hello)),
      .wait(.heartbeat, milliseconds: Self.greetingMilliseconds),
    ]
  }

  /// The connection is gone, or could not be made.
  package mutating func disconnected(
    using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    guard connection != .none else { return [] }
    return closed(because: nil, using: &generator)
  }

  /// Ends what the connection carried and waits for the next attempt.
  mutating func closed(
    because error: RecordsError?, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    connection = .none
    isHoldingBack = false
    transfers.reset()
    subscriptions.reset()
    notifications.reset()
    directoryRequest = nil
    zonesToAttach = []
    zonesPutOff = []
    attachBackoff.reset()
    lostZones = []
    for index in requests.indices { requests[index].sentAs = nil }
    for id in waits.keys { waits[id] = .wanted }
    if targets != nil { targets = .wanted }
    for zone in zones.keys { zones[zone]?.isLevel = false }
    let unanswered = endQuestions() + endOrders() + interruptPublicReading()
    var wait = backoff.nextMilliseconds(using: &generator)
    wait = max(wait, (error?.retryAfterSeconds ?? 0) * 1000)
    guard let error, Self.isRefusal(error) else {
      return unanswered + enter(isRefused ? phase : .offline)
        + [.wait(.reconnect, milliseconds: wait)]
    }
    wait = max(wait, Backoff.longestMilliseconds / 2)
    return unanswered + enter(.refused(error)) + [.wait(.reconnect, milliseconds: wait)]
  }

  /// Whether waiting and asking again will hardly help, so that people must be told.
  private static func isRefusal(_ error: RecordsError) -> Bool {
    switch error.code {
    case .notAuthenticated, .permissionFailure, .incompatibleVersion: true
    case .networkUnavailable, .serviceUnavailable, .requestRateLimited, .unknownItem,
      .invalidArguments, .serverRecordChanged, .constraintViolation, .changeTokenExpired,
      .batchRequestFailed, .zoneBusy, .quotaExceeded, .zoneNotFound, .limitExceeded,
      .tooManyParticipants, .alreadyShared, .referenceViolation, .assetNotAvailable,
      .partialFailure, .operationCancelled, .serverResponseLost, .internalError:
      false
    }
  }

  /// Closes the connection from this side.
  mutating func hangUp(
    because error: RecordsError?, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    [.disconnect] + closed(because: error, using: &generator)
  }

  /// A timer ran out.
  package mutating func fired(
    _ timer: SyncTimer, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    switch timer {
    case .reconnect: return wake()
    case .resend:
      guard isHoldingBack, connection == .ready else { return [] }
      isHoldingBack = false
      return sendUnsent()
    case .attachment: return attachPutOff()
    case .heartbeat: return heartbeat(using: &generator)
    case .outbox: return connection == .ready ? [.assetsChanged] : []
    case .transfers:
      transfers.deferred = []
      transfers.mayHaveWants = true
      return connection == .ready ? [.assetsChanged] : []
    case .subscriptions: return subscriptionsFired()
    case .acknowledgement: return acknowledgeNotifications()
    case .release: return notifications.holds ? [.releaseNotifications] : []
    case .publicReading: return beginPublicReading()
    }
  }

  private mutating func heartbeat(
    using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    switch connection {
    case .none, .opening: return []
    case .greeting:
      return [.report("The broker did not answer the connection request.")]
        + hangUp(because: nil, using: &generator)
    case .ready:
      silentRounds = hasHeard ? 0 : silentRounds + 1
      hasHeard = false
      guard silentRounds < Self.silentRoundsMaximum + roundsToSend else {
        return [.report("The broker stopped answering.")]
          + hangUp(because: nil, using: &generator)
      }
      // One round after another without a ping would let the broker take this device for gone.
      hasPinged = silentRounds > 0 || !hasPinged
      return (hasPinged ? [.send(id: freshID(), .ping)] : []) + [waitForNextRound]
    }
  }

  /// The rounds that the requests under way may take to reach the broker.
  ///
  /// NB: pings wait behind them. Without this time, a large request on a slow network would be sent again and again.
  private var roundsToSend: Int {
    let byteCount = requests.reduce(0) { $0 + ($1.sentAs == nil ? 0 : $1.byteCount) }
    let roundMilliseconds = max(heartbeatMilliseconds / Self.roundsPerHeartbeat, 1)
    return byteCount / Self.slowestBytesPerSecond * 1000 / roundMilliseconds
  }

  /// The wait for the next look at the broker's silence.
  var waitForNextRound: SyncStep {
    .wait(.heartbeat, milliseconds: heartbeatMilliseconds / Self.roundsPerHeartbeat)
  }
}
