// The reader without errors, compared with the one that throws.

import PredicateWorld
import Records
import Testing

@testable import Predicates

@Suite("B1 fields in raw bytes")
struct RawReaderTests {
  private struct Part: Equatable {
    var number: Int
    var bits: UInt64 = 0
    var content: [UInt8] = []
  }

  private func parts(_ bytes: [UInt8]) -> (parts: [Part], isComplete: Bool) {
    bytes.withUnsafeBufferPointer { buffer in
      var reader = RawReader(buffer)
      var parts: [Part] = []
      while let part = reader.next() {
        parts.append(Part(number: part.number, bits: part.bits, content: Array(part.buffer)))
      }
      return (parts, reader.isAtEnd)
    }
  }

  private func checkedParts(_ bytes: [UInt8]) -> (parts: [Part], isComplete: Bool) {
    var reader = ByteReader(bytes[...])
    var parts: [Part] = []
    do throws(RecordsError) {
      while let field = try reader.next() {
        switch field.payload {
        case .varint(let bits), .fixed64(let bits):
          parts.append(Part(number: field.number, bits: bits))
        case .fixed32(let bits): parts.append(Part(number: field.number, bits: UInt64(bits)))
        case .bytes(let content):
          parts.append(Part(number: field.number, content: Array(content)))
        }
      }
      return (parts, true)
    } catch {
      return (parts, false)
    }
  }

  @Test(arguments: 0..<6) func `both readers find the same fields, before invalid bytes too`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var complete = 0
    for _ in 0..<600 {
      var bytes = EncodedRecord(RandomRecords.fields(&random)).bytes
      if random.percent(50) { bytes = (0..<random.below(14)).map { _ in UInt8(random.below(256)) } }
      if random.percent(30), !bytes.isEmpty {
        bytes[random.below(bytes.count)] = UInt8(random.below(256))
      }
      let (expected, found) = (checkedParts(bytes), parts(bytes))
      #expect(found.parts == expected.parts, "seed \(seed): \(bytes)")
      if expected.isComplete { #expect(found.isComplete, "seed \(seed): \(bytes)") }
      complete += expected.isComplete ? 1 : 0
    }
    #expect((100..<590).contains(complete))
  }

  @Test func `a length beyond the end, a number of 0 and an endless varint end the reading`() {
    #expect(parts([0x0A, 2, 1]).parts.isEmpty && parts([0x0A, 1, 1]).parts.count == 1)
    #expect(parts([0x02, 0]).parts.isEmpty, "number 0")
    #expect(parts([UInt8](repeating: 0xFF, count: 30)).parts.isEmpty)
    let huge = [0x0A] + [UInt8](repeating: 0xFF, count: 9) + [1, 7, 7]
    #expect(parts(huge).parts.isEmpty, "a length of 64 bits")
    #expect(parts([0x09, 1, 2, 3, 4, 5, 6, 7]).parts.isEmpty, "seven of eight bytes")
    #expect(parts([0x09, 1, 0, 0, 0, 0, 0, 0, 2]).parts.first?.bits == 1 | 2 << 56)
    #expect(parts([0x0D, 1, 0, 0, 2]).parts.first?.bits == 1 | 2 << 24)
    #expect(parts([]).parts.isEmpty && parts([]).isComplete)
  }
}
