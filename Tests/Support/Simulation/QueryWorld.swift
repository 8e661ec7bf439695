// A simulated world of queries: devices of one account create, change and delete random records in several zones
// and query them, while sockets end and processes crash. Each start of a device declares other indexes, which are
// filled meanwhile. At any moment each page is the one that is computed from all shown records without an index. In
// the settled world it is also the broker's.

import BrokerCore
import BrokerStore
import DeviceStore
import PredicateWorld
import Predicates
import RecordQueries
import Records
import SyncCore

/// A simulated world of queries on devices and their broker.
package struct QueryWorld: DeviceWorld {
  /// The results of a run.
  package struct Report: Sendable {
    /// Queries on devices.
    package var queries = 0
    /// Records that they found.
    package var found = 0
    /// Queries of devices with an incomplete index, or with rows of a dropped one.
    package var queriesWhileFilling = 0
    /// Queries of devices with an edit that the broker did not have.
    package var queriesWithUnsentEdits = 0
    /// Queries that devices and the broker answered alike.
    package var comparisons = 0
    /// Accounts signed out.
    package var signOuts = 0

    package init() {}
  }

  private enum Action: Hashable, Sendable {
    case edit, editZone, query, fill, restart, signOut, fault, tick, progress
  }

  private let climate: Climate
  private let actionOdds: Odds<Action>
  let faults: Odds<Fault>
  var generator: SimulationGenerator
  var broker: SimulatedBroker
  var devices: [SimulatedDevice] = []
  var sockets: [ConnectionID: SimulatedSocket] = [:]
  var lastConnection = 0
  var milliseconds: Int64 = 0
  var hasFaults = true
  var crashes = 0
  private var random: SeededGenerator
  /// The account, as the broker knows it.
  private var identity: SessionIdentity?
  package private(set) var report = Report()
  package var trace: ((String) -> Void)?

  /// Creates the world of `seed`.
  package init(seed: UInt64, stepsMaximum: Int) throws {
    generator = SimulationGenerator(seed: seed)
    climate = Climate(drawnBy: &generator, devices: 2...3, stepsMaximum: stepsMaximum)
    let usual: Odds<Action> = Odds([
      .edit: 30, .editZone: 2, .query: 15, .fill: 8, .restart: 3, .signOut: 1, .fault: 3, .tick: 1,
      .progress: 60,
    ])
    actionOdds = usual.drawn(by: &generator, needed: [.edit, .query, .fill, .restart, .progress])
    faults = Fault.usual.drawn(by: &generator, needed: [.cut])
    random = SeededGenerator(seed: generator.next())
    broker = try SimulatedBroker(cascades: climate.cascades, generator: &generator)
    for index in 0..<climate.devices { try addDevice(index) }
  }

  private mutating func addDevice(_ index: Int) throws {
    let declarations = RandomDeclarations(seed: generator.next())
    try add(
      SimulatedDevice(
        index: index, database: .inMemory(schema: RecordIndex.schema),
        settings: DeviceSettings(
          container: "contacts", accountName: "ada", deviceName: "device-\(index)"),
        application: {
          var rules = ApplicationRules()
          rules.checks.append(RecordIndex.findings)
          return Application(rules: rules, projections: [try RecordIndex(declarations.next())])
        },
        now: now, generator: &generator))
  }

  /// Performs the steps with faults, lets the world settle and compares devices with the broker.
  /// - Throws: `InvariantViolation`, or an error of a store.
  package mutating func run() throws {
    for _ in 0..<climate.steps { try step() }
    try settleDown()
    for device in devices {
      while try device.replica.advanceProjections(now: now) {}
      try checkIndexes(of: device)
      for _ in 0..<20 { try compareWithBroker(device) }
    }
  }

  private mutating func step() throws {
    let index = generator.below(devices.count)
    switch actionOdds.next(&generator) {
    case .edit: try edit(on: index)
    case .editZone: try editZone(on: index)
    case .query: try query(on: index)
    case .fill: _ = try devices[index].replica.advanceProjections(rowsMaximum: 7, now: now)
    case .restart: try crashDevice(index)
    case .signOut: try signOut(index)
    case .fault: try fault()
    case .tick: try tick()
    case .progress: if try !advance() { try edit(on: index) }
    }
    milliseconds += 1
  }

  // MARK: Edits

  private static let types = ["Item", "Note"].map { RecordType(stored: $0) }
  private static let names = 40

  private mutating func edit(on index: Int) throws {
    guard let zone = try zones(index).randomElement(using: &generator) else { return }
    let name = RecordName(stored: "r\(generator.below(Self.names))")
    let id = RecordID(zone: zone, name: name)
    let view = try devices[index].replica.reader.record(id)
    if view != nil, generator.happens(percent: 20) {
      return try perform([.delete(id, version: nil)], on: index)
    }
    // The type is a function of the name, because a record cannot change it.
    let type = Self.types[name.text.utf8.count % Self.types.count]
    let fields = RandomRecords.fieldsAlone(&random)
    try perform(
      [.save(LocalEdit.RecordSave(id: id, type: type, changes: FieldChanges(set: fields)))],
      on: index)
  }

  private mutating func editZone(on index: Int) throws {
    let own = try zones(index).filter { $0 != .standard }
    if own.count > 1, let zone = own.randomElement(using: &generator) {
      return try perform([.deleteZone(zone)], on: index)
    }
    let zone = ZoneID(name: .random(using: &generator))
    try perform([.createZone(zone, title: "zone \(zone.name)")], on: index)
  }

  /// Performs an action. One that the device refuses changes nothing.
  private mutating func perform(_ edits: [LocalEdit], on index: Int) throws {
    trace?("device \(index): \(edits)")
    do {
      try perform(devices[index].replica.edit(edits, now: now), of: index)
    } catch let error as RecordsError {
      trace?("refused: \(error)")
    }
  }

  private mutating func signOut(_ index: Int) throws {
    report.signOuts += 1
    trace?("device \(index) signs out")
    let replica = devices[index].replica
    try perform(replica.signOut(discarding: true, now: now), of: index)
    try query(on: index)
    try perform(replica.signIn(account: "ada", now: now), of: index)
  }

  private func zones(_ index: Int) throws -> [ZoneID] {
    try devices[index].replica.reader.zones().map(\.zone).sorted()
  }

  // MARK: Queries

  private mutating func query(on index: Int) throws {
    let replica = devices[index].replica
    let query = try RandomQueries.query(types: Self.types, zones: zones(index), &random)
    let clock = QueryClock(now: now) { false }
    let pages = try QueryPages(of: query) { cursor in
      let page = try replica.reader.records(matching: query, after: cursor, clock: clock)
      return (page.records.map(\.id), page.cursor)
    }
    let oracle = try ShownRecordsOracle(replica.reader, now: now)
    let expected = try oracle.pages(of: query, &random)
    guard pages == expected else {
      throw InvariantViolation("query", "device \(index), \(query): \(pages), not \(expected)")
    }
    try oracle.check(pages, of: query)
    try checkIndexes(of: devices[index])
    report.queries += 1
    report.found += pages.records.count
    if replica.hasProjectionWork { report.queriesWhileFilling += 1 }
    if try replica.reader.status().waitingEntries > 0 { report.queriesWithUnsentEdits += 1 }
  }

  private mutating func compareWithBroker(_ device: SimulatedDevice) throws {
    let query = try RandomQueries.query(types: Self.types, zones: zones(device.index), &random)
    guard let identity else { return }
    let account = identity.account
    let clock = QueryClock(now: now) { false }
    let pages = try QueryPages(of: query) { cursor in
      let page = try device.replica.reader.records(matching: query, after: cursor, clock: clock)
      return (page.records.map(\.id), page.cursor)
    }
    let there = try query.resolved(for: account)
    let expected = try QueryPages(of: there) { [store = broker.store] cursor in
      let page = try store.query(there, from: cursor, of: identity, clock: clock)
      let ids = page.records.map {
        RecordID(zone: $0.zone.relative(to: account), name: $0.change.name)
      }
      return (ids, try page.cursor.map { try QueryCursor(bytes: $0, of: there) })
    }
    guard pages == expected else {
      throw InvariantViolation(
        "query", "device \(device.index), \(query): \(pages), the broker \(expected)")
    }
    report.comparisons += 1
  }

  private func checkIndexes(of device: SimulatedDevice) throws {
    let findings = try device.replica.reader.findings()
    guard findings.isEmpty else {
      throw InvariantViolation("query", "device \(device.index): \(findings)")
    }
  }

  // MARK: World

  mutating func executed(_ request: StorageRequest, _ result: StorageResult) throws {
    if case .signedIn(.success(let signedIn), _) = result { identity = signedIn.identity }
    if let trace, let described = result.described { trace(described) }
  }

  mutating func received(_ message: BrokerMessage, by index: Int) throws {}

  mutating func expireTombstones() throws { try expireSomeTombstones() }

  mutating func collect() throws {}

  func isUnsettled(_ device: SimulatedDevice) throws -> Bool { false }
}

/// Draws the indexes that each start of a device declares: usually those of the last start.
private final class RandomDeclarations {
  private static let all = [
    "Item.name", "Item.age", "Item.score", "Item.tags", "Item.modificationDate",
    "Item.creatorUserRecordID", "Item.recordID", "Note.city", "Note.born", "Note.creationDate",
    "Conflict.record",
  ]
  private var generator: SimulationGenerator
  private var last: [DeclaredIndex]?

  init(seed: UInt64) {
    generator = SimulationGenerator(seed: seed)
  }

  func next() throws -> [DeclaredIndex] {
    if let last, generator.happens(percent: 50) { return last }
    let drawn = try Self.all.filter { _ in generator.happens(percent: 50) }.map {
      try DeclaredIndex($0)
    }
    last = drawn
    return drawn
  }
}

extension RecordQuery {
  /// The query as the broker gets it.
  fileprivate func resolved(for account: AccountID) throws -> RecordQuery {
    try RecordQuery(
      type: type, database: database, zone: zone?.resolved(for: account), predicate: predicate,
      sort: sort, limit: limit)
  }
}
