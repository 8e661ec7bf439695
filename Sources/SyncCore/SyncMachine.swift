// A device's side of the conversation with its broker: when it connects, what it sends, and what each answer means. The
// machine has no records and no clock. Its decisions are lists of steps (SyncStep), which the replica executes in order.
// The machine is a value: the replica changes a copy, and uses it only if the transaction of the steps is committed.

import Records

/// The state of a device's conversation with its broker.
package struct SyncMachine: Sendable {
  /// What a device tells the broker about itself.
  package struct Identity: Hashable, Sendable {
    /// The application's namespace.
    package var container: String
    /// The name of the account that the device wants to join, or belongs to.
    package var accountName: String?
    /// The device's name.
    package var deviceName: String
    /// The device's key.
    package var key: [UInt8]
    /// The account; `nil` before the first welcome.
    package var account: AccountID?
    /// The device's id; `nil` before the first welcome.
    package var device: DeviceID?
    /// A random number of the running program, by which the broker recognizes copies of a device.
    package let invocation: UInt64?
    /// The device that this one was before it took a new identity; `nil` from the next welcome on.
    package var former: FormerDevice?

    /// Creates an identity.
    package init(
      container: String, accountName: String?, deviceName: String, key: [UInt8],
      account: AccountID?, device: DeviceID?, invocation: UInt64? = nil,
      former: FormerDevice? = nil
    ) {
      self.container = container
      self.accountName = accountName
      self.deviceName = deviceName
      self.key = key
      self.account = account
      self.device = device
      self.invocation = invocation
      self.former = former
    }
  }

  /// The maximum number of requests without an outcome. A request that finds no room is built later, and has to read the
  /// records again that the device has just written.
  static let windowRequests = 16
  /// The bytes of such requests at which no other is built. The broker queues 16 MiB for all devices of an account.
  static let windowBytes = 4 << 20

  /// The device's identity.
  package internal(set) var identity: Identity
  /// The phase of the synchronization.
  package internal(set) var phase: Phase = .offline
  /// The requests without an outcome. Outcomes up to its acknowledged number are stored.
  var window: NumberedRequests
  /// The zones that are read.
  var feeds: ZoneFeeds
  /// The time of the next event. It only measures how fast the broker answers, and the time since its last message.
  /// Other decisions about time use timers.
  package var now = Timestamp(microseconds: 0) {
    didSet { conversation.now = now }
  }

  var conversation = Conversation(pace: .attentive)
  var transfers = AssetTransfers()
  var subscriptions = SubscriptionRequests()
  var notifications: NotificationProgress
  /// The reading of the public database.
  package internal(set) var publicReading: PublicDatabaseSync
  var checkpoints = CheckpointWaits()
  var answers = PendingAnswers()

  /// Creates a machine that continues from the state of the store.
  /// - Parameters:
  ///   - notifications: The last stored notification.
  ///   - requests: The frozen requests without an outcome, by rising numbers.
  ///   - publicReading: The record types of the public database to read; none by default.
  package init(
    identity: Identity, lastNumber: RequestNumber, acknowledged: RequestNumber,
    directory: Revision, zones: [ZoneID: FollowedZone], abandoned: Set<ZoneID>,
    notifications: NotificationNumber = .none, requests: [NumberedRequest],
    publicReading: PublicDatabaseSync = PublicDatabaseSync()
  ) {
    self.identity = identity
    window = NumberedRequests(
      lastNumber: lastNumber, acknowledged: acknowledged, requests: requests,
      requestsMaximum: Self.windowRequests, bytesMaximum: Self.windowBytes)
    feeds = ZoneFeeds(
      directory: ZoneFeeds.Directory(revision: directory), followed: zones, abandoned: abandoned)
    self.notifications = NotificationProgress(position: notifications)
    self.publicReading = publicReading
  }

  /// Whether the machine does not connect, because no account is signed in.
  package var staysOut: Bool { conversation.state == .stopped }

  /// The revision up to which the directory was read.
  package var directory: Revision { feeds.directory.revision }

  /// The zones that are read.
  package var zones: [ZoneID: FollowedZone] { feeds.followed }

  mutating func freshID() -> UInt64 { conversation.freshID() }

  mutating func enter(_ new: Phase) -> [SyncStep] {
    guard new != phase else { return [] }
    phase = new
    return [.action(.phaseChanged(new))]
  }
}

// MARK: - Connecting

extension SyncMachine {
  /// Connects, if there is no connection and no attempt. Called at the start, and when the broker's socket appears.
  package mutating func wake() -> [SyncStep] {
    guard conversation.begin() else { return [] }
    return enter(isRefused ? phase : .connecting) + [.action(.connect)]
  }

  /// Does not connect from now on, because no account is signed in.
  package mutating func stayOut(because error: RecordsError) {
    conversation.stop()
    phase = .refused(error)
  }

  /// Ends the connection and all waits, because the device gets another account or none.
  package mutating func leave(using generator: inout some RandomNumberGenerator) -> [SyncStep] {
    guard conversation.isUnderWay else { return [] }
    return hangUp(because: nil, using: &generator)
  }

  /// Changes the name of the device from the next hello on.
  package mutating func rename(device name: String) { identity.deviceName = name }

  /// The name of the device in the hello.
  package var deviceName: String { identity.deviceName }

  /// Whether the broker had carried out the request before this connection. Then the directory may be later than its outcome.
  package func isRepeated(_ number: RequestNumber) -> Bool {
    conversation.welcome.map { number <= $0.lastNumber } ?? false
  }

  private var isRefused: Bool {
    if case .refused = phase { true } else { false }
  }

  /// The connection is open: sends the hello.
  package mutating func connected() -> [SyncStep] {
    guard let (id, milliseconds) = conversation.opened() else { return [] }
    feeds.connected()
    let hello = Hello(
      version: ProtocolVersion.newest, container: identity.container,
      accountName: identity.accountName, deviceName: identity.deviceName,
      device: identity.device, deviceKey: identity.key, lastNumber: window.lastNumber,
      acknowledged: window.acknowledged, directory: feeds.directory.revision,
      zones: feeds.followed.keys.sorted().map { ZonePosition(zone: $0, token: feeds[$0]?.token) },
      invocation: identity.invocation, formerDevice: identity.former)
    return [
      .send(id: id, .hello(hello)),
      .wait(.heartbeat, milliseconds: milliseconds),
    ]
  }

  /// The connection ended, or could not be opened.
  package mutating func disconnected(
    using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    guard conversation.isUnderWay else { return [] }
    // The end of a connection, or of an attempt, says more than the silence before it.
    return enter(Responsiveness.prompt) + closed(because: nil, using: &generator)
  }

  /// Resets the state of the connection, and waits for the next attempt.
  mutating func closed(
    because error: RecordsError?, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    let wait = conversation.ended(because: error, using: &generator)
    let slowness = noteResponsiveness()
    transfers.reset()
    subscriptions.reset()
    notifications.reset()
    feeds.disconnected()
    window.disconnected()
    checkpoints.disconnected()
    let unanswered = slowness + endQuestions() + endOrders() + interruptPublicReading()
    guard let error, Self.isRefusal(error) else {
      return unanswered + enter(isRefused ? phase : .offline)
        + [.wait(.reconnect, milliseconds: wait)]
    }
    let refusalWait = max(wait, Backoff.longestMilliseconds / 2)
    return unanswered + enter(.refused(error)) + [.wait(.reconnect, milliseconds: refusalWait)]
  }

  /// Whether another attempt will hardly succeed, so that users must know the error.
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

  /// Closes the connection.
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
}
