import Images
import Records
import Testing

@Suite("C4 photos are looked at, never decoded")
struct ImageProbeTests {
  static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }

  static func png(_ width: Int, _ height: Int) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + big(13, 4) + Array("IHDR".utf8)
      + big(width, 4) + big(height, 4) + [8, 2, 0, 0, 0]
  }

  static func gif(_ width: Int, _ height: Int) -> [UInt8] {
    Array("GIF89a".utf8) + little(width, 2) + little(height, 2) + [0, 0, 0]
  }

  static func jpeg(_ width: Int, _ height: Int) -> [UInt8] {
    [0xFF, 0xD8] + [0xFF, 0xE0] + big(16, 2) + [UInt8](repeating: 0, count: 14)
      + [0xFF, 0xFF, 0xE1] + big(300, 2) + [UInt8](repeating: 0xC0, count: 298)
      + [0xFF, 0xC4] + big(4, 2) + [0, 0] + [0xFF, 0xC2] + big(17, 2) + [8] + big(height, 2)
      + big(width, 2) + [UInt8](repeating: 0, count: 20)
  }

  static func webp(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + little(100, 4) + Array("WEBP".utf8) + Array(kind.utf8)
      + little(content.count, 4) + content
  }

  static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    big(content.count + 8, 4) + Array(name.utf8) + content
  }

  static func heif(_ brand: String, _ sizes: [(Int, Int)]) -> [UInt8] {
    let sizes = sizes.flatMap { box("ispe", big(0, 4) + big($0.0, 4) + big($0.1, 4)) }
    return box("ftyp", Array("mif1".utf8) + big(0, 4) + Array(brand.utf8))
      + box("free", [])
      + box("meta", big(0, 4) + box("hdlr", [1, 2]) + box("iprp", box("ipco", sizes)))
  }

  static func probe(_ bytes: [UInt8]) throws -> ImageProbe {
    try ImageProbe(head: bytes)
  }

  @Test func `the format and the size are read from the first bytes`() throws {
    let webpLossy = Self.webp(
      "VP8 ", [1, 2, 3, 0x9D, 1, 0x2A] + Self.little(300, 2) + Self.little(200, 2))
    let webpLossless = Self.webp("VP8L", [0x2F] + Self.little(299 | 199 << 14, 4))
    let webpExtended = Self.webp(
      "VP8X", [0, 0, 0, 0] + Self.little(299, 3) + Self.little(199, 3))
    let samples: [(ImageProbe.Format, [UInt8])] = [
      (.png, Self.png(300, 200)), (.gif, Self.gif(300, 200)), (.jpeg, Self.jpeg(300, 200)),
      (.webp, webpLossy), (.webp, webpLossless), (.webp, webpExtended),
      (.heic, Self.heif("heic", [(100, 100), (300, 200), (64, 64)])),
      (.avif, Self.heif("avif", [(300, 200)])),
    ]
    for (format, bytes) in samples {
      let probe = try Self.probe(bytes)
      #expect(probe.format == format)
      #expect(probe.width == 300, "\(format)")
      #expect(probe.height == 200, "\(format)")
    }
  }

  @Test(arguments: [
    "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "<html></html>", "", "BM", "%PDF-1.7",
    "GIF", "RIFF0000WAVEfmt ", "\u{0}\u{0}\u{0}\u{18}ftypisom00000000isom",
  ])
  func `what is no picture of a known kind is refused`(text: String) {
    let error = #expect(throws: RecordsError.self) { try Self.probe(Array(text.utf8)) }
    #expect(error?.code == .invalidArguments)
    #expect(error?.hint.contains("PNG") == true)
  }

  @Test func `sides and areas that no camera makes are refused with their numbers`() {
    for bytes in [Self.png(20_001, 1), Self.png(15_000, 15_000), Self.gif(65_535, 65_535)] {
      let error = #expect(throws: RecordsError.self) { try Self.probe(bytes) }
      #expect(error?.code == .limitExceeded)
      #expect(error?.message.contains("pixels") == true)
    }
    #expect(throws: Never.self) { try Self.probe(Self.png(20_000, 5000)) }
  }

  @Test func `an area that would overflow is refused`() {
    let error = #expect(throws: RecordsError.self) {
      try Self.probe(Self.heif("heic", [(0xFFFF_FFFF, 0xFFFF_FFFF)]))
    }
    #expect(error?.code == .limitExceeded)
  }

  @Test func `heads cut anywhere, and heads of nothing, are damaged pictures`() {
    let samples = [
      Self.png(300, 200), Self.jpeg(300, 200), Self.heif("heic", [(300, 200)]), Self.png(0, 5),
    ]
    for sample in samples {
      for count in 0..<sample.count { _ = try? Self.probe(Array(sample[..<count])) }
    }
    #expect(throws: RecordsError.self) { try Self.probe(Self.png(0, 5)) }
    #expect(throws: RecordsError.self) { try Self.probe([0xFF, 0xD8, 0xFF, 0xD9]) }
    #expect(throws: RecordsError.self) { try Self.probe(Array(Self.jpeg(3, 2).prefix(335))) }
  }

  @Test func `noise behind a known beginning never traps`() {
    var state: UInt64 = 42
    let beginnings = [
      Array(Self.png(1, 1).prefix(8)), [0xFF, 0xD8, 0xFF], Array("GIF89a".utf8),
      Array("RIFF0000WEBPVP8 ".utf8), Array(Self.heif("heic", []).prefix(40)),
    ]
    for round in 0..<3000 {
      let noise = (0..<120).map { _ -> UInt8 in
        state = state &* 6_364_136_223_846_793_005 &+ 1
        return UInt8(truncatingIfNeeded: state >> 33)
      }
      _ = try? Self.probe(beginnings[round % beginnings.count] + noise)
    }
  }
}
