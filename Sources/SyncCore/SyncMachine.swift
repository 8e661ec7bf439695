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

  /// The requests that may be under way at once. More would not make a round trip shorter; fewer
  /// would leave the broker's group commit half empty.
  package static let windowRequests = 4

  /// Who the device is.
  package internal(set) var identity: Identity
  /// How the device stands to its broker.
  package internal(set) var phase: Phase = .offline
  /// The requests without an outcome. Outcomes up to its acknowledged number are stored.
  var window: NumberedRequests
  /// The directory's revision.
  package internal(set) var directory: Revision
  /// The zones that are followed.
  package internal(set) var zones: [ZoneID: FollowedZone]
  /// Zones deleted here, which the directory has not confirmed yet.
  var abandoned: Set<ZoneID>

  /// The time of what the machine is told next. It only tells how fast the broker answers: what is decided
  /// by time is decided by timers.
  package var now = Timestamp(microseconds: 0)

  var conversation = Conversation()
  var transfers = AssetTransfers()
  var subscriptions = SubscriptionRequests()
  var notifications: NotificationReading
  /// The reading of the public database.
  package internal(set) var publicReading: PublicReading
  var zonesToAttach: Set<ZoneID> = []
  /// Zones whose feed the broker stopped for a while.
  var zonesPutOff: Set<ZoneID> = []
  /// Zones lost on this connection: what was on its way about them is for nobody any more. A zone that
  /// is merely not here may be one that the directory is about to name.
  var lostZones: Set<ZoneID> = []
  var directoryTarget = Revision.zero
  var directoryRequest: UInt64?
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
    notifications: NotificationNumber = .none, requests: [NumberedRequest],
    publicReading: PublicReading = PublicReading()
  ) {
    self.identity = identity
    window = NumberedRequests(
      lastNumber: lastNumber, acknowledged: acknowledged, requests: requests,
      requestsMaximum: Self.windowRequests)
    self.directory = directory
    self.zones = zones
    self.abandoned = abandoned
    self.notifications = NotificationReading(position: notifications)
    self.publicReading = publicReading
  }

  mutating func freshID() -> UInt64 { conversation.freshID() }

  mutating func enter(_ new: Phase) -> [SyncStep] {
    guard new != phase else { return [] }
    phase = new
    return [.action(.phaseChanged(new))]
  }
}

// MARK: - Connecting

extension SyncMachine {
  /// The device starts, or the broker's socket has appeared: connect, unless that is under way.
  package mutating func wake() -> [SyncStep] {
    guard !staysOut, conversation.begin() else { return [] }
    return enter(isRefused ? phase : .connecting) + [.action(.connect)]
  }

  /// The device belongs to nobody: no broker is called.
  package mutating func stayOut(because error: RecordsError) {
    staysOut = true
    phase = .refused(error)
  }

  /// The device is given away: the connection ends, and with it all who wait for something.
  package mutating func leave(using generator: inout some RandomNumberGenerator) -> [SyncStep] {
    guard conversation.state != .none else { return [] }
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
    guard let id = conversation.opened() else { return [] }
    for zone in zones.keys {
      zones[zone]?.isLevel = false
      zones[zone]?.isResuming = false
      zones[zone]?.isDoubted = false
    }
    let hello = Hello(
      version: ProtocolVersion.newest, container: identity.container,
      accountName: identity.accountName, deviceName: identity.deviceName,
      device: identity.device, deviceKey: identity.key, lastNumber: window.lastNumber,
      acknowledged: window.acknowledged, directory: directory,
      zones: zones.keys.sorted().map { ZonePosition(zone: $0, token: zones[$0]?.token) },
      invocation: identity.invocation)
    return [
      .send(id: id, .hello(hello)),
      .wait(.heartbeat, milliseconds: Conversation.greetingMilliseconds),
    ]
  }

  /// The connection is gone, or could not be made.
  package mutating func disconnected(
    using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    guard conversation.state != .none else { return [] }
    return closed(because: nil, using: &generator)
  }

  /// Ends what the connection carried and waits for the next attempt.
  mutating func closed(
    because error: RecordsError?, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    transfers.reset()
    subscriptions.reset()
    notifications.reset()
    directoryRequest = nil
    zonesToAttach = []
    zonesPutOff = []
    attachBackoff.reset()
    lostZones = []
    window.disconnected()
    for id in waits.keys { waits[id] = .wanted }
    if targets != nil { targets = .wanted }
    for zone in zones.keys { zones[zone]?.isLevel = false }
    let unanswered = endQuestions() + endOrders() + interruptPublicReading()
    let wait = conversation.ended(because: error, using: &generator)
    guard let error, Self.isRefusal(error) else {
      return unanswered + enter(isRefused ? phase : .offline)
        + [.wait(.reconnect, milliseconds: wait)]
    }
    let refusalWait = max(wait, Backoff.longestMilliseconds / 2)
    return unanswered + enter(.refused(error)) + [.wait(.reconnect, milliseconds: refusalWait)]
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
    [.action(.disconnect)] + closed(because: error, using: &generator)
  }

  /// A timer ran out.
  package mutating func fired(
    _ timer: SyncTimer, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    switch timer {
    case .reconnect: return wake()
    case .resend:
      window.resume()
      return sendRequests()
    case .attachment: return attachPutOff()
    case .heartbeat: return checkSilence(using: &generator)
    case .outbox: return conversation.isReady ? [.store(.sendMore)] : []
    case .transfers:
      transfers.deferred = []
      transfers.mayHaveWants = true
      return conversation.isReady ? [.store(.sendMore)] : []
    case .subscriptions: return subscriptionsFired()
    case .acknowledgement: return acknowledgeNotifications()
    case .release: return notifications.holds ? [.store(.releaseNotifications)] : []
    case .publicReading: return beginPublicReading()
    }
  }

  private mutating func checkSilence(
    using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    switch conversation.check(bytesUnderWay: window.bytesUnderWay) {
    case .disconnected: return []
    case .wait(let milliseconds): return [.wait(.heartbeat, milliseconds: milliseconds)]
    case .ping(let id, let milliseconds):
      return [.send(id: id, .ping), .wait(.heartbeat, milliseconds: milliseconds)]
    case .close(let reason):
      return [.report(reason)] + hangUp(because: nil, using: &generator)
    }
  }
}
