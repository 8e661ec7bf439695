// The entry point of the library: an application's namespace at a broker, used as one account and one device.

import BrokerLinks
import NIOCore
import NIOPosix
import Records

/// The address of a broker.
public struct BrokerAddress: Hashable, Sendable {
  /// The path of the broker's socket.
  public let socketPath: String

  /// The broker that the package installs on this machine.
  public static let local = unixSocket("/run/contacts-broker/broker.sock")

  /// Returns the address of a broker that listens on the Unix socket at `path`.
  public static func unixSocket(_ path: String) -> BrokerAddress {
    BrokerAddress(socketPath: path)
  }
}

/// Whether a program can use its account at the broker. CloudKit: `CKAccountStatus`.
public enum AccountStatus: String, Hashable, Sendable, CaseIterable {
  /// The broker accepts this program as a device of the account.
  case available
  /// The user has no account on the broker, and the broker does not create one on connection.
  case noAccount
  /// The device was revoked, or has no permission to use the account.
  case restricted
  /// The broker could not be reached, or its answer does not tell.
  case couldNotDetermine
  /// The broker answers but cannot serve at the moment. Try again later.
  case temporarilyUnavailable
}

/// An application's namespace at a broker, used as one account and one device. CloudKit: `CKContainer`.
///
/// Each container has its own databases, record types, subscriptions and quotas. A container connects on
/// first use. After a lost connection it reconnects by itself, with growing, randomized delays. Any
/// number of tasks may use a container. Create one per device identity and reuse it.
public final class Container: Sendable {
  /// The name of the namespace, 1 to 255 bytes.
  public let name: String
  private let session: Session
  private let sharedIdentity: SharedIdentity
  private let streams: @Sendable (StreamCursor) -> StreamSource

  /// Creates a container without connecting to the broker.
  /// - Parameters:
  ///   - name: The name of the namespace.
  ///   - broker: The address of the broker.
  ///   - account: The account's name. Pass `nil` if the broker can derive it from the user that runs the
  ///     program.
  ///   - device: The program's identity at the broker; see `DeviceIdentity.kept(at:name:)`.
  ///   - patience: The timeout of each function that waits for the broker.
  ///   - deviceChanged: A callback that receives the identity when it has changed and must be saved: after
  ///     the first connection, writes and acknowledgements. The library calls it on an internal thread;
  ///     it must not block for long.
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
    let open: @Sendable (StreamCursor?) -> Session = { cursor in
      let loop = group.next()
      return Session(
        connector: UnixBrokerConnector(path: broker.socketPath, group: loop), loop: loop,
        helloTemplate: helloTemplate, sharedIdentity: sharedIdentity, timeout: timeout,
        cursor: cursor)
    }
    let session = open(nil)
    self.session = session
    streams = { StreamSource(main: session, session: open($0)) }
  }

  /// The current identity of this program at the broker, for the program to save.
  public var device: DeviceIdentity { sharedIdentity.current }

  /// The account's own database. CloudKit: `privateCloudDatabase`.
  public var privateDatabase: Database { database(with: .private) }
  /// The zones that other accounts share with this account. CloudKit: `sharedCloudDatabase`.
  public var sharedDatabase: Database { database(with: .shared) }
  /// The database that all accounts of the container have in common. CloudKit: `publicCloudDatabase`.
  ///
  /// By default every account may read all records, create records and change its own. The broker's
  /// settings can restrict this for each record type. The database has one zone and no change feed.
  public var publicDatabase: Database { database(with: .public) }

  /// Returns the database with the given scope. CloudKit: `database(with:)`.
  public func database(with scope: DatabaseScope) -> Database {
    Database(scope: scope, session: session, streams: streams)
  }

  /// Asks the broker whether the account can be used. CloudKit: `accountStatus()`.
  public func accountStatus() async -> AccountStatus {
    do throws(RecordError) {
      _ = try await session.welcome()
      return .available
    } catch {
      switch error.code {
      case .notAuthenticated: return error.reason == nil ? .noAccount : .restricted
      case .permissionFailure: return .restricted
      case .serviceUnavailable, .requestRateLimited, .zoneBusy: return .temporarilyUnavailable
      default: return .couldNotDetermine
      }
    }
  }

  /// Returns the account's id and name. CloudKit: `userRecordID()`.
  ///
  /// The id has 32 hexadecimal digits; `Record.creatorAccount` contains the same.
  /// - Throws: `notAuthenticated`, `permissionFailure`, `networkUnavailable`.
  public func account() async throws(RecordError) -> (id: String, name: String) {
    let welcome = try await session.welcome()
    return (welcome.account.description, welcome.accountName)
  }

  /// Returns this device's notifications: those that arrived while it was offline, then live ones.
  ///
  /// CloudKit has no equivalent: there a program is woken by a push and then fetches what it missed.
  /// - Parameter number: The last notification that the program has handled. The broker may delete
  ///   notifications up to this number. Notifications that the identity records as acknowledged are not
  ///   delivered again either.
  public func notifications(after number: NotificationNumber = .none) -> Notifications {
    let position = max(number, sharedIdentity.current.acknowledgedNotifications)
    return Notifications(streams(.notifications(NotificationCursor(after: position.stored))))
  }

  /// Closes the connection. Waiting calls throw `operationCancelled`, and the container cannot be used
  /// again. Streams that this container returned have connections of their own, which close when their
  /// loops end.
  public func close() async {
    await session.close()
  }
}
