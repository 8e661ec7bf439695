import Records
import Testing

@Suite("I1 checksums")
struct ChecksumTests {
  /// The results of the reference implementation.
  @Test(arguments: [
    ("", 0xEF46_DB37_51D8_E999 as UInt64), ("a", 0xD24E_C4F1_A98C_6E5B),
    ("abc", 0x44BC_2CF5_AD77_0999),
    ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
  ])
  func `a text has the checksum that XXH64 gives it`(text: String, checksum: UInt64) {
    #expect(Checksum.of(text) == checksum)
    #expect(Checksum.of(Array(text.utf8)) == checksum)
  }

  @Test func `a flipped bit, another seed and another length change the checksum`() {
    for count in [1, 4, 7, 8, 31, 32, 33, 100] {
      var bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
      let whole = Checksum.of(bytes)
      #expect(Checksum.of(bytes, seed: 1) != whole)
      #expect(Checksum.of(bytes + [0]) != whole)
      for bit in 0..<count * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8)
        #expect(Checksum.of(bytes) != whole, "bit \(bit) of \(count) bytes")
        bytes[bit / 8] ^= 1 << (bit % 8)
      }
    }
  }

  @Test func `numbers are eight bytes each, least significant first`() {
    #expect(
      Checksum.of(numbers: 1, 0x0203)
        == Checksum.of([1, 0, 0, 0, 0, 0, 0, 0, 3, 2, 0, 0, 0, 0, 0, 0]))
  }
}
