// Where a program begins: an application's namespace at a broker, as one account and one device.

import BrokerLinks
import NIOCore
import NIOPosix
import Records

/// Where a broker is.
public struct BrokerAddress: Hashable, Sendable {
  /// The path of the broker's socket.
  public let socketPath: String

  /// The broker of this machine, as it is installed.
  public static let local = unixSocket("/run/contacts-broker/broker.sock")

  /// A broker that listens on a Unix socket.
  public static func unixSocket(_ path: String) -> BrokerAddress {
    BrokerAddress(socketPath: path)
  }
}

/// How an account stands to the broker. CloudKit: `CKAccountStatus`.
public enum AccountStatus: String, Hashable, Sendable, CaseIterable {
  /// Signed in.
  case available
  /// This user has no account, and gets none by asking.
  case noAccount
  /// The device was revoked, or may not speak for the account.
  case restricted
  /// No broker could be asked.
  case couldNotDetermine
  /// The broker is there and cannot serve just now.
  case temporarilyUnavailable
}

/// An application's namespace at a broker, as one account and one device. CloudKit: `CKContainer`.
///
/// Databases, record types, subscriptions and quotas of containers are apart. A container connects
/// when it is first asked something, and comes back by itself after a loss, with waits that grow and
/// are drawn at random. Any number of tasks may use one; make one for each identity, and keep it.
public final class Container: Sendable {
  /// The namespace: 1 to 255 bytes.
  public let name: String
  private let session: Session
  private let keeper: IdentityKeeper
  private let streams: @Sendable (Following) -> StreamSource

  /// A container; nothing is connected yet.
  /// - Parameters:
  ///   - name: the namespace.
  ///   - broker: where the broker is.
  ///   - account: the account's name, where the user of the machine does not tell it.
  ///   - device: who this program is; see `DeviceIdentity.kept(at:name:)`.
  ///   - patience: how long each function waits for the broker.
  ///   - deviceChanged: called on a thread of the library's when the identity is to be kept anew:
  ///     after the first connection, writes and acknowledgements. It must not block for long.
  public init(
    name: String, broker: BrokerAddress = .local, account: String? = nil, device: DeviceIdentity,
    patience: Duration = .seconds(30),
    deviceChanged: @escaping @Sendable (DeviceIdentity) -> Void = { _ in }
  ) {
    self.name = name
    let greeting = Greeting(container: name, account: account)
    let keeper = IdentityKeeper(device, changed: deviceChanged)
    self.keeper = keeper
    let group = MultiThreadedEventLoopGroup.singleton
    let patience = TimeAmount.nanoseconds(
      patience.components.seconds * 1_000_000_000 + patience.components.attoseconds / 1_000_000_000)
    let open: @Sendable (Following?) -> Session = { following in
      let loop = group.next()
      return Session(
        connector: UnixBrokerConnector(path: broker.socketPath, group: loop), loop: loop,
        greeting: greeting, keeper: keeper, patience: patience, following: following)
    }
    let session = open(nil)
    self.session = session
    streams = { StreamSource(main: session, session: open($0)) }
  }

  /// Who this program is to the broker, as it stands now: to be kept.
  public var device: DeviceIdentity { keeper.current }

  /// The account's own database. CloudKit: `privateCloudDatabase`.
  public var privateDatabase: Database { database(with: .private) }
  /// What others share with the account. CloudKit: `sharedCloudDatabase`.
  public var sharedDatabase: Database { database(with: .shared) }
  /// The container's database, open to all: every account reads and makes records, and changes its
  /// own, unless the broker's settings say otherwise. It has one zone and no feed. CloudKit:
  /// `publicCloudDatabase`.
  public var publicDatabase: Database { database(with: .public) }

  /// One of the databases. CloudKit: `database(with:)`.
  public func database(with scope: DatabaseScope) -> Database {
    Database(scope: scope, session: session, streams: streams)
  }

  /// How the account stands to the broker. CloudKit: `accountStatus()`.
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

  /// The account: its id, 32 hexadecimal digits, as records name it, and its name. CloudKit:
  /// `userRecordID()`.
  /// - Throws: `notAuthenticated`, `permissionFailure`, `networkUnavailable`.
  public func account() async throws(RecordError) -> (id: String, name: String) {
    let welcome = try await session.welcome()
    return (welcome.account.description, welcome.accountName)
  }

  /// What this device is told, behind a number: what came while it was away, then whatever comes.
  /// CloudKit has no such thing; a program waits there to be woken, and asks for what it missed.
  /// - Parameter number: the last that was taken in; the broker may forget what is at or below it.
  ///   What the identity says was acknowledged is not told again either.
  public func notifications(after number: NotificationNumber = .none) -> Notifications {
    let position = max(number, keeper.current.acknowledgedNotifications)
    return Notifications(streams(.notifications(NotificationFollowing(after: position.stored))))
  }

  /// Ends the connection. Whoever waits gets `operationCancelled`; the container cannot be used
  /// again. What is followed ends when its loop is left.
  public func close() async {
    await session.close()
  }
}
