import ByteCounts
import Testing

@Suite("sizes in words")
struct ByteCountTests {
  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1 KB"), (1_001, "1.01 KB"),
    (1_500, "1.5 KB"), (9_999, "10 KB"), (65_536, "65.6 KB"), (100_001, "101 KB"),
    (999_000, "999 KB"), (999_999, "1 MB"), (12_400_000, "12.4 MB"), (20_000_000, "20 MB"),
    (20_000_001, "20.1 MB"), (52_428_800, "52.5 MB"), (4_294_967_296, "4.3 GB"),
    (1_000_000_000_000, "1 TB"), (5_000_000_000_000_000, "5000 TB"), (-7, "-7 bytes"),
  ])
  func `a size has at most three digits, rounded up, in the largest unit`(
    bytes: Int, text: String
  ) {
    #expect(ByteCount(bytes).description == text)
  }

  @Test(arguments: [
    (255, "255 bytes"), (1_024, "1.02 KB"), (20_000_000, "20 MB"), (1 << 20, "1.04 MB"),
    (50 << 20, "52.4 MB"), (999_999, "999 KB"),
  ])
  func `a limit is rounded down`(bytes: Int, text: String) {
    #expect(ByteCount(bytes).limit == text)
  }

  @Test func `a size above a limit never reads like the limit`() {
    for limit in [1_000, 1_024, 999_999, 1 << 20, 20_000_000, 50 << 20, 1 << 40] {
      #expect(ByteCount(limit + 1).description != ByteCount(limit).limit, "\(limit)")
    }
  }

  @Test func `the largest numbers have a size`() {
    #expect(ByteCount(.max).description.hasSuffix(" TB"))
    #expect(ByteCount(.max).limit.hasSuffix(" TB"))
  }
}
