import PredicateWorld
import Records
import Testing

@Suite("B2 reading protobuf")
struct ByteReaderTests {
  private func fields(_ bytes: [UInt8]) throws -> [ByteReader.Field] {
    // A slice that does not begin at zero, as inside a record.
    var reader = ByteReader(([0xFF, 0xFF] + bytes + [0xFF])[2..<2 + bytes.count])
    var fields: [ByteReader.Field] = []
    while let field = try reader.next() { fields.append(field) }
    return fields
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `random fields are read as written, each with its own bytes`(seed: UInt64) throws {
    var random = RandomValues(seed: seed)
    var parts: [[UInt8]] = []
    var numbers: [Int] = []
    var checks: [(ByteReader.Field) throws -> Bool] = []
    for _ in 0..<random.generator.below(10) {
      let number = random.generator.one(of: [1, 15, 16, 5000, (1 << 29) - 1])
      let (bits, text, integer) = (random.generator.next(), random.text(), random.integer())
      var writer = ByteWriter()
      switch random.generator.below(3) {
      case 0:
        writer.field(number, signed: integer)
        checks.append { try $0.payload.signed() == integer }
      case 1:
        writer.field(number, string: text)
        checks.append { try $0.payload.text().hasSameBytes(as: text) }
      default:
        writer.field(number, varint: bits)
        checks.append { try $0.payload.unsigned() == bits }
      }
      parts.append(writer.bytes)
      numbers.append(number)
    }
    let read = try fields(parts.flatMap(\.self))
    #expect(read.map(\.number) == numbers, "seed \(seed)")
    #expect(read.map { Array($0.encoded) } == parts, "seed \(seed)")
    for (field, check) in zip(read, checks) { #expect(try check(field), "seed \(seed)") }
  }

  @Test(arguments: [0, 1, 2, 5] as [UInt8])
  func `a payload is of one kind only`(type: UInt8) throws {
    let content: [UInt8] = [0x01, 0x41, 0, 0, 0, 0, 0, 0]
    let count = [0: 1, 1: 8, 2: 2, 5: 4][type] ?? 0
    let payload = try #require(try fields([0x08 | type] + content.prefix(count)).first).payload
    #expect(((try? payload.unsigned()) != nil) == (type == 0))
    #expect(((try? payload.signed()) != nil) == (type == 0))
    #expect(((try? payload.finiteDouble()) != nil) == (type == 1))
    #expect(((try? payload.slice()) != nil) == (type == 2))
    #expect(((try? payload.text()) != nil) == (type == 2))
  }

  @Test func `a 32-bit number is read least significant byte first`() throws {
    guard case .fixed32(let number) = try fields([0x0D, 1, 2, 3, 4]).first?.payload else {
      Issue.record("no fixed32")
      return
    }
    #expect(number == 0x0403_0201)
  }

  @Test func `only the four wire types of protobuf 3 are read`() {
    let zeros = [UInt8](repeating: 0, count: 16)
    for type in 0..<8 as Range<UInt8> {
      let count = [0: 1, 1: 8, 2: 1, 5: 4][type] ?? 0
      let isRead = (try? fields([0x08 | type] + zeros.prefix(count))) != nil
      #expect(isRead == [0, 1, 2, 5].contains(type), "wire type \(type)")
    }
  }

  @Test func `field numbers are from 1 to 536,870,911`() throws {
    for (number, isValid) in [
      (0, false), (1, true), (1 << 29 - 1, true), (1 << 29, false), (1 << 40, false),
    ] as [(UInt64, Bool)] {
      let bytes = PlainCodec.integer(number, 3)
      #expect(((try? fields(bytes)) != nil) == isValid, "field \(number)")
    }
  }

  @Test(arguments: [0, 1, 127, 128, 300])
  func `a length one beyond the end is rejected`(count: Int) throws {
    let whole = PlainCodec.delimited(1, Array(repeating: 1, count: count))
    #expect(try fields(whole).count == 1)
    #expect(throws: RecordsError.self) { try fields(Array(whole.dropLast())) }
    #expect(throws: RecordsError.self) { try fields([0x0A] + PlainCodec.varint(.max)) }
    #expect(throws: RecordsError.self) { try fields([0x0A] + PlainCodec.varint(1 << 63) + whole) }
  }

  @Test func `an integer has at most ten bytes`() throws {
    let ten = [UInt8](repeating: 0xFF, count: 9) + [0x01]
    #expect(try fields([0x08] + ten).first?.payload.unsigned() == .max)
    #expect(throws: RecordsError.self) {
      try fields([0x08] + [UInt8](repeating: 0xFF, count: 10) + [0x01])
    }
    for count in 1...9 {
      #expect(throws: RecordsError.self) {
        try fields([0x08] + [UInt8](repeating: 0x80, count: count))
      }
    }
  }

  @Test func `infinite numbers and texts that are not UTF-8 are rejected`() throws {
    for number in [Double.infinity, -.infinity, .nan] {
      #expect(throws: RecordsError.self) {
        try fields(PlainCodec.fixed(1, number)).first?.payload.finiteDouble()
      }
    }
    for text in [[0x80], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]]
      as [[UInt8]]
    {
      #expect(throws: RecordsError.self, "\(text)") {
        try fields(PlainCodec.delimited(1, text)).first?.payload.text()
      }
    }
  }
}
