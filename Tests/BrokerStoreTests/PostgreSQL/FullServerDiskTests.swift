import BrokerCore
import BrokerPostgreSQL
import BrokerStore
import PostgreSQLConnections
import Processes
import Records
import SQLConnections
import Synchronization
import Testing

@Suite(
  "A PostgreSQL server whose disk is full", onPostgreSQL,
  .disabled(if: SmallVolume.obstacle != nil, "\(SmallVolume.obstacle ?? "")"),
  .timeLimit(.minutes(5)))
struct FullServerDiskTests {
  /// Without room for its log, the server ends. It does not start again by itself, while there is no room.
  static let settings = [
    "max_wal_size = 32MB", "min_wal_size = 32MB", "wal_recycle = off", "restart_after_crash = off",
  ]
  let volume: SmallVolume
  let server: PostgreSQLServer

  init() throws {
    volume = try SmallVolume(mebibytes: 256)
    server = try PostgreSQLServer(settings: Self.settings, volume: volume)
  }

  @Test func `saves are refused while the disk is full, and nothing is lost`() async throws {
    let address = try server.makeDatabase()
    let store = try PostgreSQLRecordStore(address: address, limits: FaultWorld.limits)
    let filler = try Filler(store)
    let refused = try await refusal(of: filler)
    #expect(!filler.reported.isEmpty)
    #expect(filler.reported.allSatisfy { [.full, .unreachable].contains($0) })
    let count = filler.savedCount
    var client = filler.client
    let page = try await served { try client.page(after: Int64(count - 1)) }
    #expect(page.changes.count == 1)
    let outcome = try await served {
      try StoreClient.outcome(client.committer.perform([refused], at: time(3))[0]).0
    }
    #expect(outcome.groups == [[.saved(tag: Revision(Int64(count + 1)))]])
    let last = try client.modify([delete("r1", tag: 1)]).0.groups
    #expect(last == [[.deleted(tag: Revision(Int64(count + 2)))]])
    let observer = try PostgreSQLConnection(address)
    #expect(
      try observer.value("SELECT count(*) FROM contacts_broker.record WHERE kind = 0") == count)
  }

  /// The request that was refused. The last save before the server ended may turn out to be committed; then the disk is
  /// filled once more.
  private func refusal(of filler: Filler) async throws -> StorageRequest {
    while true {
      try volume.addBallast(mebibytes: 96)
      let (stop, isOver) = (Flag(), Flag())
      async let filled = onThread {
        defer { isOver.set() }
        return try filler.fill(until: stop)
      }
      try await Patience.wait(until: "the disk to be full") { isOver.isSet || !server.isRunning }
      // It must not fill the room that the server needs to start.
      stop.set()
      try volume.removeBallast()
      try await Patience.wait(until: "the answer") {
        if !server.isRunning { try await server.start() }
        return isOver.isSet
      }
      if let refused = try await filled { return refused }
    }
  }

  /// What `body` returns once the server, which may have to start, serves it.
  private func served<Result>(_ body: () throws -> Result) async throws -> Result {
    try await Patience.wait(for: "the server") {
      if !server.isRunning { try await server.start() }
      return try? body()
    }
  }
}

/// A device that saves records until one is refused, or until it is stopped.
///
/// NB: `@unchecked`, because its thread ends before the test looks at what is not locked.
private final class Filler: @unchecked Sendable {
  private(set) var savedCount = 0
  private(set) var client: StoreClient
  private let store: PostgreSQLRecordStore
  private let kinds = Mutex<[StoreError.Kind]>([])

  init(_ store: PostgreSQLRecordStore) throws {
    self.store = store
    client = try StoreClient(store)
  }

  /// Why the store could not carry out requests.
  var reported: [StoreError.Kind] { kinds.withLock { $0 } }

  /// Returns the refused request; `nil` if it was stopped before.
  func fill(until stop: Flag) throws -> StorageRequest? {
    var committer = Committer(
      store: store, generator: SystemRandomNumberGenerator(),
      report: { [self] error in
        if let error = error as? StoreError { kinds.withLock { $0.append(error.kind) } }
      })
    while !stop.isSet {
      let request = client.nextRequest([
        OperationGroup(
          zone: .standard, operations: [save("r\(savedCount + 1)", ["bytes": .bytes(bytes)])])
      ])
      let result = committer.perform([request], at: time(2))[0]
      guard case .client(.answered(.error(let error), _), _) = result else {
        _ = try StoreClient.outcome(result)
        savedCount += 1
        continue
      }
      #expect(error.code == .serviceUnavailable)
      return request
    }
    return nil
  }

  /// Random, because PostgreSQL compresses rows. Making half a megabyte for each of them would take most of the time.
  private let bytes = (0..<62_500).flatMap { _ in
    withUnsafeBytes(of: UInt64.random(in: 0 ... .max)) { Array($0) }
  }
}
