// Property test of the public database. Accounts perform random operations, permitted or not, under random
// permissions. After every few steps a simple model predicts what each account sees: records by name and by
// query, assets, and notifications.

import BrokerCore
import BrokerStore
import PredicateWorld
import Records
import TestTiers
import Testing

/// A model of the public database.
private struct PublicModel {
  struct Rule {
    let create: String
    let read: String
    let write: String
  }

  struct Item {
    let type: String
    let creator: Int
    var file: Asset?
  }

  let rules: [String: Rule]
  var items: [String: Item] = [:]
  /// The assets that each account has uploaded.
  var held: [Int: Set<Asset>] = [:]
  /// The expected notifications of each account.
  var told: [Int: [String]] = [:]

  init(_ generator: inout SeededGenerator) {
    var rules: [String: Rule] = [:]
    for type in ["A", "B", "C"] {
      let read = generator.one(of: ["everyone", "account", "creator"])
      let writers = ["creator", "nobody"] + (read == "creator" ? [] : ["account"])
      rules[type] = Rule(
        create: generator.percent(80) ? "account" : "nobody", read: read,
        write: generator.one(of: writers))
    }
    self.rules = rules
  }

  /// The setting for these permissions.
  var setting: String {
    rules.map {
      "\($0.key): create \($0.value.create), read \($0.value.read), write \($0.value.write)"
    }.joined(separator: "; ")
  }

  func sees(_ item: Item, _ account: Int) -> Bool {
    item.creator == account || rules[item.type]?.read != "creator"
  }

  func mayWrite(_ item: Item, _ account: Int) -> Bool {
    switch rules[item.type]?.write {
    case "account": true
    case "creator": item.creator == account
    default: false
    }
  }

  mutating func tell(_ reason: String, _ name: String, _ item: Item, of all: Int) {
    for account in 0..<all where sees(item, account) {
      told[account, default: []].append("\(item.type) \(reason) \(name)")
    }
  }

  /// Returns the expected error of a save. Applies the save if it must succeed.
  mutating func save(
    _ name: String, _ type: String, _ file: Asset?, by account: Int, of all: Int
  ) -> RecordsError.Code? {
    let live = items[name]
    if let live {
      guard mayWrite(live, account) else { return .permissionFailure }
      guard live.type == type else { return .constraintViolation }
    } else if rules[type]?.create == "nobody" {
      return .permissionFailure
    }
    if let file, live?.file != file, held[account]?.contains(file) != true {
      return .assetNotAvailable
    }
    var item = live ?? Item(type: type, creator: account)
    item.file = file ?? item.file
    items[name] = item
    if let file { held[item.creator, default: []].insert(file) }
    tell(live == nil ? "created" : "updated", name, item, of: all)
    return nil
  }

  /// Returns the expected error of a deletion. Applies the deletion if it must succeed.
  mutating func delete(_ name: String, by account: Int, of all: Int) -> RecordsError.Code? {
    guard let live = items[name] else { return nil }
    guard mayWrite(live, account) else { return .permissionFailure }
    items[name] = nil
    tell("deleted", name, live, of: all)
    return nil
  }

  /// Deletes the account's records. A new account takes its place.
  mutating func leave(_ account: Int, of all: Int) {
    for (name, item) in items.sorted(by: { $0.key < $1.key }) where item.creator == account {
      items[name] = nil
      tell("deleted", name, item, of: all)
    }
    held[account] = []
    told[account] = []
  }
}

/// A model and the store that must agree with it.
private struct PublicPlay {
  static let names = (0..<6).map { "r\($0)" }
  static let files = (1...3).map { byte in
    Asset(digest: Array(repeating: UInt8(byte), count: 32), sizeBytes: UInt64(byte))
  }

  var generator: SeededGenerator
  var model: PublicModel
  /// The writing devices, one for each account.
  var clients: [StoreClient] = []
  /// The notified devices, one for each account. They include their own account's changes.
  var listeners: [(client: StoreClient, start: NotificationStart)] = []
  var counter: Int64 = 0

  init(seed: UInt64) throws {
    generator = SeededGenerator(seed: seed)
    model = PublicModel(&generator)
    let store = try SQLiteRecordStore(publicRights: try PublicRights(model.setting))
    for account in 0..<3 { try arrive(account, at: store) }
  }

  /// Signs an account in and subscribes it to all changes.
  mutating func arrive(_ account: Int, at store: any RecordStore) throws {
    counter += 1
    let key = [UInt8(account), UInt8(truncatingIfNeeded: counter)]
    var client = try StoreClient(store, account: "account \(account)", key: key)
    var listener = try StoreClient(store, account: "account \(account)", key: key + [1])
    let start = try listener.follow()
    for type in ["A", "B", "C"] {
      let form = SubscriptionForm(
        id: SubscriptionID(stored: type), database: .public,
        kind: .query(
          type: RecordType(stored: type), predicate: PredicateText("TRUEPREDICATE"), zone: nil))
      #expect(try client.subscribe(form) == nil)
    }
    if account < clients.count {
      (clients[account], listeners[account]) = (client, (listener, start))
    } else {
      clients.append(client)
      listeners.append((listener, start))
    }
  }

  mutating func step() throws {
    let account = generator.below(3)
    let name = generator.one(of: Self.names)
    switch generator.below(100) {
    case 0..<10:
      let file = generator.one(of: Self.files)
      let client = clients[account]
      try client.store.transact {
        try $0.registerAsset(file, UploadID(file.id, of: client.identity), at: time(1))
      }
      model.held[account, default: []].insert(file)
    case 10..<65: try save(name, by: account)
    case 65..<98:
      let expected = model.delete(name, by: account, of: 3)
      #expect(try clients[account].change(forcedDelete(name))?.code == expected)
    default: try leave(account)
    }
  }

  private mutating func save(_ name: String, by account: Int) throws {
    let type =
      generator.percent(70) ? model.items[name]?.type ?? "A" : generator.one(of: ["A", "B", "C"])
    let file = generator.percent(40) ? generator.one(of: Self.files) : nil
    counter += 1
    var fields: Fields = ["n": .int64(counter)]
    if let file { fields["file"] = .asset(file) }
    let operation = Operation.save(
      Operation.Save(
        name: RecordName(stored: name), type: RecordType(stored: type), policy: .changedKeys,
        tag: nil, fields: EncodedRecord(fields)))
    let expected = model.save(name, type, file, by: account, of: 3)
    #expect(try clients[account].change(operation)?.code == expected)
  }

  private mutating func leave(_ account: Int) throws {
    let order = AdministrativeRequest.deleteAccount(name: "account \(account)")
    let store = clients[account].store
    _ = clients[account].committer.perform(
      [.administer(order, ConnectionID(9), replyTo: 1)], at: time(9))
    var continuation: StepReport.Continuation
    repeat {
      continuation = try clients[account].committer.report(of: .deletedAccounts, at: time(9))
        .continuation
    } while continuation != .finished
    model.leave(account, of: 3)
    try arrive(account, at: store)
  }

  /// Compares what each account sees with the model.
  func check() throws {
    for (account, client) in clients.enumerated() {
      let seen = model.items.filter { model.sees($0.value, account) }
      let fetched = try Self.names.filter { try client.publicRecord($0)?.kind == .saved }
      #expect(fetched == seen.keys.sorted())
      for type in ["A", "B", "C"] {
        let names = seen.filter { $0.value.type == type }.keys.sorted()
        #expect(try client.publicNames(type) == names)
      }
      for file in Self.files {
        let found = try client.store.asset(file.id, in: .public, for: client.identity)
        #expect((found != nil) == seen.contains { $0.value.file == file })
      }
      let (listener, start) = listeners[account]
      let told = try listener.told(behind: start).notifications.flatMap { told in
        told.firings.map { "\($0.subscription) \($0.reason) \(told.record.name)" }
      }
      #expect(told == model.told[account] ?? [])
    }
  }
}

@Suite("K5, T1, I11 permissions in the public database, random")
struct PublicPropertyTests {
  @Test(arguments: 1...UInt64(TestTier.cases(20)))
  func `each account sees, does and receives what its permissions allow`(seed: UInt64) throws {
    var play = try PublicPlay(seed: seed)
    for step in 1...150 {
      try play.step()
      if step % 10 == 0 { try play.check() }
    }
  }
}
