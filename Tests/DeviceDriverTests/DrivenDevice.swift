// A device with its own driver, without an agent: made-up records on a real replica, connected to a real broker.

import BrokerLinks
import DeviceDriver
import DeviceStore
import Logging
import NIOCore
import NIOPosix
import Processes
import Records
import SyncCore

import struct BrokerClient.BrokerAddress

/// One device of a test.
struct DrivenDevice: Sendable {
  let driver: ReplicaDriver

  /// The type of the records.
  static let type = RecordType(stored: "Item")
  /// The application's own subscription, to all public records.
  static var subscription: SubscriptionForm {
    SubscriptionForm(
      id: SubscriptionID(stored: "own"), database: .public,
      kind: .query(type: type, predicate: PredicateText("TRUEPREDICATE"), zone: nil),
      options: [.creation, .update, .deletion], notification: NotificationForm())
  }
  static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  /// Runs `body` with a started device.
  /// - Parameters:
  ///   - broker: The broker to connect to; `nil` for a device that works alone.
  ///   - looks: Called when the driver looks up the broker's addresses.
  ///   - preparationLimit: How long frames wait for their preparation. All tests together occupy all threads for long.
  static func with<Result>(
    _ name: String, broker: BrokerAddress? = nil, reserve: DiskReserve? = nil,
    hooks: DriverHooks = DriverHooks(), readsPublicRecords: Bool = false,
    looks: @escaping @Sendable () -> Void = {}, preparationLimit: TimeAmount = .minutes(4),
    projections: () -> [any Projection] = { [] }, _ body: (DrivenDevice) async throws -> Result
  ) async throws -> Result {
    let endpoints = try broker.map { try BrokerEndpoint.list("\($0)") }
    let directory = try TemporaryDirectory()
    let files = try DeviceFiles(directory: directory.path, logger: logger)
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let connector = endpoints.map { endpoints in
      EndpointConnector(loop: loop) {
        looks()
        return BrokerAddressing(endpoints: endpoints, keyDigest: nil)
      }
    }
    var environment = DriverEnvironment(
      loop: loop, connector: connector, logger: logger, reserve: reserve, hooks: hooks)
    environment.preparationLimit = preparationLimit
    let driver = ReplicaDriver(
      replica: try replica(name, readsPublicRecords, projections), files: files,
      environment: environment)
    let watch = await ConnectionWatch.start(driver, endpoints: endpoints ?? [])
    do {
      let result = try await body(DrivenDevice(driver: driver))
      try await end(driver, watch)
      return result
    } catch {
      try await end(driver, watch)
      throw error
    }
  }

  private static func end(_ driver: ReplicaDriver, _ watch: ConnectionWatch) async throws {
    await watch.stop()
    await driver.stop()
    try await driver.close()
    await driver.files.stop()
  }

  private static func replica(
    _ name: String, _ readsPublicRecords: Bool, _ projections: () -> [any Projection]
  ) throws -> sending Replica {
    var rules = ApplicationRules()
    rules.publicTypes = [type]
    rules.ownSubscriptions = [subscription]
    return try Replica(
      database: .inMemory(schema: []),
      settings: DeviceSettings(
        container: "tests", accountName: "alice", deviceName: name,
        readsPublicRecords: readsPublicRecords),
      application: Application(rules: rules, projections: projections()),
      generator: SystemRandomNumberGenerator(), now: SystemClock.now())
  }

  // MARK: Records

  static func id(_ name: String) -> RecordID {
    RecordID(zone: .standard, name: RecordName(stored: name))
  }

  static func save(_ name: String, _ fields: Fields) -> LocalEdit {
    .save(
      LocalEdit.RecordSave(id: id(name), type: type, changes: FieldChanges(set: fields)))
  }

  /// Saves a record with this title.
  func save(_ name: String, title: String) async throws {
    try await driver.edit { replica, now in
      ((), try replica.edit([Self.save(name, ["title": .string(title)])], now: now))
    }
  }

  /// Returns the title of a record; `nil` if it is not here.
  func title(_ name: String) throws -> String? {
    guard case .string(let title)? = try driver.reader.record(Self.id(name))?.fields["title"]
    else { return nil }
    return title
  }

  /// Waits until the record has this title.
  func wait(for title: String, of name: String) async throws {
    try await Patience.wait(until: "\(name) to be \(title)") { try self.title(name) == title }
  }

  /// Waits until the device is connected and has everything.
  func waitUntilLive() async throws {
    try await Patience.wait(until: "the device to be live") { driver.phase == .live }
  }
}
