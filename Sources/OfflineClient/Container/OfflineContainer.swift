// Opening and closing a container. Records, zones, assets, history, shares, the account and the status are in
// extensions in other files.

@_exported import BrokerClient
import BrokerLinks
import DeviceDriver
import DeviceStore
import Foundation
import Glibc
import NIOPosix
import RecordQueries
import Records
import Synchronization
import WholeFiles

/// A container whose records are all in a local file: it works without a broker, and synchronizes by itself with one
/// when it can be reached. CloudKit: `CKSyncEngine` with a store of its own.
///
/// A save is durable when it returns. It is sent when the broker can be reached, once, and merged by fields with what
/// other devices saved meanwhile. Queries, observations, conflicts and undo work without a connection.
///
/// One process at a time can open a file. All functions can be called from any task.
public final class OfflineContainer: Sendable {
  let driver: ReplicaDriver
  let configuration: OfflineConfiguration
  /// Where the broker is.
  let broker: ContainerBroker
  /// Files that were added and that no record refers to yet.
  let newAssets = Mutex(Set<AssetDigest>())
  private let file: DeviceDatabase
  private let watch: ConnectionWatch
  private let lock: LockHolder
  private let closed = Mutex(false)

  /// Opens a container, and creates its file if it is missing.
  /// - Throws: `serviceUnavailable`, reason `inUse`, if another process has the file open; `invalidArguments` for a
  ///   malformed name or index, or if the file belongs to another account; `internalError` if the file cannot be
  ///   read or written, or is not a container's; `incompatibleVersion` if another version wrote it.
  public static func open(
    _ configuration: OfflineConfiguration
  ) async throws(RecordsError) -> OfflineContainer {
    do {
      return try await OfflineContainer(opening: configuration)
    } catch {
      throw RecordsError(anyError: error)
    }
  }

  private init(opening configuration: OfflineConfiguration) async throws {
    let lock = LockHolder(try Self.lock(configuration.file))
    let application = try configuration.application()
    createPrivateFile(at: configuration.file)
    let database = try DeviceDatabase(path: configuration.file, schema: RecordIndex.schema)
    let replica = try Replica(
      database: database, settings: configuration.deviceSettings, application: application,
      generator: SystemRandomNumberGenerator(), now: SystemClock.now())
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let broker = ContainerBroker(configured: configuration.broker, reader: replica.reader)
    var hooks = DriverHooks()
    // The driver keeps the lock: a container that was not closed goes on, and must keep its file.
    hooks.phaseChanged = { _ in withExtendedLifetime(lock) {} }
    let environment = DriverEnvironment(
      loop: loop, connector: EndpointConnector(loop: loop) { broker.addressing },
      logger: configuration.logger, hooks: hooks)
    driver = ReplicaDriver(
      replica: replica,
      files: try DeviceFiles(directory: "\(configuration.file)-assets", logger: environment.logger),
      environment: environment)
    watch = await ConnectionWatch.start(driver, endpoints: configuration.broker?.endpoints ?? [])
    self.configuration = configuration
    self.broker = broker
    file = database
    self.lock = lock
  }

  private static func lock(_ file: String) throws -> FileLock {
    do {
      return try FileLock(at: "\(file)-lock")
    } catch .held(let holder) {
      let name = holder == getpid() ? "this program" : holder.map { "process \($0)" }
      throw RecordsError(
        .serviceUnavailable,
        "The container “\(file)” is already open in \(name ?? "another process").",
        hint: "Close it there first, or use one container in the whole program.", reason: "inUse")
    } catch .system(let number) {
      throw RecordsError(
        .internalError,
        "Cannot open the container “\(file)”: \(String(cString: strerror(number))).",
        hint: "Check that its directory exists and that this user may write to it.")
    }
  }

  /// Closes the container: the connection ends, observations end, and another process can open the file. What was
  /// saved and not sent is sent after the next start.
  ///
  /// Functions that are called later throw `operationCancelled`.
  public func close() async throws(RecordsError) {
    guard
      closed.withLock({ isClosed in
        defer { isClosed = true }
        return !isClosed
      })
    else { return }
    defer { lock.release() }
    await watch.stop()
    await driver.stop()
    do {
      try await driver.close()
      await driver.files.stop()
      try file.close()
    } catch {
      throw RecordsError(anyError: error)
    }
  }
}

extension OfflineContainer {
  /// Whether the container was closed.
  var isClosed: Bool { closed.withLock { $0 } }

  /// Throws `operationCancelled` if the container was closed.
  func checkIsOpen() throws(RecordsError) {
    guard isClosed else { return }
    throw RecordsError(.operationCancelled, "The container is closed.")
  }
}

/// Creates a file that only the user can read, if it is missing. SQLite gives its other files the same mode, and reports
/// an error of this one.
private func createPrivateFile(at path: String) {
  let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
  if descriptor >= 0 { close(descriptor) }
}

/// Holds the lock of a container's file until it is released.
private final class LockHolder: Sendable {
  private let lock: Mutex<FileLock?>

  init(_ lock: FileLock) { self.lock = Mutex(lock) }

  func release() { lock.withLock { $0 = nil } }
}

extension OfflineConfiguration {
  fileprivate var deviceSettings: DeviceSettings {
    DeviceSettings(
      container: name, accountName: accountName, deviceName: deviceName,
      readsPublicRecords: !publicTypes.isEmpty, invocation: UInt64.random(in: 1 ... .max))
  }
}
