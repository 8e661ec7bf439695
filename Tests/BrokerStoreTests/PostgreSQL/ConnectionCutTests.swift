import BrokerCore
import BrokerPostgreSQL
import BrokerStore
import PostgreSQLConnections
import PostgreSQLStores
import Processes
import Records
import SQLConnections
import Testing

/// A store whose connections are cut, with the devices that write to it.
private struct CutWorld {
  let world: FaultWorld
  let database: String
  let store: PostgreSQLRecordStore
  var people: SharedWorld
  var committer: Committer<SystemRandomNumberGenerator>
  private(set) var saved = 2

  init() throws {
    world = try FaultWorld()
    database = try world.makeDatabase()
    store = try world.open(database)
    people = try SharedWorld(store)
    try people.accept()
    var reader = try StoreClient(store, account: "bob", key: [4])
    _ = try reader.follow()
    try reader.subscribe(
      SubscriptionForm(
        id: SubscriptionID(stored: "all"), database: .shared, kind: .database(type: nil)))
    committer = Committer(store: store, generator: SystemRandomNumberGenerator())
  }

  /// Saves two records of two accounts in one transaction. Sends refused requests again, up to `attempts` times.
  mutating func save(attempts: Int) throws {
    var requests = [
      people.ada.nextRequest([group(save: "a\(saved)")]),
      people.bob.nextRequest([group(save: "b\(saved)")]),
    ]
    for _ in 0..<attempts where !requests.isEmpty {
      let results = committer.perform(requests, at: time(9))
      var refused: [StorageRequest] = []
      for (request, result) in zip(requests, results) {
        if case .client(.answered(.error(let error), _), _) = result, error.code.isTransient {
          refused.append(request)
          continue
        }
        saved += 1
        #expect(
          try StoreClient.outcome(result).0.groups == [[.saved(tag: Revision(Int64(saved)))]])
      }
      requests = refused
    }
    #expect(requests.isEmpty, "a request was refused \(attempts) times")
  }

  private func group(save name: String) -> OperationGroup {
    OperationGroup(zone: people.zone, operations: [BrokerStoreTests.save(name)])
  }

  /// The head of the shared zone, and how many records, outcomes and notifications there are.
  func counts() throws -> [Int] {
    let observer = try world.server.observer(of: database)
    try observer.run("SET search_path = contacts_broker")
    return try [
      "SELECT max(head) FROM zone", "SELECT max(record_count) FROM zone",
      "SELECT count(*) FROM record", "SELECT count(*) FROM outcome",
      "SELECT count(*) FROM notification",
    ].map { try observer.value($0) ?? 0 }
  }
}

@Suite("I1, I2, S3 connections cut at each statement", onPostgreSQL, .timeLimit(.minutes(5)))
struct ConnectionCutTests {
  @Test(arguments: CuttingProxy.Place.allCases)
  func `a batch that is cut at any message takes effect, once`(place: CuttingProxy.Place)
    async throws
  {
    try await onThread {
      var cut = try CutWorld()
      var message = 0
      repeat {
        cut.world.proxy.arm(.message(message, place))
        // The committer repeats a transaction by itself.
        try cut.save(attempts: 1)
        message += 1
      } while cut.world.proxy.disarm()
      #expect(message > 30)
      #expect(
        try cut.counts() == [cut.saved, cut.saved, cut.saved, cut.saved - 1, cut.saved - 2])
    }
  }

  @Test(arguments: CuttingProxy.CommitPlace.allCases)
  func `a batch that is cut at its commit takes effect, once`(place: CuttingProxy.CommitPlace)
    async throws
  {
    try await onThread {
      var cut = try CutWorld()
      for _ in 0..<20 {
        cut.world.proxy.arm(.commit(0, place))
        try cut.save(attempts: 1)
        #expect(cut.world.proxy.disarm())
      }
      #expect(try cut.counts() == [42, 42, 42, 41, 40])
    }
  }

  @Test func `a batch whose new connection is cut at any message takes effect, once`() async throws
  {
    try await onThread {
      var cut = try CutWorld()
      var message = 0
      repeat {
        try cut.world.server.endConnections(to: cut.database)
        let place = CuttingProxy.Place.allCases[message % 3]
        cut.world.proxy.arm(.message(message, place))
        try cut.save(attempts: 3)
        message += 1
      } while cut.world.proxy.disarm()
      #expect(message > 60)
      #expect(
        try cut.counts() == [cut.saved, cut.saved, cut.saved, cut.saved - 1, cut.saved - 2])
    }
  }

  @Test func `a database whose creation is cut is created at the next start`() async throws {
    try await onThread {
      let world = try FaultWorld()
      var message = 0
      var isCut = true
      while isCut {
        let database = try world.makeDatabase()
        world.proxy.arm(.message(message, CuttingProxy.Place.allCases[message % 3]))
        do {
          _ = try world.open(database)
        } catch {
          #expect((error as? StoreError)?.kind.isTemporary == true, "\(error)")
        }
        isCut = world.proxy.disarm()
        let client = try StoreClient(try world.open(database))
        #expect(try client.page().changes.isEmpty)
        message += 41
      }
      #expect(message > 400)
    }
  }

  @Test func `a reader whose idle connection was closed reads on another one`() async throws {
    let cut = try CutWorld()
    #expect(try cut.people.ada.page().to == .zero)
    let fetched = RecordID(zone: cut.people.zone, name: RecordName(stored: "a"))
    for restart in [false, true] {
      if restart {
        try cut.world.server.stop()
        try await cut.world.server.start()
      } else {
        try cut.world.server.endConnections(to: cut.database)
      }
      // The first statement of each read fails, and no read does.
      for _ in 0..<3 {
        let states = try cut.store.fetch([fetched], of: cut.people.ada.identity)
        #expect(states.map { $0?.name } == [fetched.name])
      }
    }
  }
}
