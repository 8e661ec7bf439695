// A broker inside the test process: the real one, with a store in memory and a socket in a temporary directory.
// Tests need no installed broker, leave no files, and may run any number of brokers at the same time.

import BrokerClient
import BrokerCore
import BrokerServer
import BrokerStore
import FoundationEssentials
import Glibc
import Records
import Synchronization

/// A broker that runs while a closure runs. CloudKit has no counterpart; its users test against the network.
///
/// ```swift
/// try await LocalBroker.run { broker in
///   let laptop = broker.container(account: "alice", device: "laptop")
///   try await laptop.privateDatabase.save(Record(recordType: "Note"))
/// }
/// ```
public struct LocalBroker: Sendable {
  /// The address of the broker's socket.
  public let address: BrokerAddress

  /// The records and the address of a broker. Brokers that run on the same storage one after another have the
  /// same records and the same address, so a test can restart a broker while its clients stay open.
  public final class Storage: Sendable {
    private let directory: String
    private let isInUse = Mutex(false)
    private let store: SQLiteRecordStore

    /// Creates an empty storage. Its files are deleted with the last reference to it.
    /// - Parameter publicRights: The permissions of public databases, in the form of the broker's setting
    ///   `public`: `"Post: write creator; *: create nobody"`.
    /// - Throws: An error if the permissions cannot be parsed or the temporary directory cannot be created.
    public init(publicRights: String = "") throws {
      let rights = try PublicRights(publicRights)
      // The path of a socket has at most 107 bytes, and the usual temporary directory may have a long path.
      directory = "/tmp/broker-\(UInt64.random(in: 0 ... .max))"
      guard mkdir(directory, 0o700) == 0 else { throw CocoaError(.fileWriteUnknown) }
      store = try SQLiteRecordStore(publicRights: rights)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    private var socketPath: String { "\(directory)/broker.sock" }

    /// The address of brokers that run on this storage.
    public var address: BrokerAddress { .unixSocket(socketPath) }

    fileprivate func serve<Result>(until body: () async throws -> Result) async throws -> Result {
      let wasInUse = isInUse.withLock { isInUse in
        defer { isInUse = true }
        return isInUse
      }
      guard !wasInUse else {
        throw RecordsError(
          .serviceUnavailable, "Another broker runs on this storage.",
          hint: "Run them one after another.", reason: "inUse")
      }
      defer { isInUse.withLock { $0 = false } }
      return try await EmbeddedBroker.serve(
        store, filesDirectory: "\(directory)/assets", socketPath: socketPath, until: body)
    }
  }

  /// Runs a broker while `body` runs. The broker creates containers and accounts when they are first used.
  /// - Parameter storage: The storage; a new one by default.
  /// - Throws: The error of `body`, or an error if the broker cannot start; `serviceUnavailable`, reason `inUse`, if another
  ///   one runs on the storage.
  public static func run<Result>(
    on storage: Storage? = nil, _ body: (LocalBroker) async throws -> Result
  ) async throws -> Result {
    let storage = try storage ?? Storage()
    return try await storage.serve { try await body(LocalBroker(address: storage.address)) }
  }

  /// Returns the container `name` as a new device of an account.
  /// - Parameters:
  ///   - name: The container. Devices share records only within a container.
  ///   - account: The account's name, the same for all devices of one user.
  ///   - device: The name of the device.
  ///   - patience: The time to wait for the broker's answers.
  public func container(
    _ name: String = "tests", account: String = "alice", device: String = "laptop",
    patience: Duration = .seconds(30)
  ) -> Container {
    Container(
      name: name, broker: address, account: account, device: DeviceIdentity(name: device),
      patience: patience)
  }
}
