// Values as the evaluator reads them from encoded bytes, also from damaged ones.

import PredicateOracle
import PredicateWorld
import Records
import Testing

@testable import Predicates

@Suite("B1 values in encoded bytes")
struct ValueViewTests {
  private func kind(of value: Value) -> ValueKind {
    var writer = ByteWriter()
    writer.write(value)
    return writer.bytes.withUnsafeBufferPointer { ValueView(encoded: RawReader($0)).kind }
  }

  private func isEqual(_ left: Value, _ right: Value) -> Bool {
    left.withView { left in right.withView { left.isEqual(to: $0) } }
  }

  /// A NaN in damaged bytes ended the process: it has no cell of the number line.
  @Test(arguments: [Double.nan, .signalingNaN, .infinity, -.infinity])
  func `a number that is not finite is unknown, and so is a location that contains it`(
    number: Double
  ) {
    #expect(kind(of: .double(number)) == .unknown)
    for (latitude, longitude) in [(number, 0), (0, number), (90.5, 0), (0, -180.5)] {
      let place = Location(latitudeDegrees: latitude, longitudeDegrees: longitude)
      #expect(kind(of: .location(place)) == .unknown)
    }
  }

  @Test func `damaged numbers and locations match nothing but the negation of a comparison`() throws
  {
    let nowhere = Location(latitudeDegrees: .infinity, longitudeDegrees: .nan)
    let record = EncodedRecord(["score": .double(.nan), "place": .location(nowhere)])
    var random = SeededGenerator(seed: 1)
    let system = RandomRecords.system(&random)
    let distance = "distanceToLocation:fromLocation:(place, location(0, 0))"
    for sign in ["<", "<=", ">", ">="] {
      for test in ["score \(sign) 5", "score \(sign) 5.5", "\(distance) \(sign) 1000"] {
        var evaluator = try PredicateEvaluator(Predicate(test), now: nil)
        #expect(try !evaluator.matches(record, system), "\(test)")
        var negation = try PredicateEvaluator(Predicate("NOT \(test)"), now: nil)
        #expect(try negation.matches(record, system), "\(test)")
      }
    }
  }

  @Test func `every value has the class that its comparisons have`() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<300 {
      let value = Value(NastyValues.scalar(&random))
      #expect(kind(of: value).comparisonClass == value.comparisonClass, "\(value)")
      #expect(value.withView { $0.kind } == kind(of: value), "\(value)")
    }
    #expect(kind(of: .list([])) == .list && kind(of: .entries([])) == .entries)
    let pole = Location(latitudeDegrees: -90, longitudeDegrees: 180)
    #expect(kind(of: .location(pole)) == .location)
  }

  @Test func `equality is reflexive, symmetric and never joins two classes`() {
    var random = SeededGenerator(seed: 12)
    let values = (0..<60).map { _ in Value(NastyValues.scalar(&random)) }
    for left in values {
      #expect(isEqual(left, left), "\(left)")
      for right in values {
        let found = isEqual(left, right)
        #expect(isEqual(right, left) == found, "\(left) \(right)")
        if found { #expect(left.comparisonClass == right.comparisonClass, "\(left) \(right)") }
      }
    }
  }

  @Test func `lists are equal if their elements are, in order and in number`() {
    let (one, two) = (Value.int64(1), Value.string("é"))
    #expect(isEqual(.list([one, two]), .list([.double(1), two])))
    #expect(!isEqual(.list([one, two]), .list([two, one])))
    #expect(
      !isEqual(.list([one]), .list([one, one])) && !isEqual(.list([one, one]), .list([one])))
    #expect(!isEqual(.list([two]), .list([.string("e\u{301}")])) && isEqual(.list([]), .list([])))
  }

  @Test func `an asset differs by its digest or its size, a reference by its name only`() {
    let digest = [UInt8](repeating: 1, count: 32)
    let asset = Value.asset(Asset(digest: digest, sizeBytes: 5))
    #expect(isEqual(asset, .asset(Asset(digest: digest, sizeBytes: 5))))
    #expect(!isEqual(asset, .asset(Asset(digest: digest, sizeBytes: 6))))
    #expect(!isEqual(asset, .asset(Asset(digest: digest.map { $0 + 1 }, sizeBytes: 5))))
    let name = RecordName(stored: "r")
    let reference = Value.reference(Reference(record: name, action: .none))
    #expect(isEqual(reference, .reference(Reference(record: name, action: .deleteSelf))))
    let other = Reference(record: RecordName(stored: "R"), action: .none)
    #expect(!isEqual(reference, .reference(other)))
  }

  /// Each byte of each record is replaced by each of a few others, and some are cut.
  @Test(arguments: 0..<4) func `no damage of a byte does harm, and every predicate has an outcome`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let place = Location(latitudeDegrees: 59, longitudeDegrees: 18)
    let fields: Fields = [
      "score": .double(2.5), "place": .location(place),
      "tags": .list([.double(1.5), .string("é")]),
      "born": .date(Timestamp(microseconds: 77)), "name": .string("Åsa"),
    ]
    let whole = EncodedRecord(fields).bytes
    let here = "distanceToLocation:fromLocation:(place, location(59, 18)) <= 5"
    let predicate = try Predicate(
      "score > 2 OR \(here) OR ANY tags ==[c] 'é' OR name BEGINSWITH[cd] 'as' OR born == date(77)")
    var evaluator = try PredicateEvaluator(predicate, now: nil)
    let system = RandomRecords.system(&random)
    #expect(try evaluator.matches(EncodedRecord(stored: whole), system))
    for index in whole.indices {
      for byte in [0, 0x7F, 0x80, 0xF0, 0xFF, UInt8(random.below(256))] {
        var bytes = whole
        bytes[index] = byte
        if random.percent(20) { bytes.removeLast(random.below(bytes.count - index)) }
        #expect(evaluator.run(on: EncodedRecord(stored: bytes), system) != .failed)
      }
    }
  }
}
