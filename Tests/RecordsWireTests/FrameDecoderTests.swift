import Records
import Testing

@testable import RecordsWire

@Suite("B2 frames cut from a stream")
struct FrameDecoderTests {
  private let payloads: [[UInt8]] = [
    [1], Array(0..<200), [2, 3], Array(repeating: 4, count: 70_000),
  ]
  private var stream: [UInt8] { payloads.flatMap(FramePrefix.framing) }

  @Test func `a stream cut in two anywhere gives the same frames`() throws {
    let short = payloads.prefix(3).flatMap(FramePrefix.framing)
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
  func `a stream in pieces of any size gives the same frames`(size: Int) throws {
    var decoder = FrameDecoder()
    var found: [[UInt8]] = []
    let stream = stream
    for start in stride(from: 0, to: stream.count, by: size) {
      decoder.append(stream[start..<min(start + size, stream.count)])
      while let payload = try decoder.next() { found.append(Array(payload)) }
    }
    #expect(found == payloads)
  }

  @Test func `a payload that somebody keeps stays as it was`() throws {
    var decoder = FrameDecoder()
    var kept: [ArraySlice<UInt8>] = []
    let stream = stream + stream
    for start in stride(from: 0, to: stream.count, by: 1000) {
      decoder.append(stream[start..<min(start + 1000, stream.count)])
      while let payload = try decoder.next() { kept.append(payload) }
    }
    #expect(kept.map(Array.init) == payloads + payloads)
  }

  @Test func `a length over the bound is refused before anything of it is kept`() throws {
    var decoder = FrameDecoder()
    decoder.append(FramePrefix.bytes(length: Limits.frameBytes + 1))
    let error = try #require(throws: RecordsError.self) { try decoder.next() }
    #expect(error.code == .limitExceeded)
    decoder.append(Array(repeating: 0, count: 1000))
    #expect(decoder.bufferedByteCount == 0)
    #expect(throws: RecordsError.self) { try decoder.next() }
  }

  @Test func `room is made for a long frame once a part of it has come, and not before`() throws {
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

  @Test func `who keeps a short payload does not keep the long one before it`() throws {
    var decoder = FrameDecoder()
    let long = Array(repeating: UInt8(1), count: 100_000)
    decoder.append(FramePrefix.framing(long) + FramePrefix.framing([2]))
    #expect(try decoder.next()?.startIndex == FramePrefix.byteCount)
    #expect(try decoder.next()?.startIndex == 0)
  }

  @Test func `the longest length there is costs nothing but an error`() {
    var decoder = FrameDecoder()
    decoder.append([255, 255, 255, 255])
    #expect(throws: RecordsError.self) { try decoder.next() }
  }

  @Test func `a frame of exactly the bound passes`() throws {
    var decoder = FrameDecoder(frameBytesMaximum: 10)
    decoder.append(FramePrefix.framing(Array(repeating: 5, count: 10)))
    #expect(try decoder.next()?.count == 10)
    #expect(try decoder.next() == nil)
  }

  @Test func `an empty frame is refused`() {
    var decoder = FrameDecoder()
    decoder.append([0, 0, 0, 0])
    #expect(throws: RecordsError.self) { try decoder.next() }
  }

  @Test func `a stream that ends within a frame leaves it waiting`() throws {
    let framed = FramePrefix.framing([1, 2, 3])
    for length in 0..<framed.count {
      var decoder = FrameDecoder()
      decoder.append(framed.prefix(length))
      #expect(try decoder.next() == nil)
      #expect(decoder.bufferedByteCount == length)
    }
  }
}
