// The contract of a store, with any database. `make test` runs each test on both kinds of SQLite, `make check` also on PostgreSQL.

import BrokerCore
import BrokerStore
import FoundationEssentials
import PostgreSQLStores
import Processes
import Records
import SQLiteFile
import Testing

/// A kind of store. Each test creates a new store of it.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  case sqliteInMemory
  case sqliteFile
  case postgreSQL

  /// The kinds of this run.
  static var allCases: [StoreKind] {
    switch BrokerStoreKind.ofThisRun {
    case .sqlite: [.sqliteInMemory, .sqliteFile]
    case .postgreSQL: [.postgreSQL]
    }
  }

  var testDescription: String { rawValue }

  func make(
    publicRights: PublicRights = PublicRights(), cascades: CascadeBounds = CascadeBounds()
  ) throws -> any RecordStore {
    switch self {
    case .sqliteInMemory:
      try SQLiteRecordStore(publicRights: publicRights, cascades: cascades)
    case .sqliteFile:
      try SQLiteRecordStore(
        path: try Self.newPath(), publicRights: publicRights, cascades: cascades)
    case .postgreSQL:
      try PostgreSQLStores.make(publicRights: publicRights, cascades: cascades)
    }
  }

  static func newPath() throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appending(path: "broker.sqlite").path
  }
}

/// A device that uses a store directly, without a broker.
struct StoreClient {
  let store: any RecordStore
  var committer: Committer<SystemRandomNumberGenerator>
  private(set) var identity: SessionIdentity
  private(set) var directory: DirectoryPage
  private var last: RequestNumber
  private let key: [UInt8]

  init(
    _ store: any RecordStore, account: String = "ada", key: [UInt8] = [1], device: DeviceID? = nil,
    container: String = "contacts"
  ) throws {
    self.store = store
    self.key = key
    committer = Committer(store: store, generator: SystemRandomNumberGenerator())
    let signedIn = try Self.signIn(
      &committer, account: account, key: key, device: device, container: container)
    identity = signedIn.identity
    directory = signedIn.directory
    last = signedIn.lastNumber
  }

  var zone: ZoneID { ZoneID(owner: identity.account, name: .standard) }

  static func signIn(
    _ committer: inout Committer<SystemRandomNumberGenerator>, account: String, key: [UInt8],
    device: DeviceID?, container: String = "contacts", directory: Revision = .zero,
    zones: [ZonePosition] = []
  ) throws -> SignedIn {
    let hello = Hello(
      version: 1, container: container, accountName: account, deviceName: "laptop",
      device: device, deviceKey: key, lastNumber: .zero, acknowledged: .zero,
      directory: directory, zones: zones)
    let request = SignInRequest(
      peer: .localUser(0), maySpeakForOthers: true, accountsAreOpen: false, hello: hello,
      deviceKeyDigest: key)
    let results = committer.perform([.signIn(request, ConnectionID(1))], at: time(1))
    guard case .signedIn(.success(let signedIn), _) = results[0] else {
      throw RecordsError(.internalError, "\(results[0])")
    }
    return signedIn
  }

  mutating func signInAgain(
    directory: Revision = .zero, zones: [ZonePosition] = []
  ) throws -> SignedIn {
    try Self.signIn(
      &committer, account: "ada", key: key, device: identity.device, directory: directory,
      zones: zones)
  }

  mutating func nextRequest(_ groups: [OperationGroup]) -> StorageRequest {
    last = last.next
    return request(number: last, groups)
  }

  func request(number: RequestNumber, _ groups: [OperationGroup]) -> StorageRequest {
    .client(
      .modify(ModifyRequest(number: number, acknowledged: .zero, groups: groups)),
      RequestContext(connection: ConnectionID(1), replyTo: 1, identity: identity))
  }

  /// Performs operations on the standard zone, in one group.
  mutating func modify(
    _ operations: [Operation], at now: Timestamp = time(2)
  ) throws -> (ModifyOutcome, CommitEffects) {
    let request = nextRequest([OperationGroup(zone: .standard, operations: operations)])
    return try Self.outcome(committer.perform([request], at: now)[0])
  }

  static func outcome(_ result: StorageResult) throws -> (ModifyOutcome, CommitEffects) {
    guard case .client(.modified(let outcome, let effects), _) = result else {
      throw RecordsError(.internalError, "\(result)")
    }
    return (outcome, effects)
  }

  /// Returns the standard zone as a subscriber receives it.
  func stored() throws -> StoredZone {
    let attached = try store.transact {
      try $0.zones(at: [ZonePosition(zone: .standard, token: nil)], of: identity)
    }
    return try #require(attached.first?.stored)
  }

  func page(after: Int64 = 0, scanStart: Int64 = 0) throws -> FeedPage {
    let zone = try stored()
    return try store.page(
      PageRequest(
        reader: identity, key: try #require(zone.key), zone: zone.id,
        incarnation: zone.incarnation, after: Revision(after), scanStart: Revision(scanStart),
        attachment: 1))
  }
}

func time(_ seconds: Int64) -> Timestamp { Timestamp(microseconds: seconds * 1_000_000) }

func save(_ name: String, tag: Int64? = nil, _ fields: Fields = [:]) -> Operation {
  .save(
    Operation.Save(
      name: RecordName(stored: name), type: RecordType(stored: "Contact"),
      tag: tag.map { Revision($0) }, fields: EncodedRecord(fields)))
}

func delete(_ name: String, tag: Int64) -> Operation {
  .delete(Operation.Delete(name: RecordName(stored: name), tag: Revision(tag)))
}

extension Committer {
  /// Does a step of a maintenance job.
  mutating func report(of step: MaintenanceStep, at now: Timestamp) throws -> StepReport {
    guard case .maintained(let result) = perform([.maintain(step)], at: now)[0],
      case .done(let report) = result.outcome
    else { throw RecordsError(.internalError, "The step was not done.") }
    return report
  }
}

@Suite("B1, B6, I1, I2, I4 store contract")
struct RecordStoreContract {
  @Test(arguments: StoreKind.allCases)
  func `a saved record is read back with its author`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    let fields: Fields = ["firstName": .string("Zoë"), "age": .int64(-1)]
    let (outcome, effects) = try client.modify([save("a", fields)])
    #expect(outcome.groups == [[.saved(tag: Revision(1))]])
    let id = RecordID(zone: .standard, name: RecordName(stored: "a"))
    let fetched = try client.store.fetch([id], of: client.identity)
    let change = try #require(fetched[0])
    #expect(try change.record.fields() == fields)
    #expect(change.modified.origin.device == client.identity.device)
    #expect(change.modified.origin.account == client.identity.account)
    #expect(change.modified.time == time(2))
    #expect(effects.zones.first?.changes == [change])
  }

  @Test(arguments: StoreKind.allCases)
  func `an edit retains the record's creator, an undelete does not`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([save("a")], at: time(2))
    _ = try client.modify([save("a", tag: 1, ["x": .int64(1)])], at: time(3))
    #expect(try client.page().changes.map(\.created.time) == [time(2)])
    #expect(try client.page().changes.map(\.modified.time) == [time(3)])
    _ = try client.modify([delete("a", tag: 2)], at: time(4))
    _ = try client.modify([save("a")], at: time(5))
    #expect(try client.page().changes.map(\.created.time) == [time(5)])
  }

  @Test(arguments: StoreKind.allCases)
  func `the feed contains each record once, in order of its latest change`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([save("a"), save("b"), save("c")])
    _ = try client.modify([save("a", tag: 1, ["x": .int64(1)])])
    let page = try client.page()
    #expect(page.changes.map(\.name.text) == ["b", "c", "a"])
    #expect(page.changes.map(\.tag.value) == [2, 3, 4])
    #expect(page.to == Revision(4))
    #expect(try client.page(after: 3).changes.map(\.name.text) == ["a"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a first scan skips tombstones it cannot need and no others`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([save("a"), save("b")])
    _ = try client.modify([delete("a", tag: 1)])
    #expect(try client.page(scanStart: 3).changes.map(\.name.text) == ["b"])
    #expect(try client.page(scanStart: 2).changes.map(\.name.text) == ["b", "a"])
    #expect(try client.page(scanStart: 3).to == Revision(3))
  }

  @Test(arguments: StoreKind.allCases)
  func `pages respect their limits and continue where they ended`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    for start in stride(from: 0, to: 1200, by: 400) {
      _ = try client.modify((start..<start + 400).map { save("r\($0)") })
    }
    var names: [String] = []
    var after: Int64 = 0
    repeat {
      let page = try client.page(after: after, scanStart: 1200)
      #expect(page.changes.count <= BrokerLimits.pageRows)
      names += page.changes.map(\.name.text)
      after = page.to.value
    } while after < 1200
    #expect(names == (0..<1200).map { "r\($0)" })
  }

  @Test(arguments: StoreKind.allCases)
  func `a request repeated has its first outcome and happens once`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    let request = client.nextRequest([
      OperationGroup(zone: .standard, operations: [save("a")])
    ])
    let (first, _) = try StoreClient.outcome(client.committer.perform([request], at: time(2))[0])
    let (second, effects) = try StoreClient.outcome(
      client.committer.perform([request], at: time(3))[0])
    #expect(first == second)
    #expect(effects.zones.isEmpty)
    #expect(try client.page().to == Revision(1))
  }

  @Test(arguments: StoreKind.allCases)
  func `requests of one transaction build on each other`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    let requests = [
      client.nextRequest([OperationGroup(zone: .standard, operations: [save("a")])]),
      client.nextRequest([
        OperationGroup(zone: .standard, operations: [save("a", tag: 1, ["x": .int64(1)])])
      ]),
    ]
    let results = try client.committer.perform(requests, at: time(2)).map(StoreClient.outcome)
    #expect(results[1].0.groups == [[.saved(tag: Revision(2))]])
    #expect(results[1].1.zones.first?.from == Revision(1))
  }

  /// Renaming a zone removed its row from the writer's cache, and the writer then read back an old head.
  @Test(arguments: StoreKind.allCases)
  func `revisions continue after a zone is renamed in the same transaction`(kind: StoreKind) throws
  {
    var client = try StoreClient(try kind.make())
    let family = ZoneID(name: ZoneName(0x77))
    let requests = [
      client.nextRequest([
        OperationGroup(zone: family, operations: [.saveZone(title: "Family"), save("a")])
      ]),
      client.nextRequest([
        OperationGroup(zone: family, operations: [save("b"), .saveZone(title: "Kin"), save("c")])
      ]),
      client.nextRequest([OperationGroup(zone: family, operations: [save("d")])]),
    ]
    let results = try client.committer.perform(requests, at: time(2)).map(StoreClient.outcome)
    #expect(results[1].0.groups[0].last == .saved(tag: Revision(3)))
    #expect(results[2].0.groups == [[.saved(tag: Revision(4))]])
  }

  @Test(arguments: StoreKind.allCases)
  func `an acknowledged outcome is deleted, and using its number again reveals a clone`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([save("a")])
    let results = client.committer.perform(
      [
        .client(
          .acknowledge(RequestNumber(1)),
          RequestContext(connection: ConnectionID(1), replyTo: 1, identity: client.identity)),
        client.request(
          number: RequestNumber(1),
          [OperationGroup(zone: .standard, operations: [save("a")])]),
      ], at: time(3))
    guard case .client(.answered(.error(let error), _), _) = results[1] else {
      Issue.record("\(results[1])")
      return
    }
    #expect(error.reason == "clonedDevice")
  }

  @Test(arguments: StoreKind.allCases)
  func `a failed transaction changes nothing`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([save("a")])
    struct Failure: Error {}
    #expect(throws: (any Error).self) {
      try client.store.transact { transaction in
        try transaction.acknowledge(RequestNumber(1), of: client.identity)
        throw Failure()
      }
    }
    let request = client.request(
      number: RequestNumber(1), [OperationGroup(zone: .standard, operations: [save("a")])])
    let (outcome, _) = try StoreClient.outcome(
      client.committer.perform([request], at: time(3))[0])
    #expect(outcome.groups == [[.saved(tag: Revision(1))]], "the outcome is still kept")
  }

  @Test(arguments: StoreKind.allCases)
  func `a known device receives only the changes of its directory`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    #expect(client.directory.entries.map(\.zone.name) == [.standard])
    let family = ZoneID(name: ZoneName(0x77))
    let request = client.nextRequest([
      OperationGroup(zone: family, operations: [.saveZone(title: "Family")])
    ])
    let (_, effects) = try StoreClient.outcome(
      client.committer.perform([request], at: time(2))[0])
    #expect(effects.directories.first?.page.from == client.directory.to)
    let signedIn = try client.signInAgain(directory: client.directory.to)
    #expect(signedIn.directory.entries.map(\.title) == ["Family"])
    #expect(signedIn.directory.entries == effects.directories.first?.page.entries)
    let again = try client.signInAgain(directory: signedIn.directory.to)
    #expect(again.directory.entries.isEmpty)
    #expect(again.directory.from == again.directory.to)
  }

  @Test(arguments: StoreKind.allCases)
  func `a directory revision from another history gets the whole directory`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    let signedIn = try client.signInAgain(directory: Revision(99))
    #expect(signedIn.directory.from == .zero)
    #expect(signedIn.directory.entries.count == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `accounts do not see each other's zones`(kind: StoreKind) throws {
    let store = try kind.make()
    var client = try StoreClient(store)
    _ = try client.modify([save("a")])
    let other = try StoreClient(store, account: "bob", key: [2])
    let theirs = RecordID(zone: client.zone, name: RecordName(stored: "a"))
    #expect(try store.fetch([theirs], of: other.identity) == [nil])
    let zones = try store.transact {
      try $0.zones(at: [ZonePosition(zone: client.zone, token: nil)], of: other.identity)
    }
    #expect(zones.first?.stored == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `I14: deleting tombstones expires the tokens that still need them`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    _ = try client.modify([save("a"), save("b")], at: time(10))
    _ = try client.modify([delete("a", tag: 1)], at: time(11))
    let early = try client.store.transact {
      try $0.expireTombstones(AgeCutoff(before: time(11)), rowsMaximum: 100)
    }
    #expect(early == 0, "younger than the horizon")
    let count = try client.store.transact {
      try $0.expireTombstones(AgeCutoff(before: time(12)), rowsMaximum: 100)
    }
    #expect(count == 1)
    #expect(throws: RecordsError.self) { try client.page(after: 2, scanStart: 0) }
    #expect(try client.page(after: 3).changes.isEmpty)
    #expect(try client.page(after: 0, scanStart: 3).changes.map(\.name.text) == ["b"])
  }

  @Test(arguments: StoreKind.allCases)
  func `the rows of a deleted zone are deleted in steps and its pages are rejected`(
    kind: StoreKind
  ) throws {
    var client = try StoreClient(try kind.make())
    let family = ZoneID(name: ZoneName(0x77))
    let groups = [
      OperationGroup(zone: family, operations: [.saveZone(title: "Family"), save("a"), save("b")]),
      OperationGroup(
        zone: family, operations: [.deleteZone(), .emptyTrash(through: Revision(100))]),
    ]
    let request = client.nextRequest(groups)
    _ = try StoreClient.outcome(client.committer.perform([request], at: time(2))[0])
    let counts = try (0..<3).map { _ in
      try client.store.transact {
        try $0.expireTombstones(AgeCutoff(before: time(0)), rowsMaximum: 1)
      }
    }
    #expect(counts == [1, 1, 0])
  }
}
