// Devices of three accounts write to a store while its server fails, and send again what has no outcome. At the end
// every acknowledged write must be there, once, and nothing else.

import BrokerCore
import BrokerPostgreSQL
import BrokerStore
import PostgreSQLConnections
import PostgreSQLStores
import PredicateWorld
import Processes
import Records
import SQLConnections

/// A device that writes, with its requests that have no outcome yet.
struct FaultWriter {
  var client: StoreClient
  /// Its own zone and the shared one.
  let zones: [StoredZone]
  var waiting: [StorageRequest] = []
}

/// A run of one seed.
struct FaultRun {
  private static let stepCount = 12

  private let world: FaultWorld
  private let database: String
  private var generator: SeededGenerator
  private var store: PostgreSQLRecordStore
  private var committer: Committer<SystemRandomNumberGenerator>
  private var writers: [FaultWriter] = []
  /// A device that is notified of all changes in the shared zone.
  private var reader: (client: StoreClient, start: NotificationStart)
  private let shared: ZoneID
  private var subscriptions: Set<String> = []
  private var valueCount: Int64 = 0
  private(set) var ledger = StoreLedger()
  /// How often each kind of fault happened.
  private(set) var faults: [String: Int] = [:]
  /// How many requests were refused for the moment.
  private(set) var refusalCount = 0

  init(seed: UInt64, in world: FaultWorld) throws {
    self.world = world
    generator = SeededGenerator(seed: seed)
    database = try world.makeDatabase()
    store = try world.open(database)
    committer = Committer(store: store, generator: SystemRandomNumberGenerator())
    var people = try SharedWorld(store)
    shared = people.zone
    try people.accept()
    var eve = try StoreClient(store, account: "eve", key: [3])
    _ = try eve.share(.accept(SharedWorld.secret)).answer.get()
    var told = try StoreClient(store, account: "bob", key: [4])
    reader = (told, try told.follow())
    try told.subscribe(
      SubscriptionForm(
        id: SubscriptionID(stored: "all"), database: .shared, kind: .database(type: nil)))
    reader.client = told
    // A second one for the account that owns the zone, so that a change has several receivers.
    try people.ada.subscribe(query("TRUEPREDICATE", id: "mine"))
    for client in [people.ada, people.bob, eve] { writers.append(try writer(client)) }
    try enterFirstRecords()
  }

  private func writer(_ client: StoreClient) throws -> FaultWriter {
    let zones = try store.transact {
      try $0.zones(
        at: [
          ZonePosition(zone: client.zone, token: nil), ZonePosition(zone: shared, token: nil),
        ], of: client.identity)
    }
    return FaultWriter(client: client, zones: zones.compactMap(\.stored))
  }

  /// Enters the records with which the shared zone began.
  private mutating func enterFirstRecords() throws {
    let page = try page(of: shared, after: .zero)
    for change in page.changes {
      ledger.enterFirst(change.name.text, at: change.tag, in: shared)
    }
  }

  // MARK: Running

  /// Writes while faults happen, then compares the store with what it acknowledged.
  mutating func run() throws {
    for step in 1...Self.stepCount {
      for index in writers.indices where writers[index].waiting.isEmpty { addRequests(index) }
      let fault = Fault(using: &generator)
      var changed = self
      let happened = world.suffer(fault, in: database) { changed.act(at: time(Int64(10 + step))) }
      self = changed
      faults[fault.name, default: 0] += happened || fault == .nothing ? 1 : 0
    }
    let end = ContinuousClock.now + .seconds(30)
    while .now < end, writers.contains(where: { !$0.waiting.isEmpty }) { perform(at: time(100)) }
    for writer in writers where !writer.waiting.isEmpty {
      ledger.report("\(writer.waiting.count) requests of \(writer.client.identity) are not done.")
    }
    try compare()
  }

  private mutating func addRequests(_ index: Int) {
    for _ in 0..<generator.below(4) {
      let zone = writers[index].zones[generator.below(2)].id
      let operations = (0...generator.below(3)).map { _ in operation(in: zone) }
      writers[index].waiting.append(
        writers[index].client.nextRequest([OperationGroup(zone: zone, operations: operations)]))
    }
  }

  /// A new record, an edit or a deletion. Some come too late, because the record was changed meanwhile.
  private mutating func operation(in zone: ZoneID) -> Operation {
    valueCount += 1
    let fields: Fields = [
      "n": .int64(valueCount),
      "text": .string(String(repeating: "x", count: generator.below(2000))),
    ]
    let existing = ledger.newest(in: zone).sorted { $0.key < $1.key }
    guard !existing.isEmpty, generator.percent(50) else { return save("r\(valueCount)", fields) }
    let (name, tag) = generator.one(of: existing)
    guard !ledger.isDeletion(tag, in: zone) else { return save(name, fields) }
    return generator.percent(25) ? delete(name, tag: tag) : save(name, tag: tag, fields)
  }

  /// What happens in a step: requests, some of them again, a subscription, and reads.
  private mutating func act(at now: Timestamp) {
    perform(at: now)
    if generator.percent(30) { changeSubscription() }
    if generator.percent(30), !ledger.outcomes.isEmpty { repeatRequest(at: now) }
    if generator.percent(60) { read() }
  }

  private mutating func perform(at now: Timestamp) {
    let batch = writers.indices.flatMap { index in writers[index].waiting.map { (index, $0) } }
    let results = committer.perform(batch.map(\.1), at: now)
    for writer in writers.indices { writers[writer].waiting = [] }
    for ((writer, request), result) in zip(batch, results) {
      switch result {
      case .client(.modified(let outcome, let effects), let context):
        ledger.acknowledge(request, outcome, effects, by: context.identity.account)
      case .client(.answered(.error(let error), _), _) where error.code.isTransient:
        refusalCount += 1
        writers[writer].waiting.append(request)
      default: ledger.report("A request had the result \(result).")
      }
    }
  }

  /// Saves or deletes a subscription. If that is refused, it stays what it was.
  private mutating func changeSubscription() {
    let id = "s\(generator.below(4))"
    let exists = subscriptions.contains(id)
    do {
      let error =
        exists
        ? try reader.client.unsubscribe(id)
        : try reader.client.subscribe(query("n == \(valueCount)", id: id))
      if let error {
        guard error.code.isTransient else { return ledger.report("\(error)") }
        refusalCount += 1
      } else if exists {
        subscriptions.remove(id)
      } else {
        subscriptions.insert(id)
      }
    } catch {
      ledger.report("A change of a subscription had the error \(error).")
    }
  }

  /// A request with an outcome has the same when it is repeated.
  private mutating func repeatRequest(at now: Timestamp) {
    let (request, outcome) = generator.one(of: ledger.outcomes)
    switch committer.perform([request], at: now)[0] {
    case .client(.modified(let again, let effects), _):
      if again != outcome || !effects.zones.isEmpty {
        ledger.report("\(outcome) became \(again) with changes of \(effects.zones.count) zones.")
      }
    case .client(.answered(.error(let error), _), _) where error.code.isTransient:
      refusalCount += 1
    case let result: ledger.report("A repeated request had the result \(result).")
    }
  }

  /// Reads a page of the shared zone. A device asks again if it gets none.
  private mutating func read() {
    do {
      ledger.see(
        try page(of: shared, after: Revision(Int64(generator.below(30)))), of: shared)
    } catch {
      guard (error as? StoreError)?.kind.isTemporary == true else {
        return ledger.report("A page had the error \(error).")
      }
    }
  }

  private func page(of zone: ZoneID, after: Revision) throws -> FeedPage {
    guard let writer = writers.first(where: { $0.zones.contains { $0.id == zone } }),
      let stored = writer.zones.first(where: { $0.id == zone }), let key = stored.key
    else { throw RecordsError(.zoneNotFound, "\(zone)") }
    return try store.page(
      PageRequest(
        reader: writer.client.identity, key: key, zone: zone, incarnation: stored.incarnation,
        after: after, scanStart: .zero, attachment: 1))
  }

  // MARK: The end

  private mutating func compare() throws {
    try compareNotifications()
    // What the store has in memory does not count.
    let identity = reader.client.identity
    let kept = try store.subscriptions(after: nil, of: identity).states.map(\.id.text)
    if Set(kept) != subscriptions.union(["all"]) {
      ledger.report("The subscriptions are \(kept), not \(subscriptions).")
    }
    try compareOutcomes()
    for zone in Set(writers.flatMap { $0.zones.map(\.id) }) { try compareFeed(of: zone) }
    try compareCounts()
    try world.server.observer().run("DROP DATABASE \(database) WITH (FORCE)")
  }

  private mutating func compareFeed(of zone: ZoneID) throws {
    var changes: [Change] = []
    var last = Revision.zero
    while true {
      let page = try page(of: zone, after: last)
      changes += page.changes
      guard page.to > last else { break }
      last = page.to
    }
    ledger.compare(changes, head: last, of: zone)
  }

  /// Each change of the shared zone has one notification, in order.
  private mutating func compareNotifications() throws {
    let notifications = try reader.client.told(behind: reader.start).notifications
    let numbers = notifications.map(\.number.value)
    if numbers != Set(numbers).sorted() { ledger.report("The notifications are not in order.") }
    let told = notifications.filter { $0.record.zone == shared }.map(\.tag.value)
    let written = (ledger.writes[shared] ?? [:]).keys.sorted().dropFirst(2)
    if told != Array(written) { ledger.report("Told were \(told), written \(written).") }
  }

  private mutating func compareOutcomes() throws {
    let results = committer.perform(ledger.outcomes.map(\.request), at: time(200))
    for ((_, outcome), result) in zip(ledger.outcomes, results) {
      guard case .client(.modified(let again, _), _) = result, again == outcome else {
        ledger.report("\(outcome) became \(result).")
        continue
      }
    }
  }

  /// The counts of the zones agree with their rows.
  private mutating func compareCounts() throws {
    let observer = try world.server.observer(of: database)
    try observer.run("SET search_path = contacts_broker")
    let wrong: [String] = try observer.rows(
      """
      SELECT zone.key FROM zone WHERE head <> (
          SELECT coalesce(max(revision), 0) FROM record WHERE record.zone = zone.key)
        OR record_count <> (
          SELECT count(*) FROM record WHERE record.zone = zone.key AND kind = 0)
        OR stored_bytes <> (
          SELECT coalesce(sum(\(BrokerLimits.bytesPerState) + length(fields)), 0) FROM (
            SELECT fields FROM record WHERE record.zone = zone.key
            UNION ALL SELECT fields FROM past WHERE past.zone = zone.key) AS state)
      """, []
    ).map { $0[0] }
    if !wrong.isEmpty { ledger.report("The counts of the zones \(wrong) are wrong.") }
    let requests: Int? = try observer.value("SELECT count(*) FROM outcome")
    // The shared zone was made by a request.
    if requests != ledger.outcomes.count + 1 {
      ledger.report("\(requests ?? 0) outcomes are stored, not \(ledger.outcomes.count).")
    }
  }
}
