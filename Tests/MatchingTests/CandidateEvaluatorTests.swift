// Damaged records in the index: numbers that are not finite, places outside of the globe, cut bytes.

import PredicateWorld
import Predicates
import Records
import Testing

@testable import Matching

@Suite("B1 damaged records in the index")
struct CandidateEvaluatorTests {
  private let index = SubscriptionIndex()
  private let type = RecordType(stored: "Contact")

  private func insert(_ text: String) throws -> UInt32 {
    try index.insert(Predicate(text), scope: .publicDatabase, type: type, options: .all).value
  }

  private func matches(_ record: EncodedRecord) -> Set<UInt32> {
    var list = MatchList()
    let state = RecordState(system: IndexWorld.system, record: record)
    index.match(
      RecordEvent(scopes: [.publicDatabase], type: type, old: state, new: state), into: &list)
    return Set(list.matches.map(\.number))
  }

  /// A NaN ended the process: it has no cell of the number line or of the globe.
  @Test func `a damaged number or place matches only what holds without it`() throws {
    for number in 0..<70 { _ = try insert("kept == \(number)") }
    let circle = "distanceToLocation:fromLocation:(p, location(10, 10)) < 5000"
    for text in [
      "n > 5", "n < 5", "n BETWEEN {1, 9}", "n BETWEEN {1.5, 9.5}", "n == 5", "n != 5", circle,
      "p == location(10, 10)", "ANY l == 5", "ANY l > 5",
    ] {
      _ = try insert(text)
    }
    let negations = try [insert("NOT n > 5"), insert("NOT \(circle)"), insert("n != nil")]
    for number in [Double.nan, .infinity, -.infinity] {
      let place = Location(latitudeDegrees: number, longitudeDegrees: 10)
      let fields: Fields = [
        "n": .double(number), "p": .location(place), "l": .list([.double(number)]),
      ]
      #expect(matches(EncodedRecord(fields)) == Set(negations), "\(number)")
    }
    let far = Location(latitudeDegrees: 1e300, longitudeDegrees: -1e300)
    let found = matches(EncodedRecord(["n": .int64(4), "p": .location(far)]))
    #expect(found.isSuperset(of: negations) && found.count == negations.count + 4)
  }

  @Test(arguments: 0..<6) func `an index and single evaluators agree on damaged bytes`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    var predicates: [UInt32: Predicate] = [:]
    for _ in 0..<110 {
      let predicate = RandomPredicates.predicate(&random, depth: 2)
      let number = try index.insert(
        predicate, scope: .publicDatabase, type: type, options: .all)
      predicates[number.value] = predicate
    }
    for _ in 0..<12 {
      var bytes = EncodedRecord(RandomRecords.fields(&random)).bytes
      for _ in 0..<1 + random.below(3) where !bytes.isEmpty {
        bytes[random.below(bytes.count)] = random.percent(50) ? 0xFF : UInt8(random.below(256))
      }
      let record = EncodedRecord(stored: bytes)
      let found = matches(record)
      for (number, predicate) in predicates {
        var evaluator = try PredicateEvaluator(predicate, now: nil)
        let isMatch = try evaluator.matches(record, IndexWorld.system)
        #expect(found.contains(number) == isMatch, "seed \(seed): \(predicate) of \(bytes)")
      }
    }
  }
}
