// Every store: subscriptions and their notifications.

import BrokerCore
import BrokerStore
import Records
import TestTiers
import Testing

extension StoreClient {
  /// Saves a subscription. Returns the error if it is rejected.
  @discardableResult
  mutating func subscribe(_ form: SubscriptionForm) throws -> RecordsError? {
    try answer(
      .client(
        .saveSubscription(form.resolved(for: identity.account)),
        RequestContext(connection: ConnectionID(1), replyTo: 1, identity: identity))
    )
  }

  /// Deletes a subscription. Returns the error if it is rejected.
  @discardableResult
  mutating func unsubscribe(_ id: String) throws -> RecordsError? {
    try answer(
      .client(
        .deleteSubscription(SubscriptionID(stored: id)),
        RequestContext(connection: ConnectionID(1), replyTo: 1, identity: identity)))
  }

  private mutating func answer(_ request: StorageRequest) throws -> RecordsError? {
    guard case .client(.answered(let message, _), _) = committer.perform([request], at: time(2))[0]
    else { throw RecordsError(.internalError, "It was not answered.") }
    if case .error(let error) = message { return error }
    return nil
  }

  /// Begins to follow notifications.
  mutating func follow(from position: Int64 = 0) throws -> NotificationStart {
    let request = StorageRequest.client(
      .followNotifications(NotificationNumber(position)),
      RequestContext(connection: ConnectionID(1), replyTo: 1, identity: identity))
    guard case .client(.following(let start), _) = committer.perform([request], at: time(2))[0]
    else {
      throw RecordsError(.internalError, "It does not follow.")
    }
    return start
  }

  /// Returns all notifications after a start, page by page, until the device's notifications are collapsed.
  func told(
    behind start: NotificationStart
  ) throws -> (notifications: [ChangeNotification], collapsed: [CollapsedNotifications]) {
    var notifications: [ChangeNotification] = []
    var collapsed: [CollapsedNotifications] = []
    var (after, predecessor) = (start.position, start.predecessor)
    while true {
      let stretch = try store.notifications(
        NotificationRead(
          receiver: start.receiver, container: identity.container, account: identity.account,
          accountKey: identity.accountKey, after: after, predecessor: predecessor))
      #expect(stretch.notifications.count <= BrokerLimits.notificationsPerPage)
      notifications += stretch.notifications
      collapsed += stretch.collapsed
      after = stretch.through
      predecessor =
        stretch.notifications.last?.number ?? stretch.collapsed.last?.last ?? predecessor
      guard stretch.end == .more else { return (notifications, collapsed) }
    }
  }

  /// Sweeps until nothing is left. Returns the devices whose delivery resumes.
  @discardableResult
  mutating func sweep(_ acknowledged: [StoreKey: Int64] = [:]) throws -> [StoreKey] {
    var resumed: [StoreKey] = []
    var isMore = true
    var numbers = acknowledged.mapValues { NotificationNumber($0) }
    while isMore {
      let step = MaintenanceStep.notifications(
        NotificationCleanup(acknowledged: numbers, through: nil))
      let report = try committer.report(of: step, at: time(3))
      resumed += report.effects.resumed
      isMore = report.continuation == .nextStep
      numbers = [:]
    }
    return resumed
  }
}

/// A query for contacts.
func query(
  _ predicate: String, id: String = "s", device: DeviceID? = nil, zone: ZoneID? = nil,
  options: FiringOptions = [.creation, .update, .deletion], once: Bool = false,
  echo: Bool = false, _ change: (inout NotificationForm) -> Void = { _ in }
) -> SubscriptionForm {
  var notification = NotificationForm()
  change(&notification)
  return SubscriptionForm(
    id: SubscriptionID(stored: id), device: device,
    kind: .query(
      type: RecordType(stored: "Contact"), predicate: PredicateText(predicate), zone: zone),
    options: options, firesOnce: once, includesOwnChanges: echo, notification: notification)
}

/// Two devices of an account. The second is notified.
struct ToldWorld {
  var writer: StoreClient
  var reader: StoreClient
  let start: NotificationStart

  init(_ kind: StoreKind) throws {
    try self.init(kind.make())
  }

  init(_ store: any RecordStore) throws {
    writer = try StoreClient(store, key: [1])
    reader = try StoreClient(store, key: [2])
    start = try reader.follow()
  }

  /// Returns the reader's notifications, in short.
  func told() throws -> [String] {
    let (notifications, collapsed) = try reader.told(behind: start)
    #expect(notifications.map(\.number) == notifications.map(\.number).sorted())
    return collapsed.map { "\($0.subscription) folded \($0.count)" }
      + notifications.flatMap { told in
        told.firings.map { "\($0.subscription) \($0.reason) \(told.record.name)" }
      }
  }
}

@Suite("B1, B2, K4 subscriptions contract")
struct SubscriptionContract {
  @Test(arguments: StoreKind.allCases)
  func `notifications of created, entered, updated, left and deleted arrive in order`(
    kind: StoreKind
  ) throws {
    var world = try ToldWorld(kind)
    #expect(try world.reader.subscribe(query("age > 17")) == nil)
    _ = try world.writer.modify([save("a", ["age": .int64(20)]), save("b", ["age": .int64(3)])])
    _ = try world.writer.modify([save("b", tag: 2, ["age": .int64(30)])])
    _ = try world.writer.modify([save("b", tag: 3, ["age": .int64(31)])])
    _ = try world.writer.modify([save("b", tag: 4, ["age": .int64(4)])])
    _ = try world.writer.modify([save("b", tag: 5, ["age": .int64(5)])])
    _ = try world.writer.modify([delete("a", tag: 1), delete("b", tag: 6)])
    #expect(
      try world.told() == [
        "s created a", "s entered b", "s updated b", "s left b", "s deleted a",
      ])
  }

  @Test(arguments: StoreKind.allCases)
  func `each notification names the one before it`(kind: StoreKind) throws {
    var world = try ToldWorld(kind)
    try world.reader.subscribe(query("TRUEPREDICATE"))
    for index in 0..<200 { _ = try world.writer.modify([save("r\(index)")]) }
    let told = try world.reader.told(behind: world.start).notifications
    #expect(told.count == 200)
    #expect(told.first?.predecessor == NotificationNumber.none)
    for (before, after) in zip(told, told.dropFirst()) {
      #expect(after.predecessor == before.number)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `only the requested kinds of changes notify`(kind: StoreKind) throws {
    var world = try ToldWorld(kind)
    try world.reader.subscribe(query("TRUEPREDICATE", id: "c", options: .creation))
    try world.reader.subscribe(query("TRUEPREDICATE", id: "d", options: .deletion))
    try world.reader.subscribe(query("x == 1", id: "u", options: .update))
    _ = try world.writer.modify([save("a")])
    _ = try world.writer.modify([save("a", tag: 1, ["x": .int64(1)])])
    _ = try world.writer.modify([delete("a", tag: 2)])
    #expect(try world.told() == ["c created a", "u entered a", "d deleted a"])
  }

  @Test(arguments: StoreKind.allCases)
  func `the writing device is notified only if the subscription includes own changes`(
    kind: StoreKind
  ) throws {
    var world = try ToldWorld(kind)
    try world.reader.subscribe(query("TRUEPREDICATE", id: "silent"))
    try world.reader.subscribe(query("TRUEPREDICATE", id: "echo", echo: true))
    _ = try world.reader.modify([save("own")])
    _ = try world.writer.modify([save("other")])
    #expect(
      try world.told() == ["echo created own", "silent created other", "echo created other"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a device's subscription notifies that device, an account's all devices`(
    kind: StoreKind
  ) throws {
    var world = try ToldWorld(kind)
    var third = try StoreClient(world.reader.store, key: [3])
    let start = try third.follow()
    try world.reader.subscribe(
      query("TRUEPREDICATE", id: "own", device: world.reader.identity.device))
    try world.reader.subscribe(query("TRUEPREDICATE", id: "all"))
    let refused = try third.subscribe(
      query("TRUEPREDICATE", id: "x", device: world.reader.identity.device))
    #expect(refused?.code == .permissionFailure)
    _ = try world.writer.modify([save("a")])
    #expect(try world.told() == ["own created a", "all created a"])
    let toThird = try third.told(behind: start).notifications.flatMap(\.firings)
    #expect(toThird.map(\.subscription.text) == ["all"])
  }

  @Test(arguments: StoreKind.allCases)
  func `a subscription that fires once notifies once and leaves the directory`(kind: StoreKind)
    throws
  {
    var world = try ToldWorld(kind)
    try world.reader.subscribe(query("TRUEPREDICATE", once: true) { $0.title = "{name}" })
    _ = try world.reader.modify([save("own")])
    #expect(try world.reader.listed() == ["s"], "its own change told nobody")
    _ = try world.writer.modify([
      save("a", ["name": .string("Ada")]), save("b", ["name": .string("Bo")]),
    ])
    #expect(try world.told() == ["s created a"])
    try world.reader.sweep()
    let told = try world.reader.told(behind: world.start).notifications
    #expect(told.first?.firings.first?.content.title == "Ada", "its words are kept for it")
    #expect(try world.reader.listed() == [])
    let directory = try world.reader.signInAgain(directory: world.reader.directory.to).directory
    #expect(directory.subscriptions == [SubscriptionState(id: query("").id, form: nil)])
  }

  @Test(arguments: StoreKind.allCases)
  func `saving a subscription replaces it; an identical save changes nothing`(kind: StoreKind)
    throws
  {
    var world = try ToldWorld(kind)
    try world.reader.subscribe(query("x == 1") { $0.title = "old" })
    _ = try world.writer.modify([save("a", ["x": .int64(1)])])
    let before = try world.reader.signInAgain().directory.to
    try world.reader.subscribe(query("x == 1") { $0.title = "old" })
    #expect(try world.reader.signInAgain().directory.to == before)
    let own = query("x == 2", device: world.reader.identity.device) { $0.title = "new" }
    try world.reader.subscribe(own)
    _ = try world.writer.modify([save("b", ["x": .int64(1)]), save("c", ["x": .int64(2)])])
    let told = try world.reader.told(behind: world.start).notifications
    #expect(told.map(\.record.name.text) == ["a", "c"])
    #expect(told.flatMap(\.firings).map(\.content.title) == ["old", "new"])
    let directory = try world.reader.signInAgain(directory: before).directory
    #expect(directory.subscriptions == [SubscriptionState(id: own.id, form: own)])
  }

  @Test(arguments: StoreKind.allCases)
  func `deleting a subscription deletes its pending notifications`(kind: StoreKind) throws {
    var world = try ToldWorld(kind)
    try world.reader.subscribe(query("TRUEPREDICATE"))
    try world.reader.subscribe(query("TRUEPREDICATE", id: "t"))
    _ = try world.writer.modify([save("a")])
    try world.reader.sweep()
    _ = try world.writer.modify([save("b")])
    try world.reader.unsubscribe("s")
    try world.reader.unsubscribe("s")
    try world.reader.unsubscribe("never there")
    _ = try world.writer.modify([save("c")])
    #expect(try world.told() == ["t created a", "t created b", "t created c"])
    try world.reader.subscribe(query("TRUEPREDICATE"))
    #expect(try world.told().allSatisfy { $0.hasPrefix("t") }, "a new one is another")
  }

  @Test(arguments: StoreKind.allCases)
  func `subscriptions distinguish a zone, other zones and the database`(kind: StoreKind) throws {
    var world = try ToldWorld(kind)
    let family = ZoneID(name: ZoneName(0x77))
    let make = world.writer.nextRequest([
      OperationGroup(zone: family, operations: [.saveZone(title: "Family")])
    ])
    _ = world.writer.committer.perform([make], at: time(2))
    try world.reader.subscribe(query("TRUEPREDICATE", id: "query", zone: family))
    try world.reader.subscribe(
      SubscriptionForm(id: SubscriptionID(stored: "zone"), kind: .zone(family, type: nil)))
    try world.reader.subscribe(
      SubscriptionForm(id: SubscriptionID(stored: "all"), kind: .database(type: nil)))
    _ = try world.writer.modify([save("a")])
    let inFamily = world.writer.nextRequest([
      OperationGroup(zone: family, operations: [save("b")])
    ])
    _ = world.writer.committer.perform([inFamily], at: time(2))
    #expect(
      try world.told() == ["all created a", "query created b", "zone created b", "all created b"])
    let remove = world.writer.nextRequest([
      OperationGroup(zone: family, operations: [.deleteZone()])
    ])
    _ = world.writer.committer.perform([remove], at: time(2))
    #expect(try world.reader.listed() == ["all"], "a zone takes its subscriptions with it")
    #expect(try world.told() == ["all created a", "all created b"])
  }

  @Test(arguments: StoreKind.allCases)
  func `missing zones and other accounts' zones are rejected`(kind: StoreKind) throws {
    let store = try kind.make()
    var client = try StoreClient(store)
    let other = try StoreClient(store, account: "bob", key: [2])
    let nowhere = try client.subscribe(query("TRUEPREDICATE", zone: ZoneID(name: ZoneName(9))))
    #expect(nowhere?.code == .zoneNotFound)
    #expect(try client.subscribe(query("TRUEPREDICATE", zone: other.zone))?.code == .zoneNotFound)
    #expect(try client.listed() == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `subscriptions of other accounts and containers do not notify`(kind: StoreKind) throws {
    let store = try kind.make()
    var world = try ToldWorld(store)
    var other = try StoreClient(store, account: "bob", key: [9])
    try world.reader.subscribe(query("TRUEPREDICATE"))
    _ = try other.modify([save("theirs")])
    #expect(try world.told() == [])
  }

  @Test(arguments: StoreKind.allCases)
  func `fields are taken from the new state, or from the old one if a record left`(kind: StoreKind)
    throws
  {
    var world = try ToldWorld(kind)
    try world.reader.subscribe(
      query("city == 'Umeå'") {
        $0.title = "{name} in {city}"
        $0.desiredKeys = ["name", "absent"]
        $0.raisesBadge = true
      })
    let fields: Fields = ["name": .string("Zoë"), "city": .string("Umeå"), "x": .int64(1)]
    _ = try world.writer.modify([save("a", fields)])
    _ = try world.writer.modify([save("a", tag: 1, ["city": .string("Oslo")])])
    let told = try world.reader.told(behind: world.start).notifications.flatMap(\.firings)
    #expect(told.map(\.reason) == [.created, .left])
    #expect(told.map(\.content.title) == ["Zoë in Umeå", "Zoë in Umeå"])
    #expect(
      try told.map { try $0.fields.fields() } == [["name": .string("Zoë")]] + [
        ["name": .string("Zoë")]
      ])
    #expect(told.allSatisfy { !$0.isPruned && $0.content.raisesBadge })
  }

  @Test(arguments: StoreKind.allCases)
  func `desired fields beyond 16 KB are pruned, and the notification says so`(kind: StoreKind)
    throws
  {
    var world = try ToldWorld(kind)
    try world.reader.subscribe(query("TRUEPREDICATE") { $0.desiredKeys = ["a", "b", "c"] })
    let long = Value.string(String(repeating: "x", count: 10_000))
    _ = try world.writer.modify([save("a", ["a": long, "b": long, "c": .int64(1)])])
    let firing = try world.reader.told(behind: world.start).notifications.first?.firings.first
    #expect(firing?.isPruned == true)
    #expect(try firing?.fields.fields().keys == ["a", "c"])
  }

  @Test(arguments: StoreKind.allCases)
  func `emptying the trash erases the deleted records' fields in pending notifications`(
    kind: StoreKind
  ) throws {
    var world = try ToldWorld(kind)
    try world.reader.subscribe(
      query("TRUEPREDICATE", options: .deletion) { $0.desiredKeys = ["a"] })
    _ = try world.writer.modify([save("a", ["a": .string("secret")])])
    _ = try world.writer.modify([delete("a", tag: 1)])
    _ = try world.writer.modify([.emptyTrash(through: Revision(2))])
    let firing = try world.reader.told(behind: world.start).notifications.first?.firings.first
    #expect(firing?.fields == .empty && firing?.isPruned == true)
  }

  @Test(.onlyInCheck, arguments: StoreKind.allCases)
  func `subscriptions are limited in number and in bytes`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    for index in 0..<Limits.subscriptionsPerAccount {
      #expect(try client.subscribe(query("x == \(index)", id: "s\(index)")) == nil)
    }
    #expect(try client.subscribe(query("x == 1", id: "one more"))?.code == .quotaExceeded)
    #expect(try client.subscribe(query("x == 2", id: "s1")) == nil, "replacing takes no room")
    try client.unsubscribe("s2")
    #expect(try client.subscribe(query("x == 1", id: "one more")) == nil)
    let large = SubscriptionForm(
      id: SubscriptionID(stored: "s1"),
      kind: .query(
        type: RecordType(stored: "Contact"),
        predicate: PredicateText(
          "x == %@", arguments: [.string(String(repeating: "x", count: 70_000))]), zone: nil))
    #expect(try client.subscribe(large)?.code == .limitExceeded)
    #expect(try client.listed().count == Limits.subscriptionsPerAccount)
  }

  @Test(.onlyInCheck, arguments: StoreKind.allCases)
  func `beyond the deletions that a directory retains, a device reads all of it`(kind: StoreKind)
    throws
  {
    var client = try StoreClient(try kind.make())
    try client.subscribe(query("x == 1", id: "kept"))
    try client.subscribe(query("x == 1", id: "first"))
    let old = try client.signInAgain().directory.to
    try client.unsubscribe("first")
    let told = try client.signInAgain(directory: old).directory
    #expect(told.from == old && told.subscriptions.map(\.id.text) == ["first"])
    for _ in 0...BrokerLimits.deletedSubscriptionsPerDirectory {
      let id = "d\(told.to.value)-\(Int.random(in: 0 ... .max))"
      try client.subscribe(query("x == 1", id: id))
      try client.unsubscribe(id)
    }
    let whole = try client.signInAgain(directory: old).directory
    #expect(whole.from == .zero && whole.subscriptions.map(\.id.text) == ["kept"])
  }

  @Test(.onlyInCheck, arguments: StoreKind.allCases)
  func `only a subscription whose predicate takes too long is switched off, with a notice`(
    kind: StoreKind
  ) throws {
    var world = try ToldWorld(kind)
    let pattern = "*" + String(repeating: "a", count: 3000) + "b*"
    try world.reader.subscribe(
      SubscriptionForm(
        id: SubscriptionID(stored: "slow"),
        kind: .query(
          type: RecordType(stored: "Contact"),
          predicate: PredicateText("note LIKE %@", arguments: [.string(pattern)]), zone: nil)))
    try world.reader.subscribe(query("TRUEPREDICATE", id: "fast"))
    let old = try world.reader.signInAgain().directory.to
    _ = try world.writer.modify([
      save("a", ["note": .string(String(repeating: "a", count: 100_000))])
    ])
    // Both devices belong to one account. Its own change switches the subscription off.
    #expect(try world.told() == ["slow folded 1", "fast created a"])
    let told = try world.reader.signInAgain(directory: old).directory.subscriptions
    #expect(told.map(\.id.text) == ["slow"])
    #expect(told.first?.form != nil && told.first?.failure?.reason == "switchedOff")
    let (listed, _) = try world.reader.store.subscriptions(
      after: nil, of: world.reader.identity)
    #expect(listed.map { $0.failure == nil } == [true, false])
    try world.reader.subscribe(query("TRUEPREDICATE", id: "slow"))
    _ = try world.writer.modify([save("b")])
    #expect(try world.told().last == "slow created b", "saved again it is on again")
  }

  @Test(arguments: StoreKind.allCases)
  func `another account's text that is too long to fold switches no subscription off`(
    kind: StoreKind
  ) throws {
    var world = try PublicWorld(kind)
    let start = try world.ada.follow()
    let form = { (predicate: String, id: String) in
      SubscriptionForm(
        id: SubscriptionID(stored: id), database: .public,
        kind: .query(
          type: RecordType(stored: "Post"), predicate: PredicateText(predicate), zone: nil))
    }
    try world.ada.subscribe(form("text CONTAINS[cd] 'frost'", "folding"))
    try world.ada.subscribe(form("text BEGINSWITH 'F'", "plain"))
    let before = try world.ada.signInAgain().directory.to
    let long = "F" + String(repeating: "\u{301}", count: 40_000)
    #expect(try world.bob.change(publicSave("p", "Post", ["text": .string(long)])) == nil)
    #expect(try world.bob.change(publicSave("q", "Post", ["text": .string("Frost")])) == nil)
    let (told, collapsed) = try world.ada.told(behind: start)
    #expect(collapsed.map(\.subscription.text) == ["folding"] && collapsed[0].count == 1)
    #expect(collapsed[0].zones.isEmpty, "the public zone has no changes to read: ask again")
    #expect(told.map { $0.firings.map(\.subscription.text) } == [["plain"], ["folding", "plain"]])
    #expect(try world.ada.signInAgain(directory: before).directory.subscriptions.isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `a change that was not evaluated is collapsed for an offline device`(kind: StoreKind) throws
  {
    var world = try PublicWorld(kind)
    let start = try world.ada.follow()
    try world.ada.subscribe(
      SubscriptionForm(
        id: SubscriptionID(stored: "s"), database: .public,
        kind: .query(
          type: RecordType(stored: "Post"), predicate: PredicateText("text ==[c] 'frost'"),
          zone: nil)))
    let long = Value.string(String(repeating: "é", count: 40_000))
    for name in ["a", "b"] {
      #expect(try world.bob.change(publicSave(name, "Post", ["text": long])) == nil)
    }
    try world.ada.sweep()
    // The device returns and acknowledges nothing new.
    try world.ada.sweep([start.receiver: start.position.value])
    let (told, collapsed) = try world.ada.told(behind: start)
    #expect(told.isEmpty && collapsed.map(\.count) == [2])
  }

  @Test(arguments: StoreKind.allCases)
  func `a subscription matches later changes of its transaction, not after a rollback`(
    kind: StoreKind
  ) throws {
    var world = try ToldWorld(kind)
    let identity = world.reader.identity
    let form = query("TRUEPREDICATE").resolved(for: identity.account)
    let saving = StorageRequest.client(
      .saveSubscription(form),
      RequestContext(connection: ConnectionID(1), replyTo: 1, identity: identity))
    struct Failure: Error {}
    #expect(throws: (any Error).self) {
      try world.reader.store.transact { transaction in
        _ = try transaction.save(form, of: identity, at: time(2))
        throw Failure()
      }
    }
    _ = try world.writer.modify([save("before")])
    #expect(try world.told() == [])
    let change = world.writer.nextRequest([
      OperationGroup(zone: .standard, operations: [save("behind")])
    ])
    _ = world.writer.committer.perform([saving, change], at: time(2))
    #expect(try world.told() == ["s created behind"])
    #expect(throws: (any Error).self) {
      try world.reader.store.transact { transaction in
        _ = try transaction.delete(form.id, of: identity)
        throw Failure()
      }
    }
    _ = try world.writer.modify([save("after")])
    #expect(try world.told().last == "s created after", "its deletion was undone")
  }

  @Test(arguments: StoreKind.allCases)
  func `subscriptions are listed in pages, by id`(kind: StoreKind) throws {
    var client = try StoreClient(try kind.make())
    let ids = (0..<450).map { "s\(1000 + $0)" }
    for id in ids.shuffled() { try client.subscribe(query("x == 1", id: id)) }
    #expect(try client.listed() == ids)
  }
}

extension StoreClient {
  /// Returns the ids of the account's subscriptions.
  func listed() throws -> [String] {
    var ids: [String] = []
    var after: SubscriptionID?
    while true {
      let (states, isWhole) = try store.subscriptions(after: after, of: identity)
      ids += states.map(\.id.text)
      after = states.last?.id
      if isWhole { return ids }
    }
  }
}
