// Keys of declared indexes: their order, and that a record's key is that of its field.

import PredicateOracle
import PredicateWorld
import Records
import Testing

@testable import Predicates

@Suite("B1 index keys")
struct IndexKeyTests {
  private func change(_ record: EncodedRecord, _ system: SystemFields) -> Change {
    Change(
      name: system.name, tag: Revision(1), kind: .saved, type: RecordType(stored: "Contact"),
      created: system.created, modified: system.modified, record: record)
  }

  @Test(arguments: 0..<6) func `a smaller key never belongs to a larger value`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let values = (0..<80).map { _ in Value(NastyValues.scalar(&random)) }
    for left in values {
      for right in values {
        let (one, other) = (IndexKey(left), IndexKey(right))
        let order = left.withView { left in right.withView { left.order(to: $0) } }
        switch order {
        case .before: #expect(one <= other, "\(left) \(right)")
        case .same: #expect(one == other, "\(left) \(right)")
        case .after: #expect(other <= one, "\(left) \(right)")
        case nil:
          // Values of two classes never have the same key.
          if left.comparisonClass != right.comparisonClass {
            #expect(one.bytes[0] != other.bytes[0])
          }
        }
      }
    }
  }

  @Test(arguments: 0..<6) func `the key of a record's field is the key of its value`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      let record = OracleRecords.record(&random)
      let change = change(record.encoded, record.systemFields)
      for key in OracleRecords.keys {
        let path = FieldPath.field(FieldKey(stored: key))
        let value = record.fields[key].map { Value($0) }
        #expect(IndexKey(of: path, in: change) == IndexKey(value), "seed \(seed): \(key)")
      }
      for field in SystemField.allCases {
        let value = record.system[field.text].map { Value($0) }
        #expect(IndexKey(of: .system(field), in: change) == IndexKey(value), "\(field)")
      }
      #expect(IndexKey(of: .entry("phones", "value"), in: change) == IndexKey(nil))
    }
  }

  @Test func `a key has the first 63 bytes of a text, and 9 bytes of a number or date`() {
    for count in [0, 1, 62, 63, 64, 1000] {
      let text = String(repeating: "a", count: count)
      #expect(IndexKey(.string(text)).bytes.count == 1 + min(63, count))
      #expect(IndexKey(.bytes(Array(text.utf8))).bytes.count == 1 + min(63, count))
    }
    for value in [Value.int64(.min), .double(0.5), .date(Timestamp(microseconds: .max))] {
      #expect(IndexKey(value).bytes.count == 9)
    }
    #expect(IndexKey(nil).bytes == [0] && IndexKey(.list([.int64(1)])).bytes.count == 1)
    #expect(IndexKey(.int64(1)) == IndexKey(.boolean(true)))
  }

  @Test func `damaged records have a key, that of a missing field or of the readable part`() {
    var random = SeededGenerator(seed: 3)
    let whole = EncodedRecord(["age": .int64(7), "name": .string("x")]).bytes
    for _ in 0..<500 {
      var bytes = whole
      bytes[random.below(bytes.count)] = UInt8(random.below(256))
      bytes.removeLast(random.percent(30) ? random.below(bytes.count) : 0)
      let change = change(EncodedRecord(stored: bytes), RandomRecords.system(&random))
      let key = IndexKey(of: .field("age"), in: change)
      #expect(!key.bytes.isEmpty && key.bytes.count <= 64)
    }
  }
}
