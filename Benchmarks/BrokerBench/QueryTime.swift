// The benefit of declared indexes: the same queries of one zone of 100,000 records in one store, first
// without and then with indexes on the queried fields. Also measured is the cost of the indexes for a save.

import BrokerCore
import BrokerStore
import Measuring
import Predicates
import Records

/// Measures the time of query pages.
struct QueryTime {
  private static let records = 100_000
  private static let recordsPerRequest = 400
  private static let questions: [(name: String, predicate: String, sort: [String])] = [
    ("equal", "lastName == 'Surname 777'", []),
    ("prefix", "lastName BEGINSWITH 'Surname 77'", []),
    ("range", "age BETWEEN {500, 502} AND city == 'City 5'", ["lastName"]),
    ("sorted", "TRUEPREDICATE", ["lastName"]),
    ("sorted_filtered", "city == 'City 5'", ["lastName"]),
    ("half", "age >= 500", ["city"]),
  ]

  private let setting: BenchSetting
  private let now = Timestamp(microseconds: 1_800_000_000_000_000)

  init(_ setting: BenchSetting) {
    self.setting = setting
  }

  /// Measures queries and saves without and with indexes.
  func measure() throws {
    let store = try SQLiteRecordStore(path: setting.folder + "/queries.sqlite")
    var committer = Committer(store: store, generator: SystemRandomNumberGenerator())
    let identity = try committer.signIn(0)
    var number = RequestNumber.zero
    func save(_ requests: Int) throws -> Double {
      let start = Measurement.monotonicSeconds()
      for _ in 0..<requests {
        number = number.next
        try self.save(number, identity, &committer)
      }
      return (Measurement.monotonicSeconds() - start) * 1e6
        / Double(requests * Self.recordsPerRequest)
    }
    _ = try save(Self.records / Self.recordsPerRequest - 25)
    Measurement.report("store_save_unindexed_us", try save(25))
    try ask("scanned", store, identity)
    let indexes = try ["Contact.lastName", "Contact.age"].map { try DeclaredIndex($0) }
    let start = Measurement.monotonicSeconds()
    try store.transact { try $0.declareIndexes(indexes) }
    while try store.transact({ try $0.fillIndexes(rowsMaximum: 1000) }) {}
    Measurement.report("store_index_fill_ms", (Measurement.monotonicSeconds() - start) * 1e3)
    try ask("indexed", store, identity)
    Measurement.report("store_save_two_indexes_us", try save(25))
  }

  private func ask(
    _ kind: String, _ store: SQLiteRecordStore, _ identity: SessionIdentity
  ) throws {
    for question in Self.questions {
      let query = try RecordQuery(
        type: RecordType(stored: "Contact"),
        zone: ZoneID(owner: identity.account, name: .standard),
        predicate: Predicate(question.predicate),
        sort: question.sort.map { SortKey(.field(FieldKey(stored: $0))) })
      var found = 0
      let seconds = try (0..<9).map { _ in
        let start = Measurement.monotonicSeconds()
        found = try store.query(
          query, from: nil, of: identity, clock: QueryClock(now: now) { false }
        ).records.count
        return Measurement.monotonicSeconds() - start
      }
      guard found > 0 else { throw BenchFailure("No record matches \(question.predicate).") }
      Measurement.report(
        "store_query_\(question.name)_\(kind)_us", seconds.sorted()[seconds.count / 2] * 1e6)
    }
  }

  private func save(
    _ number: RequestNumber, _ identity: SessionIdentity,
    _ committer: inout Committer<SystemRandomNumberGenerator>
  ) throws {
    var generator = SystemRandomNumberGenerator()
    let operations = (0..<Self.recordsPerRequest).map { index in
      // Records that are saved one after the other are far apart in every sort order.
      let person = Int(number.value) * Self.recordsPerRequest + index
      let fields: Fields = [
        "lastName": .string("Surname \(person * 7919 % 20_011)"),
        "age": .int64(Int64(person * 613 % 1009)), "city": .string("City \(person % 50)"),
        "note": .string(String(repeating: "x", count: 200)),
      ]
      return Operation.save(
        Operation.Save(
          name: RecordName.generated(at: now, using: &generator),
          type: RecordType(stored: "Contact"), tag: nil, fields: EncodedRecord(fields)))
    }
    let request = StorageRequest.client(
      .modify(
        ModifyRequest(
          number: number, acknowledged: RequestNumber(number.value - 1),
          groups: [OperationGroup(zone: .standard, operations: operations)])),
      RequestContext(connection: ConnectionID(0), replyTo: 1, identity: identity))
    guard case .client(.modified(let outcome, _), _)? = committer.perform([request], at: now).first,
      case .saved? = outcome.groups.first?.first
    else { throw BenchFailure("A save failed.") }
  }
}
