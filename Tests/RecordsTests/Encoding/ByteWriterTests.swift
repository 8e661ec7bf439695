import PredicateWorld
import Records
import Testing

@Suite("B1 writing protobuf")
struct ByteWriterTests {
  private func written(_ body: (inout ByteWriter) -> Void) -> [UInt8] {
    var writer = ByteWriter()
    body(&writer)
    return writer.bytes
  }

  @Test func `an integer is written in groups of seven bits`() {
    for shift in 0..<64 {
      for value in [
        UInt64(1) << UInt64(shift), UInt64(1) << UInt64(shift) - 1, .max >> UInt64(shift),
      ] {
        #expect(written { $0.varint(value) } == PlainCodec.varint(value), "\(value)")
      }
    }
  }

  @Test func `a signed integer alternates between the signs`() {
    for value in [0, -1, 1, -2, 63, -64, 64, -65, .max, .min, .max - 1, .min + 1] as [Int64] {
      #expect(
        written { $0.field(2, signed: value) } == PlainCodec.integer(2, PlainCodec.zigZag(value)))
    }
  }

  @Test func `a double is eight bytes, least significant first`() {
    #expect(written { $0.field(3, double: 1) } == [0x19, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F])
    #expect(written { $0.field(3, double: -0.0) } == [0x19, 0, 0, 0, 0, 0, 0, 0, 0x80])
  }

  @Test(arguments: [0, 1, 126, 127, 128, 129, 16_383, 16_384, 20_000])
  func `a message has the length of its content, and what follows it is intact`(count: Int) {
    let content = Array(repeating: UInt8(0x55), count: count)
    let bytes = written { writer in
      writer.field(4) { (inner: inout ByteWriter) in inner.raw(content) }
      writer.field(5, bytes: content)
      writer.varint(9)
    }
    #expect(bytes == PlainCodec.delimited(4, content) + PlainCodec.delimited(5, content) + [9])
  }

  @Test func `nested messages of any length have their lengths`() {
    for depth in [1, 3, 60] {
      var plain: [UInt8] = [1]
      for _ in 0..<depth { plain = PlainCodec.delimited(15, plain) }
      var writer = ByteWriter(reservingBytes: 8)
      nest(depth, &writer)
      #expect(writer.bytes == plain, "depth \(depth)")
    }
  }

  @Test func `large field numbers take several bytes`() {
    for number in [1, 15, 16, 2047, 2048, (1 << 29) - 1] {
      #expect(
        written { $0.field(number, string: "é") }
          == PlainCodec.delimited(UInt64(number), [0xC3, 0xA9]))
    }
  }

  private func nest(_ depth: Int, _ writer: inout ByteWriter) {
    guard depth > 0 else { return writer.varint(1) }
    writer.field(15) { (inner: inout ByteWriter) in nest(depth - 1, &inner) }
  }
}
