// A broker inside the process, for tests: the real one, over a store in memory, on a socket in a
// directory of its own. Nothing has to be installed, nothing is left behind, and any number may run
// beside each other.

import BrokerClient
import BrokerCore
import BrokerDaemon
import BrokerStore
import FoundationEssentials
import Glibc

/// A broker that lives as long as a closure. CloudKit has none; its users test against the network.
///
/// ```swift
/// try await LocalBroker.run { broker in
///   let laptop = broker.container(account: "alice", device: "laptop")
///   try await laptop.privateDatabase.save(Record(recordType: "Note"))
/// }
/// ```
public struct LocalBroker: Sendable {
  /// Where it listens.
  public let address: BrokerAddress

  /// What outlives a broker: its records and where it is reached. One that is run on it again has
  /// everything the last one had, so a test can stop a broker and start it again under its clients.
  public final class Storage: Sendable {
    private let directory: String
    private let store: SQLiteRecordStore

    /// Nothing stored yet. Removed, with its directory, when nobody holds it any more.
    /// - Parameter publicRights: who may do what in public databases, as in the broker's setting
    ///   `public`: `"Post: write creator; *: create nobody"`.
    /// - Throws: what Foundation throws when no temporary directory can be made; what is wrong with the
    ///   rights.
    public init(publicRights: String = "") throws {
      let rights = try PublicRights(publicRights)
      // NB: a socket's path has 107 bytes at most, and the usual temporary directory may be long.
      directory = "/tmp/broker-\(UInt64.random(in: 0 ... .max))"
      guard mkdir(directory, 0o700) == 0 else { throw CocoaError(.fileWriteUnknown) }
      store = try SQLiteRecordStore(publicRights: rights)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    private var socketPath: String { "\(directory)/broker.sock" }

    /// Where a broker over this listens.
    public var address: BrokerAddress { .unixSocket(socketPath) }

    fileprivate func serve<Result>(until body: () async throws -> Result) async throws -> Result {
      try await EmbeddedBroker.serve(
        store, filesDirectory: "\(directory)/assets", socketPath: socketPath, until: body)
    }
  }

  /// Runs a broker while `body` runs. A container of any name and an account of any name is made when
  /// it is first used.
  /// - Parameter storage: what it serves; its own, in memory, unless another is given.
  /// - Throws: what `body` throws, or why the broker could not begin.
  public static func run<Result>(
    on storage: Storage? = nil, _ body: (LocalBroker) async throws -> Result
  ) async throws -> Result {
    let storage = try storage ?? Storage()
    return try await storage.serve { try await body(LocalBroker(address: storage.address)) }
  }

  /// A new device of an account.
  /// - Parameters:
  ///   - name: the container; the same for devices that are to see each other.
  ///   - account: the account's name; the same for devices of one person.
  ///   - device: what the device is called.
  public func container(
    _ name: String = "tests", account: String = "alice", device: String = "laptop",
    patience: Duration = .seconds(30)
  ) -> Container {
    Container(
      name: name, broker: address, account: account, device: DeviceIdentity(name: device),
      patience: patience)
  }
}
