// Compares the handwritten record codec of Records with the one generated from records.proto: each
// must decode what the other encodes.

import FoundationEssentials
import Records
import SwiftProtobuf
import Testing

@testable import RecordsWire

@Suite("B1 the handwritten record codec")
struct RecordCodecTests {
  @Test func `SwiftProtobuf decodes a record that was encoded by hand`() throws {
    let bytes = EncodedRecord(Samples.fields).bytes
    #expect(try WireRecord(serializedBytes: bytes) == (try generated(Samples.fields)))
  }

  @Test func `the handwritten decoder decodes a record of SwiftProtobuf`() throws {
    let bytes: [UInt8] = try generated(Samples.fields).serializedBytes()
    #expect(try EncodedRecord(stored: bytes).fields() == Samples.fields)
  }

  @Test(arguments: 0..<200)
  func `both codecs agree on random records`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let fields = randomFields(using: &generator)
    let byHand = EncodedRecord(fields)
    #expect(try byHand.fields() == fields)
    let bySchema = try generated(fields)
    #expect(try WireRecord(serializedBytes: byHand.bytes) == bySchema)
    let bytes: [UInt8] = try bySchema.serializedBytes()
    #expect(try EncodedRecord(stored: bytes).fields() == fields)
  }
}

private func generated(_ fields: Fields) throws -> WireRecord {
  var record = WireRecord()
  record.fields = try generatedFields(fields)
  return record
}

private func generatedFields(_ fields: Fields) throws -> [WireField] {
  try fields.all.map { field in
    var wire = WireField()
    wire.key = field.key.text
    wire.value = try generated(field.value)
    return wire
  }
}

private func generated(_ value: Value) throws -> WireValue {
  var wire = WireValue()
  switch value {
  case .string(let text): wire.string = text
  case .int64(let number): wire.int64 = number
  case .double(let number): wire.double = number
  case .boolean(let flag): wire.boolean = flag
  case .date(let time): wire.dateMicroseconds = time.microseconds
  case .bytes(let bytes): wire.bytes = Data(bytes)
  case .location(let location):
    wire.location.latitudeDegrees = location.latitudeDegrees
    wire.location.longitudeDegrees = location.longitudeDegrees
  case .reference(let reference):
    wire.reference.recordName = reference.record.text
    wire.reference.action = reference.action == .none ? .none : .deleteSelf
  case .asset(let asset):
    wire.asset.digest = Data(asset.digest)
    wire.asset.sizeBytes = asset.sizeBytes
  case .list(let values):
    wire.list = WireList()
    wire.list.values = try values.map(generated)
  case .entries(let entries):
    wire.entries = WireEntries()
    wire.entries.entries = try entries.map { entry in
      var wire = WireEntry()
      wire.id = Data(entry.id.bytes)
      wire.position = entry.position.text
      wire.fields = try generatedFields(entry.fields)
      return wire
    }
  case .unknown(let bytes): wire = try WireValue(serializedBytes: bytes)
  }
  return wire
}

func randomFields(using generator: inout SeededGenerator) -> Fields {
  var fields = Fields()
  for _ in 0..<Int.random(in: 0...12, using: &generator) {
    fields[randomKey(using: &generator)] = randomValue(using: &generator)
  }
  return fields
}

private func randomKey(using generator: inout SeededGenerator) -> FieldKey {
  FieldKey(stored: "k\(Int.random(in: 0...500, using: &generator))_X")
}

private func randomValue(using generator: inout SeededGenerator) -> Value {
  switch Int.random(in: 0...9, using: &generator) {
  case 0:
    return .list(
      (0..<Int.random(in: 0...40, using: &generator)).map { _ in randomScalar(using: &generator) })
  case 1:
    return .entries(
      (0..<Int.random(in: 0...5, using: &generator)).map { index in
        Entry(
          id: EntryID(UInt128(index) << 100 | 1), position: Position.between(nil, nil),
          fields: [randomKey(using: &generator): randomScalar(using: &generator)])
      })
  default: return randomScalar(using: &generator)
  }
}

private func randomScalar(using generator: inout SeededGenerator) -> Value {
  switch Int.random(in: 0...9, using: &generator) {
  case 0: return .string(randomText(using: &generator))
  case 1: return .int64(Int64.random(in: .min ... .max, using: &generator))
  case 2: return .double(Double.random(in: -1e300...1e300, using: &generator))
  case 3: return .boolean(Bool.random(using: &generator))
  case 4: return .date(Timestamp(microseconds: Int64.random(in: .min ... .max, using: &generator)))
  case 5: return .bytes(randomBytes(Int.random(in: 0...300, using: &generator), using: &generator))
  case 6:
    return .location(
      Location(
        latitudeDegrees: Double.random(in: -90...90, using: &generator),
        longitudeDegrees: Double.random(in: -180...180, using: &generator)))
  case 7:
    return .reference(
      Reference(
        record: RecordName(
          stored: "r" + randomText(using: &generator).filter { !String($0).hasControlCharacters }),
        action: Bool.random(using: &generator) ? .none : .deleteSelf))
  case 8:
    return .asset(
      Asset(
        digest: randomBytes(32, using: &generator),
        sizeBytes: UInt64.random(in: 0...UInt64.max, using: &generator)))
  default: return .unknown(Samples.unknownValue)
  }
}

private func randomText(using generator: inout SeededGenerator) -> String {
  let letters = Array("aZ0 ÅéΩ漢🙂\u{0}\n\"")
  return String(
    (0..<Int.random(in: 0...30, using: &generator)).map { _ in
      letters.randomElement(using: &generator) ?? "a"
    })
}

private func randomBytes(_ count: Int, using generator: inout SeededGenerator) -> [UInt8] {
  (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
}
