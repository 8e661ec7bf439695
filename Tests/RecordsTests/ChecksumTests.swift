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

  /// The results of the reference implementation for the bytes 7, 138, 13 …, 131 apart.
  @Test(
    arguments: [
      (4, 3, 0x5690_C369_87CB_FF73), (31, 0, 0x6711_D55E_306B_5D8F),
      (32, 0, 0x07F7_B8E3_BC5D_6E25), (33, 1, 0x489F_1772_049E_476C),
      (63, .max, 0x5B30_F335_7336_19AB), (64, 7, 0x47FB_D6E3_ABE5_CC0E),
      (100, 2_654_435_761, 0x5766_BE67_82B9_6389), (1000, 0, 0x0BF0_BDBC_C82E_B373),
    ] as [(Int, UInt64, UInt64)])
  func `bytes of any length and seed have the checksum that XXH64 gives them`(
    count: Int, seed: UInt64, checksum: UInt64
  ) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 131 + 7) }
    #expect(Checksum.of(bytes, seed: seed) == checksum)
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
      Checksum.of(numbers: [1, 0x0203, 0, 0, 0, 0, 0, 0, 0, 0])
        == Checksum.of([1, 0, 0, 0, 0, 0, 0, 0, 3, 2] + Array(repeating: 0, count: 70)))
  }
}
