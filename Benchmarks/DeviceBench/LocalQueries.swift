// Queries on a device's own records, with and without declared indexes, and what an index costs a save.

import DeviceStore
import Foundation
import GRDB
import Measuring
import Predicates
import RecordQueries
import Records

/// Queries on a device with a number of unsent records.
struct LocalQueries {
  let records: Int
  let state: String

  private static let item = RecordType(stored: "Item")
  private static let recordsPerEdit = 1_000
  private static let runs = 15

  /// Measures saves and queries on two databases, and prints the records a second and the milliseconds of a page.
  func measure() throws {
    try measure(declared: [], name: "plain")
    try measure(declared: ["Item.city", "Item.age"], name: "indexed")
  }

  private func measure(declared: [String], name: String) throws {
    let path = "\(state)/\(name).sqlite"
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    let database = try DeviceDatabase(path: path, schema: RecordIndex.schema)
    let index = try RecordIndex(declared.map { try DeclaredIndex($0) })
    let replica = try Replica(
      database: database,
      settings: DeviceSettings(container: "bench", accountName: "bench", deviceName: "bench"),
      application: Application(rules: ApplicationRules(), projections: [index]),
      generator: SystemRandomNumberGenerator(), now: now())
    while try replica.advanceProjections(now: now()) {}
    let start = Measurement.monotonicSeconds()
    for first in stride(from: 0, to: records, by: Self.recordsPerEdit) {
      _ = try replica.edit((first..<first + Self.recordsPerEdit).map(save), now: now())
    }
    let seconds = Measurement.monotonicSeconds() - start
    Measurement.report("local_save_\(name)_per_s", Double(records) / seconds)
    // As if the broker had them: a search of 100,000 unsent edits for held deletions takes five milliseconds.
    try replica.write(now()) { try $0.db.execute(sql: "DELETE FROM outbox") }
    try report(name, "few", "city == 'city 77' AND age > 10", replica)
    try report(name, "none", "note CONTAINS 'absent'", replica)
    try report(name, "sorted", "TRUEPREDICATE", sort: [SortKey(.field("age"))], replica)
    try database.close()
  }

  private func save(_ number: Int) -> LocalEdit {
    let fields: Fields = [
      "city": .string("city \(number % 1_000)"), "age": .int64(Int64(number * 7_919 % 100_003)),
      "note": .string("A note of a usual length, as people write them, number \(number)."),
      "done": .boolean(number % 3 == 0),
    ]
    return .save(
      LocalEdit.RecordSave(
        id: RecordID(zone: .standard, name: RecordName(stored: "record-\(number)")),
        type: Self.item, changes: FieldChanges(set: fields)))
  }

  private func report(
    _ name: String, _ query: String, _ predicate: String, sort: [SortKey] = [],
    _ replica: Replica
  ) throws {
    let recordQuery = try RecordQuery(
      type: Self.item, predicate: Predicate(predicate), sort: sort)
    var seconds: [Double] = []
    for _ in 0..<Self.runs {
      let start = Measurement.monotonicSeconds()
      _ = try replica.reader.records(
        matching: recordQuery, clock: QueryClock(now: now()) { false })
      seconds.append(Measurement.monotonicSeconds() - start)
    }
    Measurement.report(
      "local_query_\(query)_\(name)_ms", seconds.sorted()[Self.runs / 2] * 1_000)
  }

  private func now() -> Timestamp {
    Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1e6))
  }
}
