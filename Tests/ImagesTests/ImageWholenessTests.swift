import Images
import Records
import Testing

@Suite("T1 a photo reaches its end")
struct ImageWholenessTests {
  private typealias Samples = ImageProbeTests

  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Samples.big(content.count, 4) + Array(name.utf8) + content + [1, 2, 3, 4]
  }

  /// A small picture of each format, with a head, a body and an end.
  static var samples: [ImageProbe.Format: [UInt8]] {
    let body = [UInt8](repeating: 0x55, count: 200_000)
    let head = Samples.jpeg(300, 200)
    let jpeg =
      Array(head.prefix(head.count - 20)) + [UInt8](repeating: 0, count: 10) + [
        0xFF, 0xDA, 0, 4, 1, 2,
      ]
      + body + [0xFF, 0x00] + body + [0xFF, 0xD9]
    let webpBody =
      Array("VP8X".utf8) + Samples.little(10, 4) + [0, 0, 0, 0]
      + Samples.little(299, 3) + Samples.little(199, 3) + body
    return [
      .png: Array(Samples.png(300, 200)) + [1, 2, 3, 4].prefix(4) + chunk("IDAT", body)
        + chunk("IEND", []),
      .jpeg: jpeg,
      .gif: Samples.gif(300, 200) + body + [0x3B],
      .webp: Array("RIFF".utf8) + Samples.little(webpBody.count + 4, 4) + Array("WEBP".utf8)
        + webpBody,
      .heic: Samples.heif("heic", [(300, 200)]) + Samples.box("mdat", body),
      .avif: Samples.heif("avif", [(300, 200)]) + Samples.box("mdat", body),
    ]
  }

  private static func check(_ bytes: [UInt8]) throws -> ImageProbe.Format {
    let probe = try ImageProbe(head: bytes)
    try ImageWholeness.check(probe.format, byteCount: bytes.count) { offset, count in
      Array(bytes[offset..<min(bytes.count, offset + count)])
    }
    return probe.format
  }

  @Test(arguments: ImageProbe.Format.allCases)
  func `a whole picture is taken`(format: ImageProbe.Format) throws {
    let bytes = try #require(Self.samples[format])
    #expect(try Self.check(bytes) == format)
  }

  @Test(arguments: ImageProbe.Format.allCases)
  func `a picture cut in its body or at its last byte is refused with a sentence`(
    format: ImageProbe.Format
  ) throws {
    let bytes = try #require(Self.samples[format])
    for count in [bytes.count - 1, bytes.count / 2, 600] {
      let error = #expect(throws: RecordsError.self, "\(format), \(count)") {
        try Self.check(Array(bytes.prefix(count)))
      }
      #expect(error?.code == .invalidArguments)
      #expect(error?.field == "photo")
    }
  }

  @Test func `what stands behind a JPEG's end is not its business`() throws {
    let bytes = try #require(Self.samples[.jpeg])
    #expect(try Self.check(bytes + [UInt8](repeating: 9, count: 100_000)) == .jpeg)
  }

  @Test func `noise ends soon and never traps`() throws {
    var state: UInt64 = 7
    for format in ImageProbe.Format.allCases {
      let sample = try #require(Self.samples[format])
      for _ in 0..<50 {
        var bytes = Array(sample.prefix(2000))
        for _ in 0..<20 {
          state = state &* 6_364_136_223_846_793_005 &+ 1
          bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 20)
        }
        try? ImageWholeness.check(format, byteCount: bytes.count) { offset, count in
          Array(bytes[offset..<min(bytes.count, offset + count)])
        }
      }
    }
  }
}
