import Testing

@testable import DaemonKit

@Suite("R2 values in DER")
struct DERValueTests {
  @Test(
    arguments: [
      (0, [0x00]), (127, [0x7F]), (128, [0x81, 0x80]), (255, [0x81, 0xFF]),
      (256, [0x82, 0x01, 0x00]), (65_535, [0x82, 0xFF, 0xFF]), (65_536, [0x83, 0x01, 0x00, 0x00]),
    ] as [(Int, [UInt8])])
  func `a length from 128 has the long form, in as few bytes as possible`(
    count: Int, length: [UInt8]
  ) {
    let text = String(repeating: "a", count: count)
    #expect(DERValue.utf8String(text).bytes == [0x0C] + length + Array(text.utf8))
  }

  @Test(
    arguments: [
      (0, [0x00]), (1, [0x01]), (0x7F, [0x7F]), (0x80, [0x00, 0x80]), (0xFF, [0x00, 0xFF]),
      (0x100, [0x01, 0x00]), (0x7FFF, [0x7F, 0xFF]), (0x8000, [0x00, 0x80, 0x00]),
      (1 << 120, [1] + [UInt8](repeating: 0, count: 15)),
      (.max, [0] + [UInt8](repeating: 0xFF, count: 16)),
    ] as [(UInt128, [UInt8])])
  func `an integer has no superfluous bytes, and a zero before a highest bit that is set`(
    value: UInt128, content: [UInt8]
  ) {
    #expect(DERValue.integer(value).bytes == [0x02, UInt8(content.count)] + content)
  }

  @Test func `a sequence, a set and a tagged value contain their elements`() {
    let one = DERValue.integer(1)
    #expect(DERValue.sequence(one, one).bytes == [0x30, 6, 2, 1, 1, 2, 1, 1])
    #expect(DERValue.set(one).bytes == [0x31, 3, 2, 1, 1])
    #expect(DERValue.tagged(0, one).bytes == [0xA0, 3, 2, 1, 1])
  }

  @Test func `a bit string begins with the number of its unused bits`() {
    #expect(DERValue.bitString([0xFF, 1]).bytes == [0x03, 3, 0, 0xFF, 1])
  }
}
