// Every store: the public database. It is one zone for all accounts, and permissions belong to records.

import BrokerCore
import BrokerStore
import Predicates
import Records
import Testing

/// Two accounts of one store.
struct PublicWorld {
  var ada: StoreClient
  var bob: StoreClient

  init(_ kind: StoreKind, _ rights: String = "") throws {
    let store = try kind.make(publicRights: try PublicRights(rights))
    ada = try StoreClient(store, key: [1])
    bob = try StoreClient(store, account: "bob", key: [2])
  }
}

/// Saves a record of a type.
func publicSave(_ name: String, _ type: String, tag: Int64? = nil, _ fields: Fields = [:])
  -> Operation
{
  .save(
    Operation.Save(
      name: RecordName(stored: name), type: RecordType(stored: type), tag: tag.map { Revision($0) },
      fields: EncodedRecord(fields)))
}

func forcedDelete(_ name: String) -> Operation {
  .delete(Operation.Delete(name: RecordName(stored: name), tag: nil, isForced: true))
}

extension StoreClient {
  /// Performs an operation in the public database. Returns its error.
  mutating func change(_ operation: Operation) throws -> RecordsError? {
    guard case .failed(let error, _) = try modify([operation], in: .public).0[0] else {
      return nil
    }
    return error
  }

  /// Returns a public record if it exists and is readable.
  func publicRecord(_ name: String) throws -> Change? {
    try store.fetch([RecordID(zone: .public, name: RecordName(stored: name))], of: identity)[0]
  }

  /// Returns the names of the records that a query of the public database finds.
  func publicNames(
    _ type: String, _ predicate: String = "TRUEPREDICATE", zone: ZoneID? = nil
  ) throws -> [String] {
    let query = try RecordQuery(
      QueryForm(
        database: .public, zone: zone, type: RecordType(stored: type),
        predicate: PredicateText(predicate)))
    let page = try store.query(
      query, from: nil, of: identity, clock: QueryClock(now: time(5)) { false })
    return page.records.map(\.change.name.text)
  }
}

@Suite("K5, T1, B1 public database contract")
struct PublicContract {
  @Test(arguments: StoreKind.allCases)
  func `every account may read and create, only the creator may change a record`(kind: StoreKind)
    throws
  {
    var world = try PublicWorld(kind)
    #expect(try world.ada.change(publicSave("p", "Post", ["caption": .string("Frost")])) == nil)
    #expect(try world.bob.change(publicSave("c", "Comment", ["text": .string("Oh")])) == nil)
    let post = try #require(try world.bob.publicRecord("p"))
    #expect(post.created.origin.account == world.ada.identity.account)
    #expect(try world.bob.publicNames("Post") == ["p"])
    #expect(try world.ada.publicNames("Comment", "text == 'Oh'", zone: .public) == ["c"])
    let edit = publicSave("p", "Post", tag: post.tag.value, ["caption": .string("Mine")])
    let refused = try #require(try world.bob.change(edit))
    #expect(refused.code == .permissionFailure && refused.reason == "publicWrite")
    #expect(refused.record?.text == "p")
    #expect(try world.bob.change(forcedDelete("p"))?.code == .permissionFailure)
    #expect(try world.ada.change(edit) == nil)
    #expect(try world.bob.publicRecord("p")?.record.fields() == ["caption": .string("Mine")])
    #expect(try world.ada.change(forcedDelete("c"))?.code == .permissionFailure)
    #expect(try world.ada.change(forcedDelete("p")) == nil)
    #expect(try world.bob.publicRecord("p")?.kind == .deleted)
    #expect(try world.bob.change(forcedDelete("p")) == nil, "what is gone is gone")
  }

  @Test(arguments: StoreKind.allCases)
  func `saving over another account's unreadable record reveals nothing of it`(kind: StoreKind)
    throws
  {
    var world = try PublicWorld(kind, "Diary: read creator")
    #expect(try world.ada.change(publicSave("d", "Diary", ["text": .string("secret")])) == nil)
    let result = try world.bob.modify([publicSave("d", "Diary")], in: .public).0[0]
    guard case .failed(let error, let serverRecord) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(error.code == .permissionFailure && serverRecord == nil)
    #expect(try world.bob.publicRecord("d") == nil)
    #expect(try world.bob.publicNames("Diary") == [])
    #expect(try world.ada.publicNames("Diary") == ["d"])
    #expect(try world.ada.publicRecord("d") != nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `change tags and request numbers work as in other zones`(kind: StoreKind) throws {
    var world = try PublicWorld(kind, "Wiki: write account")
    #expect(try world.ada.change(publicSave("w", "Wiki", ["n": .int64(1)])) == nil)
    #expect(try world.bob.change(publicSave("w", "Wiki", tag: 1, ["n": .int64(2)])) == nil)
    #expect(
      try world.ada.change(publicSave("w", "Wiki", tag: 1, ["n": .int64(3)]))?.code
        == .serverRecordChanged)
    let record = try #require(try world.ada.publicRecord("w"))
    #expect(record.created.origin.account == world.ada.identity.account)
    #expect(record.modified.origin.account == world.bob.identity.account)
    let request = world.bob.nextRequest([
      OperationGroup(zone: .public, operations: [publicSave("once", "Wiki")])
    ])
    let first = world.bob.committer.perform([request], at: time(7))[0]
    let again = world.bob.committer.perform([request], at: time(8))[0]
    #expect(try StoreClient.outcome(first).0 == StoreClient.outcome(again).0)
    #expect(try world.ada.publicRecord("once")?.tag == Revision(3))
  }

  @Test(arguments: StoreKind.allCases)
  func `types without a rule of their own follow the rule for all types`(kind: StoreKind) throws {
    var world = try PublicWorld(kind, "Post: create account; *: create nobody, write nobody")
    #expect(try world.ada.change(publicSave("p", "Post")) == nil)
    let refused = try world.ada.change(publicSave("n", "Note"))
    #expect(refused?.code == .permissionFailure && refused?.reason == "publicCreate")
    #expect(try world.ada.change(forcedDelete("p"))?.reason == "publicWrite")
  }

  @Test(arguments: StoreKind.allCases)
  func `the public zone cannot be followed, listed, shared, renamed, emptied or deleted`(
    kind: StoreKind
  ) throws {
    var world = try PublicWorld(kind)
    #expect(try world.ada.change(publicSave("p", "Post")) == nil)
    for operation in [
      Operation.saveZone(title: "x"), .deleteZone(), .emptyTrash(through: Revision(1)),
    ] {
      #expect(try world.ada.change(operation)?.reason == "publicZone")
    }
    let other = ZoneID(owner: .public, name: ZoneName(9))
    #expect(try world.ada.modify([.saveZone(title: "x")], in: other).0.count == 1)
    #expect(try world.ada.refusalOfWriting(in: other) == .zoneNotFound)
    let ada = world.ada.identity
    let zones = try world.ada.store.transact {
      try $0.zones(at: [ZonePosition(zone: .public, token: nil)], of: ada)
    }
    #expect(zones.map(\.stored) == [nil])
    let directory = try world.ada.store.directory(of: ada)
    #expect(directory.entries.map(\.zone) == [world.ada.zone])
    let record = RecordID(zone: .public, name: RecordName(stored: "p"))
    #expect(try world.ada.store.history(record, below: nil, of: ada).states.isEmpty)
    #expect(try world.ada.store.trash(.public, below: nil, of: ada).items.isEmpty)
    let shared = try world.ada.share(
      .create(.public, ShareForm(publicPermission: .readOnly, link: SharedWorld.link))
    ).answer
    #expect(throws: RecordsError.self) { try shared.get() }
    let zone = SubscriptionForm(
      id: SubscriptionID(stored: "z"), database: .public, kind: .zone(.public, type: nil))
    #expect(try world.ada.subscribe(zone) != nil)
    #expect(throws: RecordsError.self) { try world.ada.publicNames("Post", zone: world.ada.zone) }
  }

  @Test(arguments: StoreKind.allCases)
  func `no device signs in to the reserved account, and no account has an empty name`(
    kind: StoreKind
  ) throws {
    let world = try PublicWorld(kind)
    let profiles = try world.ada.store.accounts(
      .look([.public, world.ada.identity.account]), of: world.ada.identity
    ).profiles
    #expect(profiles.map(\.name) == ["ada"])
    #expect(try world.ada.store.accounts(.find(name: ""), of: world.ada.identity).profiles == [])
    #expect(throws: RecordsError.self) {
      try StoreClient(world.ada.store, account: "", key: [3])
    }
    var client = world.ada
    for order in [
      AdministrativeRequest.setAccount(name: "", isDisabled: false), .deleteAccount(name: ""),
    ] {
      let result = client.committer.perform(
        [.administer(order, ConnectionID(9), replyTo: 1)], at: time(9))[0]
      guard case .administered(.failure(let error), _, _) = result else {
        Issue.record("\(result)")
        return
      }
      #expect(error.code == .unknownItem)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `each container has its own public database`(kind: StoreKind) throws {
    var world = try PublicWorld(kind)
    #expect(try world.ada.change(publicSave("p", "Post")) == nil)
    let elsewhere = try StoreClient(world.ada.store, key: [7], container: "other")
    #expect(try elsewhere.publicNames("Post") == [])
    #expect(try elsewhere.publicRecord("p") == nil)
  }

  @Test func `an indexed query finds what its account may read, in the same order`() throws {
    let rights = try PublicRights("Diary: read creator")
    var pages: [[[String]]] = []
    for isIndexed in [false, true] {
      let store = try SQLiteRecordStore(publicRights: rights)
      if isIndexed { try store.transact { try $0.declareIndexes([DeclaredIndex("Diary.n")]) } }
      var ada = try StoreClient(store, key: [1])
      var bob = try StoreClient(store, account: "bob", key: [2])
      for number in 0..<60 {
        let operation = publicSave("d\(100 + number)", "Diary", ["n": .int64(Int64(number % 7))])
        _ = number % 3 == 0 ? try ada.change(operation) : try bob.change(operation)
      }
      if isIndexed { while try store.transact({ try $0.fillIndexes(rowsMaximum: 50) }) {} }
      pages.append(try [ada, bob].map { try sorted($0) })
    }
    #expect(pages[0] == pages[1])
    #expect(pages[0].map(\.count) == [20, 40])
  }

  /// Returns the diaries that the client may read, by descending number, in pages of seven.
  private func sorted(_ client: StoreClient) throws -> [String] {
    let query = try RecordQuery(
      QueryForm(
        database: .public, zone: nil, type: RecordType(stored: "Diary"),
        predicate: PredicateText("n >= 0"),
        sort: [QueryForm.SortOrder(key: "n", isDescending: true)], desiredKeys: nil, limit: 7))
    var names: [String] = []
    var cursor: QueryCursor?
    repeat {
      let page = try client.store.query(
        query, from: cursor, of: client.identity, clock: QueryClock(now: time(5)) { false })
      names += page.records.map(\.change.name.text)
      cursor = try page.cursor.map { try QueryCursor(bytes: $0, of: query) }
    } while cursor != nil
    return names
  }

  // MARK: Subscriptions

  private func told(_ client: StoreClient, _ start: NotificationStart) throws -> [String] {
    try client.told(behind: start).notifications.flatMap { notification in
      notification.firings.map {
        "\($0.subscription) \($0.reason) \(notification.database) \(notification.record)"
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a conflict does not reveal an unreadable record`(kind: StoreKind) throws {
    var world = try PublicWorld(kind, "Diary: read creator")
    #expect(try world.ada.change(publicSave("d", "Diary")) == nil)
    #expect(try world.ada.change(forcedDelete("d")) == nil)
    let result = try world.bob.modify([publicSave("d", "Diary", tag: 77)], in: .public).0[0]
    guard case .failed(let error, let server) = result else {
      throw RecordsError(.internalError, "\(result)")
    }
    #expect(error.code == .serverRecordChanged && server == nil)
    guard
      case .failed(_, let own?) = try world.ada.modify(
        [publicSave("d", "Diary", tag: 77)], in: .public
      ).0[0]
    else { throw RecordsError(.internalError, "The creator does not get the deleted record.") }
    #expect(own.kind == .deleted)
  }

  private func form(_ id: String, _ type: String) -> SubscriptionForm {
    SubscriptionForm(
      id: SubscriptionID(stored: id), database: .public,
      kind: .query(
        type: RecordType(stored: type), predicate: PredicateText("TRUEPREDICATE"), zone: nil))
  }

  @Test(arguments: StoreKind.allCases)
  func `a query subscription notifies about records that its account may read`(kind: StoreKind)
    throws
  {
    var world = try PublicWorld(kind, "Diary: read creator")
    var phone = try StoreClient(world.ada.store, key: [3])
    let (bobs, adas) = (try world.bob.follow(), try phone.follow())
    for type in ["Post", "Diary"] {
      #expect(try world.bob.subscribe(form("b\(type)", type)) == nil)
      #expect(try phone.subscribe(form("a\(type)", type)) == nil)
    }
    #expect(try world.bob.subscribe(query("TRUEPREDICATE", id: "private")) == nil)
    #expect(try world.ada.change(publicSave("p", "Post")) == nil)
    #expect(try world.ada.change(publicSave("d", "Diary")) == nil)
    #expect(try world.ada.change(forcedDelete("p")) == nil)
    let zone = ZoneID.public
    #expect(
      try told(world.bob, bobs) == [
        "bPost created public \(zone)/p", "bPost deleted public \(zone)/p",
      ])
    #expect(
      try told(phone, adas) == [
        "aPost created public \(zone)/p", "aDiary created public \(zone)/d",
        "aPost deleted public \(zone)/p",
      ])
  }

  @Test(arguments: StoreKind.allCases)
  func `an account is notified about its record although another account reuses the name`(
    kind: StoreKind
  ) throws {
    var world = try PublicWorld(kind, "Diary: read creator")
    var phone = try StoreClient(world.ada.store, key: [3])
    let start = try phone.follow()
    #expect(try phone.subscribe(form("s", "Diary")) == nil)
    #expect(try world.ada.change(publicSave("d", "Diary")) == nil)
    #expect(try world.ada.change(forcedDelete("d")) == nil)
    #expect(try world.bob.change(publicSave("d", "Diary")) == nil)
    let zone = ZoneID.public
    #expect(
      try told(phone, start) == [
        "s created public \(zone)/d", "s deleted public \(zone)/d",
      ])
  }

  @Test func `pending notifications are not sent once the settings revoke the permission`() throws {
    let path = try StoreKind.newPath()
    let start: NotificationStart
    do {
      var ada = try StoreClient(try SQLiteRecordStore(path: path), key: [1])
      var bob = try StoreClient(ada.store, account: "bob", key: [2])
      start = try bob.follow()
      _ = try bob.subscribe(form("s", "Post"))
      #expect(try ada.change(publicSave("p", "Post")) == nil)
      #expect(try told(bob, start).count == 1)
    }
    let store = try SQLiteRecordStore(path: path, publicRights: try PublicRights("*: read creator"))
    var bob = try StoreClient(store, account: "bob", key: [3])
    let again = try bob.follow()
    #expect(try told(bob, start) == [])
    #expect(try bob.publicNames("Post") == [])
    #expect(try bob.publicRecord("p") == nil)
    #expect(try bob.change(publicSave("own", "Post")) == nil)
    #expect(again.receiver != start.receiver)
    #expect(try bob.publicNames("Post") == ["own"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a collapsed notification about the public zone names no zone`(kind: StoreKind) throws {
    var world = try PublicWorld(kind)
    let start = try world.bob.follow()
    _ = try world.bob.subscribe(form("s", "Post"))
    for part in 0..<4 {
      _ = try world.ada.modify((0..<300).map { publicSave("r\(part)-\($0)", "Post") }, in: .public)
    }
    try world.bob.sweep()
    try world.bob.sweep([start.receiver: 1000])
    let (_, folds) = try world.bob.told(behind: start)
    #expect(!folds.isEmpty && folds.allSatisfy { $0.zones.isEmpty })
  }
}
