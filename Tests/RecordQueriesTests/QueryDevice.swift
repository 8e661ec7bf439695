// A device without a broker, whose application is nothing but declared indexes.

import DeviceStore
import GRDB
import Predicates
import RecordQueries
import Records
import SyncCore

/// A device of a test.
final class QueryDevice {
  static let item = RecordType(stored: "Item")
  static let now = Timestamp(microseconds: 1_800_000_000_000_000)

  private(set) var replica: Replica
  private let database: DeviceDatabase
  private let rules: ApplicationRules
  /// Runs a closure for each record that changes, in its transaction.
  private let probe: Probe

  init(_ declared: [String] = [], publicTypes: [RecordType] = [], hasIndexes: Bool = true) throws {
    var rules = ApplicationRules()
    rules.publicTypes = publicTypes
    rules.checks.append(RecordIndex.findings)
    self.rules = rules
    probe = Probe()
    database = try .inMemory(schema: hasIndexes ? RecordIndex.schema : [])
    replica = try Self.open(database, rules, hasIndexes ? declared : nil, probe)
  }

  /// The process ends and starts again, with these declarations.
  func restart(_ declared: [String]) throws {
    replica = try Self.open(database, rules, declared, probe)
  }

  private static func open(
    _ database: DeviceDatabase, _ rules: ApplicationRules, _ declared: [String]?, _ probe: Probe
  ) throws -> Replica {
    let indexes = try declared.map { try RecordIndex($0.map { try DeclaredIndex($0) }) }
    let projections: [any Projection] = [indexes as (any Projection)?, probe].compactMap(\.self)
    return try Replica(
      database: database,
      settings: DeviceSettings(container: "contacts", accountName: "ada", deviceName: "laptop"),
      application: Application(rules: rules, projections: projections),
      generator: SystemRandomNumberGenerator(), now: now)
  }

  var reader: DeviceReader { replica.reader }

  /// Runs `body` in the transaction of every record that changes, after its keys were written.
  func onChange(_ body: @escaping (ProjectedRecord, DeviceTransaction) throws -> Void) {
    probe.body = body
  }

  func save(
    _ names: [String], in zone: ZoneID = .standard, at now: Timestamp = QueryDevice.now,
    _ fields: (String) -> Fields = { _ in Fields() }
  ) throws {
    let edits = names.map { name in
      LocalEdit.save(
        LocalEdit.RecordSave(
          id: RecordID(zone: zone, name: RecordName(stored: name)), type: Self.item,
          changes: FieldChanges(set: fields(name))))
    }
    _ = try replica.edit(edits, now: now)
  }

  /// Saves `count` records with their number as `age`.
  func saveNumbered(_ count: Int, in zone: ZoneID = .standard) throws {
    try save((0..<count).map { "r\(1_000 + $0)" }, in: zone) { name in
      ["age": .int64((Int64(name.dropFirst()) ?? 0) - 1_000), "name": .string("n" + name)]
    }
  }

  func delete(_ name: String, in zone: ZoneID = .standard, isAsked: Bool = true) throws {
    let id = RecordID(zone: zone, name: RecordName(stored: name))
    _ = try replica.edit([.delete(id, version: nil)], isAsked: isAsked, now: Self.now)
  }

  /// Does all background work.
  func fill() throws { while try replica.advanceProjections(now: Self.now) {} }

  /// The numbers of rows of a table.
  func count(_ table: String) throws -> Int {
    try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
  }

  // MARK: Queries

  /// The names on the first page of a query.
  func names(
    _ predicate: String = "TRUEPREDICATE", database: DatabaseScope = .private,
    zone: ZoneID? = nil, sort: [SortKey] = []
  ) throws -> [String] {
    let query = try RecordQuery(
      type: Self.item, database: database, zone: zone, predicate: Predicate(predicate), sort: sort)
    return try page(query).records.map(\.id.name.text)
  }

  func page(_ query: RecordQuery, after cursor: QueryCursor? = nil) throws -> LocalQueryPage {
    try reader.records(matching: query, after: cursor, clock: Self.clock)
  }

  static let clock = QueryClock(now: now) { false }
}

/// A projection without tables.
private final class Probe: Projection {
  var body: ((ProjectedRecord, DeviceTransaction) throws -> Void)?

  func apply(_ record: ProjectedRecord, in transaction: DeviceTransaction) throws {
    try body?(record, transaction)
  }

  func remove(record: Int64, _ db: Database) throws {}
  func remove(zone: Int64, _ db: Database) throws {}
  func removeAll(_ db: Database) throws {}
}
