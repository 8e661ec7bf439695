// The entry point of the library: an application's container on a broker, used by one device of one account.
// Users and share links are in extensions in other files.

import BrokerLinks
import NIOCore
import NIOPosix
import Records

/// Whether a program can use its account at the broker. CloudKit: `CKAccountStatus`.
public enum AccountStatus: String, Hashable, Sendable, CaseIterable {
  /// The broker accepts this program as a device of the account.
  case available
  /// The user has no account on the broker, and the broker's settings do not let it create one.
  case noAccount
  /// The broker rejects the device: it was revoked, its key was replaced, its account is disabled, or the
  /// account belongs to another user.
  case restricted
  /// The broker could not be reached, or rejected the connection for another reason.
  case couldNotDetermine
  /// The broker accepts no requests at the moment, for example because it is stopping. Try again later.
  case temporarilyUnavailable

  /// Returns the status of an account whose sign-in failed.
  init(_ error: RecordsError) {
    switch error.code {
    case .notAuthenticated:
      self = error.reason == nil || error.reason == "noAccount" ? .noAccount : .restricted
    case .permissionFailure: self = .restricted
    case .serviceUnavailable, .requestRateLimited, .zoneBusy: self = .temporarilyUnavailable
    default: self = .couldNotDetermine
    }
  }
}

/// The container of an application on a broker, used by one device of one account. CloudKit: `CKContainer`.
///
/// A container is a namespace: it has its own databases, record types, subscriptions and quotas. It connects
/// on first use. After a lost connection it reconnects automatically, with growing, randomized delays. Any
/// number of tasks may use it at the same time. Create one container for each device identity, and reuse it.
public final class Container: Sendable {
  /// The name of the namespace, 1 to 255 bytes.
  public let name: String
  let session: any MessageSession
  let sharedIdentity: SharedIdentity
  private let streams: @Sendable (StreamCursor) -> StreamSource
  private let closeSession: @Sendable () async -> Void

  /// Creates a container without connecting to the broker.
  /// - Parameters:
  ///   - name: The name of the container, 1 to 255 bytes. The broker creates it on first use.
  ///   - broker: The address of the broker.
  ///   - account: The account's name. With `nil`, the broker uses the account of the user that runs the
  ///     program, and creates one if there is none.
  ///   - device: The program's device identity; see `DeviceIdentity.kept(at:name:)`.
  ///   - patience: The timeout of each call that waits for the broker. Sequences have no timeout.
  ///   - deviceChanged: A callback that receives the identity whenever it has changed: after the first
  ///     connection, after writes, and after acknowledgements. The program must save it. The library calls
  ///     it on an internal thread, so it must not block for long.
  public init(
    name: String, broker: BrokerAddress = .local, account: String? = nil, device: DeviceIdentity,
    patience: Duration = .seconds(30),
    deviceChanged: @escaping @Sendable (DeviceIdentity) -> Void = { _ in }
  ) {
    self.name = name
    let helloTemplate = HelloTemplate(container: name, account: account)
    let sharedIdentity = SharedIdentity(device, changed: deviceChanged)
    self.sharedIdentity = sharedIdentity
    let group = MultiThreadedEventLoopGroup.singleton
    let timeout = TimeAmount.nanoseconds(
      patience.components.seconds * 1_000_000_000 + patience.components.attoseconds / 1_000_000_000)
    // The network does not matter for a broker on this machine.
    let network = broker.isRemote ? SessionNetwork(loop: group.next()) : nil
    let open: @Sendable (StreamCursor?) -> Session = { cursor in
      let loop = group.next()
      let connector = EndpointConnector(loop: loop) {
        BrokerAddressing(
          endpoints: broker.endpoints, keyDigest: sharedIdentity.current.brokerKeyDigest)
      }
      let session = Session(
        SessionEnvironment(
          connector: connector, loop: loop, helloTemplate: helloTemplate,
          sharedIdentity: sharedIdentity, timeout: timeout, network: network),
        cursor: cursor)
      network?.add(session)
      return session
    }
    let main = open(nil)
    session = main
    closeSession = { await main.close() }
    streams = { StreamSource(main: main, session: open($0)) }
  }

  /// Creates a container whose requests another connection sends. It has no notifications and change feeds.
  package init(name: String, session: any MessageSession, device: DeviceIdentity) {
    self.name = name
    self.session = session
    sharedIdentity = SharedIdentity(device) { _ in }
    closeSession = {}
    streams = { _ in preconditionFailure("This container has no connections of its own.") }
  }

  /// The current device identity of this program. Save it when it changes; see `deviceChanged`.
  public var device: DeviceIdentity { sharedIdentity.current }

  /// The account's own database. CloudKit: `privateCloudDatabase`.
  public var privateDatabase: Database { database(with: .private) }
  /// The zones that other accounts share with this account. CloudKit: `sharedCloudDatabase`.
  public var sharedDatabase: Database { database(with: .shared) }
  /// The database that all accounts of the container share. CloudKit: `publicCloudDatabase`.
  ///
  /// By default every account may read all records, create records and change its own. The broker's
  /// settings can restrict this for each record type. The database has one zone and no change feed.
  public var publicDatabase: Database { database(with: .public) }

  /// Returns the database with the given scope. CloudKit: `database(with:)`.
  public func database(with scope: DatabaseScope) -> Database {
    Database(scope: scope, containerName: name, session: session, streams: streams)
  }

  /// Asks the broker whether the account can be used. CloudKit: `accountStatus()`.
  public func accountStatus() async -> AccountStatus {
    do throws(RecordsError) {
      _ = try await session.welcome()
      return .available
    } catch {
      return AccountStatus(error)
    }
  }

  /// Returns this device's notifications: the pending ones, then new ones as they occur.
  ///
  /// The broker stores notifications for a device from its first call of this function, or from its first
  /// saved subscription. CloudKit has no equivalent: there, a push wakes the program, which then fetches the
  /// changes.
  /// - Parameter number: The last notification that the program has handled. The broker may delete
  ///   notifications up to this number, and does not deliver them. The same applies up to the number that
  ///   the device identity records as acknowledged, if that is higher.
  public func notifications(after number: NotificationNumber = .none) -> Notifications {
    let position = max(number, sharedIdentity.current.acknowledgedNotifications)
    return Notifications(streams(.notifications(NotificationCursor(after: position))))
  }

  /// Closes the connection. Waiting calls throw `operationCancelled`, and so do all later ones.
  ///
  /// Sequences of notifications and changes have connections of their own. Those close when the program
  /// releases the sequence.
  public func close() async {
    await closeSession()
  }
}
