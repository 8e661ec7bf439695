import Records
import Testing

@testable import RecordsWire

@Suite("B2 frames of a stream")
struct FrameDecoderTests {
  private let payloads: [[UInt8]] = [
    [1], Array(0..<200), [2, 3], Array(repeating: 4, count: 70_000),
  ]
  private var stream: [UInt8] { payloads.flatMap(FramePrefix.prepended(to:)) }

  @Test func `a stream split at any byte gives the same frames`() throws {
    let short = payloads.prefix(3).flatMap(FramePrefix.prepended(to:))
    for cut in 0...short.count {
      var decoder = FrameDecoder()
      var found: [[UInt8]] = []
      for piece in [short[..<cut], short[cut...]] {
        decoder.append(piece)
        while let payload = try decoder.next() { found.append(Array(payload)) }
      }
      #expect(found == Array(payloads.prefix(3)))
      #expect(decoder.bufferedByteCount == 0)
    }
  }

  @Test(arguments: [1, 2, 3, 7, 1000, 65_536])
  func `a stream in chunks of any size gives the same frames`(size: Int) throws {
    var decoder = FrameDecoder()
    var found: [[UInt8]] = []
    let stream = stream
    for start in stride(from: 0, to: stream.count, by: size) {
      decoder.append(stream[start..<min(start + size, stream.count)])
      while let payload = try decoder.next() { found.append(Array(payload)) }
    }
    #expect(found == payloads)
  }

  @Test func `a retained payload does not change`() throws {
    var decoder = FrameDecoder()
    var kept: [ArraySlice<UInt8>] = []
    let stream = stream + stream
    for start in stride(from: 0, to: stream.count, by: 1000) {
      decoder.append(stream[start..<min(start + 1000, stream.count)])
      while let payload = try decoder.next() { kept.append(payload) }
    }
    #expect(kept.map(Array.init) == payloads + payloads)
  }

  @Test func `a length above the limit is rejected before any payload is stored`() throws {
    var decoder = FrameDecoder()
    decoder.append(FramePrefix.bytes(length: Limits.frameBytes + 1))
    let error = try #require(throws: RecordsError.self) { try decoder.next() }
    #expect(error.code == .limitExceeded)
    decoder.append(Array(repeating: 0, count: 1000))
    #expect(decoder.bufferedByteCount == 0)
    #expect(throws: RecordsError.self) { try decoder.next() }
  }

  @Test func `capacity for a long frame is reserved once a part of it has arrived`() throws {
    var decoder = FrameDecoder()
    decoder.append(FramePrefix.bytes(length: Limits.frameBytes) + Array(repeating: 1, count: 1000))
    #expect(try decoder.next() == nil)
    decoder.append(Array(repeating: 1, count: 1000))
    #expect(decoder.reservedByteCount < 100_000)
    decoder.append(Array(repeating: 1, count: Limits.frameBytes / 8))
    let room = decoder.reservedByteCount
    #expect(room > Limits.frameBytes)
    for count in 1...500 { decoder.append(Array(repeating: 1, count: count)) }
    #expect(decoder.reservedByteCount == room)
  }

  @Test func `a retained short payload does not retain the long one before it`() throws {
    var decoder = FrameDecoder()
    let long = Array(repeating: UInt8(1), count: 100_000)
    decoder.append(FramePrefix.prepended(to: long) + FramePrefix.prepended(to: [2]))
    #expect(try decoder.next()?.startIndex == FramePrefix.byteCount)
    #expect(try decoder.next()?.startIndex == 0)
  }

  @Test func `the largest possible length costs only an error`() {
    var decoder = FrameDecoder()
    decoder.append([255, 255, 255, 255])
    #expect(throws: RecordsError.self) { try decoder.next() }
  }

  @Test func `a frame of exactly the limit is accepted`() throws {
    var decoder = FrameDecoder(frameBytesMaximum: 10)
    decoder.append(FramePrefix.prepended(to: Array(repeating: 5, count: 10)))
    #expect(try decoder.next()?.count == 10)
    #expect(try decoder.next() == nil)
  }

  @Test func `an empty frame is rejected`() {
    var decoder = FrameDecoder()
    decoder.append([0, 0, 0, 0])
    #expect(throws: RecordsError.self) { try decoder.next() }
  }

  @Test func `an incomplete frame stays in the buffer`() throws {
    let framed = FramePrefix.prepended(to: [1, 2, 3])
    for length in 0..<framed.count {
      var decoder = FrameDecoder()
      decoder.append(framed.prefix(length))
      #expect(try decoder.next() == nil)
      #expect(decoder.bufferedByteCount == length)
    }
  }
}
