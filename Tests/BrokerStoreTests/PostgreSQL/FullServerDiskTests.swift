import BrokerCore
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
  @Test func `saves are refused while the disk is full, and nothing is lost`() async throws {
    let volume = try SmallVolume(mebibytes: 256)
    let server = try PostgreSQLServer(
      settings: ["max_wal_size = 32MB", "min_wal_size = 32MB", "wal_recycle = off"],
      volume: volume)
    let address = try server.makeDatabase()
    let store = try PostgreSQLRecordStore(address: address, limits: FaultWorld.limits)
    try volume.addBallast(mebibytes: 96)
    let filler = try Filler(store)
    async let filled = onThread { try filler.fill() }
    // Without room for its log, the server ends. It starts when there is room again.
    try await Patience.wait(until: "the disk to be full") {
      filler.isOver.isSet || !server.isRunning
    }
    try volume.removeBallast()
    try await Patience.wait(until: "the refusal") {
      if !server.isRunning { try await server.start() }
      return filler.isOver.isSet
    }
    let (refused, count) = try await filled
    #expect(!filler.reported.isEmpty)
    #expect(filler.reported.allSatisfy { [.full, .unreachable].contains($0) })
    var client = filler.client
    #expect(try client.page(after: Int64(count - 1)).changes.count == 1)
    let outcome = try await Patience.wait(for: "room for the save") { () -> ModifyOutcome? in
      if !server.isRunning { try await server.start() }
      return try? StoreClient.outcome(client.committer.perform([refused], at: time(3))[0]).0
    }
    #expect(outcome.groups == [[.saved(tag: Revision(Int64(count + 1)))]])
    let last = try client.modify([delete("r1", tag: 1)]).0.groups
    #expect(last == [[.deleted(tag: Revision(Int64(count + 2)))]])
    let observer = try PostgreSQLConnection(address)
    #expect(
      try observer.value("SELECT count(*) FROM contacts_broker.record WHERE kind = 0") == count)
  }
}

/// A device that saves records until one is refused.
///
/// NB: `@unchecked`, because its thread ends before the test looks at what is not locked.
private final class Filler: @unchecked Sendable {
  let isOver = Flag()
  private(set) var client: StoreClient
  private let store: PostgreSQLRecordStore
  private let kinds = Mutex<[StoreError.Kind]>([])

  init(_ store: PostgreSQLRecordStore) throws {
    self.store = store
    client = try StoreClient(store)
  }

  /// Why the store could not carry out requests.
  var reported: [StoreError.Kind] { kinds.withLock { $0 } }

  /// Returns the refused request, and the number of those before it.
  func fill() throws -> (StorageRequest, Int) {
    defer { isOver.set() }
    var committer = Committer(
      store: store, generator: SystemRandomNumberGenerator(),
      report: { [self] error in
        if let error = error as? StoreError { kinds.withLock { $0.append(error.kind) } }
      })
    // Random, because PostgreSQL compresses rows. Making half a megabyte for each of them took most of the test's time.
    let bytes = (0..<62_500).flatMap { _ in
      withUnsafeBytes(of: UInt64.random(in: 0 ... .max)) { Array($0) }
    }
    for count in 1...2000 {
      let request = client.nextRequest([
        OperationGroup(
          zone: .standard, operations: [save("r\(count)", ["bytes": .bytes(bytes)])])
      ])
      let result = committer.perform([request], at: time(2))[0]
      guard case .client(.answered(.error(let error), _), _) = result else {
        _ = try StoreClient.outcome(result)
        continue
      }
      #expect(error.code == .serviceUnavailable)
      return (request, count - 1)
    }
    throw RecordsError(.internalError, "The disk is never full.")
  }
}
