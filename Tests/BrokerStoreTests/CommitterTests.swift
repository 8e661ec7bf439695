// Requests that share a transaction in which one of them fails.

import BrokerCore
import BrokerStore
import GRDB
import Records
import Synchronization
import Testing

@Suite("Requests in one transaction")
struct CommitterTests {
  @Test(arguments: [0, 7, 16])
  func `a request that the database rejects fails without the others of its transaction`(place: Int)
    throws
  {
    var world = try RefusingWorld()
    let clients = try (0..<17).map {
      try StoreClient(world.store, account: "account \($0)", key: [UInt8($0)])
    }
    let results = world.perform(
      clients.enumerated().map { index, client in
        saving(index == place ? "guilty" : "innocent", as: client)
      })
    for (index, result) in results.enumerated() {
      let outcome = try StoreClient.outcome(result).0
      #expect(
        (outcome.groups[0][0].error == nil) == (index != place), "request \(index): \(outcome)")
    }
    for (index, client) in clients.enumerated() {
      #expect(try client.page().changes.map(\.tag.value) == (index == place ? [] : [1]))
    }
  }

  @Test func `several rejected requests fail, and later requests in their zone succeed`() throws {
    var world = try RefusingWorld()
    var client = try StoreClient(world.store)
    let names = ["a", "guilty", "b", "c", "guilty", "guilty", "d"]
    let results = world.perform(
      names.map { client.nextRequest([OperationGroup(zone: .standard, operations: [save($0)])]) })
    let outcomes = try results.map { try StoreClient.outcome($0) }
    #expect(
      zip(names, outcomes).allSatisfy { ($0 == "guilty") == ($1.0.groups[0][0].error != nil) })
    #expect(try client.page().changes.map(\.name.text) == ["a", "b", "c", "d"])
    #expect(try client.page().changes.map(\.tag.value) == [1, 2, 3, 4])
    #expect(outcomes.last?.1.zones.first?.from == Revision(3))
  }

  @Test func `a subscription saved together with a rejected request matches later changes`() throws
  {
    let refusing = try RefusingWorld()
    var world = try ToldWorld(refusing.store)
    let form = query("TRUEPREDICATE").resolved(for: world.reader.identity.account)
    let saving = StorageRequest.client(
      .saveSubscription(form),
      RequestContext(connection: ConnectionID(1), replyTo: 1, identity: world.reader.identity))
    let writes = ["a", "guilty", "b"].map {
      world.writer.nextRequest([OperationGroup(zone: .standard, operations: [save($0)])])
    }
    var committer = refusing.committer
    _ = committer.perform([writes[0], saving, writes[1], writes[2]], at: time(3))
    #expect(try world.told() == ["s created b"])
  }

  @Test func `a rollback does not readmit a device whose key was replaced before`() throws {
    var world = try RefusingWorld()
    var client = try StoreClient(world.store)
    let other = try StoreClient(world.store, account: "bob", key: [2])
    let write = client.nextRequest([OperationGroup(zone: .standard, operations: [save("late")])])
    let rotation = StorageRequest.administer(
      .rotateKey(client.identity.device, digest: [5]), ConnectionID(9), replyTo: 1)
    _ = world.perform([rotation])
    let results = world.perform([saving("guilty", as: other), write])
    guard case .client(.answered(.error(let error), _), _) = results[1] else {
      throw RecordsError(.internalError, "\(results)")
    }
    #expect(error.code == .notAuthenticated)
    #expect(try client.page().changes.isEmpty)
  }

  @Test func `a database error is logged once, without content, and not sent to clients`() throws {
    var world = try RefusingWorld()
    let clients = try (0..<9).map {
      try StoreClient(world.store, account: "account \($0)", key: [UInt8($0)])
    }
    let results = world.perform(
      clients.enumerated().map { saving($0.offset == 4 ? "guilty" : "innocent", as: $0.element) })
    let error = try #require(try StoreClient.outcome(results[4]).0.groups[0][0].error)
    #expect(error.code == .internalError)
    #expect(error.message == "The broker failed to process the request.")
    let reported = world.reports.all
    #expect(reported.count == 1)
    #expect(reported.first?.contains("the trigger says no") == true)
    #expect(!reported.contains { $0.contains("guilty") || $0.contains("secret") })
  }

  @Test func `the answer to a greeting contains no database error`() throws {
    var world = try RefusingWorld()
    try world.refuse("INSERT ON account", where: "new.name = 'guilty'")
    let error = #expect(throws: RecordsError.self) {
      _ = try world.signIn(account: "guilty")
    }
    #expect(error?.message == "The broker failed to process the request.")
    #expect(world.reports.all.count == 1)
  }

  @Test func `with little disk space known devices can sign in and delete, but not save`() throws {
    let store = try SQLiteRecordStore()
    var client = try StoreClient(store)
    _ = try client.modify([save("a")])
    client.committer = Committer(
      store: store, generator: SystemRandomNumberGenerator(), hasDiskRoom: { false })
    #expect(try client.signInAgain().identity.device == client.identity.device)
    let (outcome, _) = try client.modify([delete("a", tag: 1)])
    #expect(outcome.groups[0][0] == .deleted(tag: Revision(2)))
    let request = client.nextRequest([
      OperationGroup(zone: .standard, operations: [save("b")])
    ])
    guard
      case .client(.answered(.error(let error), _), _) = client.committer.perform(
        [request], at: time(3))[0]
    else {
      Issue.record("It was saved.")
      return
    }
    #expect(error.code == .serviceUnavailable && error.retryAfterSeconds != nil)
    #expect(throws: RecordsError.self) {
      try StoreClient.signIn(&client.committer, account: "bob", key: [9], device: nil)
    }
  }

  private func saving(_ name: String, as client: StoreClient) -> StorageRequest {
    client.request(
      number: RequestNumber(1),
      [OperationGroup(zone: .standard, operations: [save(name, ["note": .string("secret")])])])
  }
}

/// A store whose database rejects all records named `guilty`, and its log.
private struct RefusingWorld {
  /// The reports, in order.
  final class Reports: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    func add(_ error: any Error) { texts.withLock { $0.append(error.logText) } }
  }

  let store: SQLiteRecordStore
  let reports = Reports()
  var committer: Committer<SystemRandomNumberGenerator>
  private let path: String

  init() throws {
    path = try StoreKind.newPath()
    store = try SQLiteRecordStore(path: path)
    committer = Committer(
      store: store, generator: SystemRandomNumberGenerator(),
      report: { [reports] in reports.add($0) })
    try refuse("INSERT ON record", where: "new.name = 'guilty'")
  }

  mutating func perform(_ requests: [StorageRequest]) -> [StorageResult] {
    committer.perform(requests, at: time(3))
  }

  func refuse(_ statement: String, where condition: String) throws {
    let queue = try DatabaseQueue(path: path)
    let name = statement.replacing(" ", with: "_")
    try queue.write {
      try $0.execute(
        sql: """
          CREATE TRIGGER refused_\(name) BEFORE \(statement) WHEN \(condition) BEGIN
            SELECT RAISE(ABORT, 'the trigger says no');
          END
          """)
    }
    try queue.close()
  }

  mutating func signIn(account: String) throws -> SignedIn {
    let hello = Hello(
      version: 1, container: "contacts", accountName: account, deviceName: "desk", device: nil,
      deviceKey: [7], lastNumber: .zero, acknowledged: .zero, directory: .zero, zones: [])
    let request = SignInRequest(
      peer: .localUser(0), maySpeakForOthers: true, accountsAreOpen: false, hello: hello,
      deviceKeyDigest: [7])
    switch perform([.signIn(request, ConnectionID(1))])[0] {
    case .signedIn(.success(let signedIn), _): return signedIn
    case .signedIn(.failure(let error), _): throw error
    case let other: throw RecordsError(.internalError, "\(other)")
    }
  }
}

extension OperationResult {
  /// The reason for which the operation was rejected.
  fileprivate var error: RecordsError? {
    if case .failed(let error, _) = self { error } else { nil }
  }
}
