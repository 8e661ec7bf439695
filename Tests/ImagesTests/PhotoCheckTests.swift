import Images
import Records
import Testing

@Suite("C4, T1 one check of photos")
struct PhotoCheckTests {
  private static func check(_ bytes: [UInt8], limit: Int = PhotoCheck.bytesMaximum) throws
    -> ImageProbe
  {
    try PhotoCheck.probe(byteCount: bytes.count, limit: limit) { offset, count in
      Array(bytes[offset..<min(bytes.count, offset + count)])
    }
  }

  private static func error(_ bytes: [UInt8], limit: Int = PhotoCheck.bytesMaximum)
    -> RecordsError?
  {
    #expect(throws: RecordsError.self) { try check(bytes, limit: limit) }
  }

  @Test(arguments: ImageProbe.Format.allCases)
  func `a whole picture has its format and size`(format: ImageProbe.Format) throws {
    let bytes = try #require(ImageWholenessTests.samples[format])
    let probe = try Self.check(bytes)
    #expect(probe.format == format && probe.width == 300 && probe.height == 200)
  }

  @Test func `a picture that is cut, damaged, no picture or empty is refused with its sentence`()
    throws
  {
    let whole = try #require(ImageWholenessTests.samples[.png])
    for (bytes, sentence) in [
      (whole.dropLast(), "The file begins like image/png and ends too early."),
      (whole.prefix(20), "The file begins like image/png and is damaged."),
      (ArraySlice("<svg/>".utf8), "The file is not a picture of a kind that is known."),
      ([], "The file is empty."),
    ] {
      let error = Self.error(Array(bytes))
      #expect(error?.message == sentence)
      #expect(error?.code == .invalidArguments && error?.field == "photo")
    }
  }

  @Test func `a file above the limit is refused with both sizes, and its content is not read`()
    throws
  {
    let error = #expect(throws: RecordsError.self) {
      try PhotoCheck.probe(byteCount: 24_500_000) { _, _ in
        Issue.record("The file was read.")
        return []
      }
    }
    #expect(error?.code == .limitExceeded && error?.field == "photo")
    #expect(error?.message == "The photo is 24.5 MB; the largest allowed is 20 MB.")
    let whole = try #require(ImageWholenessTests.samples[.png])
    #expect(try Self.check(whole, limit: whole.count).format == .png)
    let small = Self.error(whole, limit: whole.count - 1)
    #expect(small?.message == "The photo is 201 KB; the largest allowed is 200 KB.")
    #expect(
      PhotoCheck.tooLarge(nil).message == "The photo is larger than 20 MB, the largest allowed.")
  }
}
