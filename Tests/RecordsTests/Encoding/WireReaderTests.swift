// `ByteReaderTests` has the rules of the format, which `ByteReader` reads with this reader.

import Records
import Testing

@Suite("B2 reading protobuf in place")
struct WireReaderTests {
  @Test func `the content of a field is the bytes of the message itself`() throws {
    let bytes = PlainCodec.delimited(3, [7, 8]) + PlainCodec.integer(2, 300)
    try bytes.withUnsafeBufferPointer { bytes in
      var reader = WireReader(bytes)
      let first = try #require(try reader.next())
      #expect(first.number == 3)
      #expect(try first.payload.content().baseAddress == bytes.baseAddress.map { $0 + 2 })
      #expect(try Array(first.payload.content()) == [7, 8])
      let second = try #require(try reader.next())
      #expect(second.number == 2)
      #expect(try second.payload.signed() == 150)
      #expect(try reader.next()?.number == nil)
    }
  }

  @Test func `no bytes are no fields`() throws {
    var reader = WireReader(UnsafeBufferPointer(start: nil, count: 0))
    #expect(try reader.next()?.number == nil)
  }
}
