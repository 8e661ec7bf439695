// The rules of docs/predicates.md, one by one, on small records.

import PredicateWorld
import Predicates
import Records
import Testing

@Suite("B1 the meaning of predicates")
struct MeaningTests {
  private let record: Fields = [
    "name": .string("Åsa Lind"), "age": .int64(30), "score": .double(2.5), "flag": .boolean(true),
    "tags": .list([.string("Red"), .string("blue"), .int64(7)]), "empty": .list([]),
    "phones": .entries([
      Entry(
        id: EntryID(1), position: .between(nil, nil),
        fields: ["value": .string("+46 70 1"), "label": .string("work")]),
      Entry(id: EntryID(2), position: .between(nil, nil), fields: ["value": .string("+45 1")]),
    ]),
  ]

  private func holds(_ text: String, _ arguments: Value...) throws -> Bool {
    var random = SeededGenerator(seed: 1)
    let system = RandomRecords.system(&random)
    let predicate = try Predicate(text, arguments: arguments)
    var evaluator = try PredicateEvaluator(predicate, now: Timestamp(microseconds: 0))
    let found = try evaluator.matches(record, system)
    let plain = PlainEvaluation(record, system, now: Timestamp(microseconds: 0))
    #expect(plain.holds(predicate) == found)
    return found
  }

  @Test(arguments: ["==", "!=", "<", "<=", ">", ">="])
  func `a comparison with a missing field is false, and its NOT is true`(sign: String) throws {
    #expect(try !holds("absent \(sign) 5"))
    #expect(try holds("NOT absent \(sign) 5"))
    #expect(try !holds("NOT NOT absent \(sign) 5"))
  }

  @Test func `== nil tests for absence, and != nil for presence`() throws {
    #expect(try holds("absent == nil") && !holds("absent != nil"))
    #expect(try !holds("age == nil") && holds("age != nil"))
  }

  @Test(arguments: ["==", "!=", "<", ">"])
  func `a value of another kind is treated as missing`(sign: String) throws {
    #expect(try !holds("name \(sign) 5") && !holds("age \(sign) 'x'"))
  }

  @Test func `whole and real numbers and booleans compare by value`() throws {
    #expect(try holds("age == 30.0") && holds("score > 2") && holds("score < 3"))
    #expect(try holds("flag == 1") && holds("flag == TRUE") && holds("age != TRUE"))
    #expect(try holds("age BETWEEN {30, 30}") && !holds("age BETWEEN {31, 29}"))
  }

  @Test func `texts compare byte by byte, and without case and accents on request`() throws {
    #expect(try !holds("name == 'asa lind'") && holds("name ==[cd] 'asa lind'"))
    #expect(try holds("name ==[c] 'åsa LIND'") && !holds("name ==[c] 'asa lind'"))
    #expect(try holds("name BEGINSWITH[d] 'A'") && holds("name ENDSWITH 'Lind'"))
    #expect(try holds("name CONTAINS 'sa L'") && holds("name LIKE[cd] '?sa*d'"))
    #expect(try !holds("name == 'A\u{30A}sa Lind'") && holds("name ==[c] 'A\u{30A}sa Lind'"))
  }

  @Test func `CONTAINS tests a list for a member`() throws {
    #expect(try holds("tags CONTAINS 'Red'") && !holds("tags CONTAINS 'red'"))
    #expect(try holds("tags CONTAINS[c] 'red'") && holds("tags CONTAINS 7.0"))
    #expect(try holds("'blue' IN tags") && !holds("tags CONTAINS 'lu'"))
    #expect(try holds("ANY tags CONTAINS 'lu'"))
  }

  @Test func `ANY, ALL and NONE on lists, empty ones and missing ones`() throws {
    #expect(try holds("ANY tags == 'blue'") && !holds("ALL tags == 'blue'"))
    #expect(try holds("NONE tags == 'green'") && !holds("NONE tags == 'blue'"))
    #expect(try !holds("ANY empty == 1") && holds("ALL empty == 1") && holds("NONE empty == 1"))
    #expect(try !holds("ANY absent == 1") && !holds("ALL absent == 1") && holds("NONE absent == 1"))
    #expect(try !holds("ANY name == 'Åsa Lind'"))
  }

  @Test func `ANY, ALL and NONE on the fields of entries`() throws {
    #expect(try holds("ANY phones.value BEGINSWITH '+46'"))
    #expect(try holds("ALL phones.value BEGINSWITH '+4'") && !holds("ALL phones.label == 'work'"))
    #expect(try holds("ANY phones.label == nil") && !holds("ALL phones.value == nil"))
    #expect(try holds("NONE phones.label == 'home'") && holds("ANY phones.label IN {'work', 1}"))
  }

  @Test func `lists compare as wholes`() throws {
    #expect(try holds("tags == {'Red', 'blue', 7}") && !holds("tags == {'Red', 'blue'}"))
    #expect(try holds("tags ==[c] {'red', 'BLUE', 7}") && holds("tags != {}"))
    #expect(try holds("empty == {}"))
  }

  @Test func `self CONTAINS matches any of the words in any text`() throws {
    #expect(try holds("self CONTAINS 'lind'") && holds("self CONTAINS 'nobody ASA'"))
    #expect(try !holds("self CONTAINS 'lin'") && !holds("self CONTAINS 'work'"))
  }

  @Test func `bound lists have the meaning of literal ones`() throws {
    #expect(try holds("age IN %@", .list([.int64(1), .int64(30)])))
    #expect(try holds("age BETWEEN %@", .list([.int64(1), .int64(30)])))
    #expect(try holds("tags == %@", .list([.string("Red"), .string("blue"), .int64(7)])))
  }

  @Test func `now() is the time of the query, and rejected outside of one`() throws {
    #expect(try !holds("born < now()") && holds("creationDate <= now() OR creationDate > now()"))
    let predicate = try Predicate("born < now()")
    #expect(predicate.usesNow)
    #expect(throws: RecordsError.self) {
      _ = try PredicateEvaluator(predicate, now: nil)
    }
  }

  @Test func `a text in a list is folded once for any number of comparisons`() throws {
    let text = String(repeating: "é", count: 50_000)
    let record = EncodedRecord(["t": .list([.string(text), .string("short")])])
    var random = SeededGenerator(seed: 1)
    let system = RandomRecords.system(&random)
    func steps(_ count: Int) throws -> Int {
      let terms = (0..<count).map { "ANY t ==[cd] 'v\($0)'" }
      var evaluator = try PredicateEvaluator(Predicate(terms.joined(separator: " OR ")), now: nil)
      #expect(try !evaluator.matches(record, system))
      return evaluator.stepsUsed
    }
    #expect(try steps(50) < steps(1) + 50 * 100)
    #expect(try steps(1) > text.utf8.count, "folding counts")
  }

  @Test func `a search that reads too many bytes fails with limitExceeded`() throws {
    let fields: Fields = ["name": .string(String(repeating: "a", count: 100_000))]
    let needle = "*" + String(repeating: "a", count: 3000) + "b*"
    var random = SeededGenerator(seed: 1)
    let system = RandomRecords.system(&random)
    var evaluator = try PredicateEvaluator(Predicate("name LIKE '\(needle)'"), now: nil)
    let error = try #require(throws: RecordsError.self) {
      try evaluator.matches(fields, system)
    }
    #expect(error.code == .limitExceeded && error.record == system.name)
  }

  @Test(arguments: 0..<200) func `bytes that are not a record match nothing and do no harm`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var bytes = EncodedRecord(RandomRecords.fields(&random)).bytes
    for _ in 0..<1 + random.below(4) where !bytes.isEmpty {
      switch random.below(3) {
      case 0: bytes[random.below(bytes.count)] = UInt8(random.below(256))
      case 1: bytes.removeLast(random.below(bytes.count))
      default: bytes.insert(UInt8(random.below(256)), at: random.below(bytes.count))
      }
    }
    for _ in 0..<10 {
      var evaluator = try PredicateEvaluator(
        RandomPredicates.predicate(&random), now: Timestamp(microseconds: 0))
      _ = try evaluator.matches(EncodedRecord(stored: bytes), RandomRecords.system(&random))
    }
  }
}
