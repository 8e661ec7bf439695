import Records
import Testing

@testable import RecordsWire

@Suite("B2 the handwritten codec of asset chunks")
struct AssetPieceBytesTests {
  private let digest = Samples.digest

  private func piece(offset: Int, bytes: Int) -> AssetPiece {
    AssetPiece(
      digest: digest, offset: offset, content: (0..<bytes).map { UInt8(truncatingIfNeeded: $0) })
  }

  @Test(arguments: [
    (UInt64(0), 0, 1), (1, 0, 127), (300, 1, 128), (UInt64.max, 5 << 20, 256 << 10),
  ])
  func `the bytes equal those of the generated messages`(number: UInt64, offset: Int, bytes: Int) {
    let piece = piece(offset: offset, bytes: bytes)
    let up = ClientFrame(id: number, message: .assetPiece(piece))
    let down = BrokerFrame(replyTo: number, message: .assetPiece(piece))
    #expect(up.framed == FramePrefix.prepended(to: up.payload))
    #expect(down.framed == FramePrefix.prepended(to: down.payload))
  }

  @Test(arguments: [(UInt64(1), 0, 1), (7, 65_536, 256 << 10)])
  func `an encoded chunk is decoded by hand`(number: UInt64, offset: Int, bytes: Int) throws {
    let piece = piece(offset: offset, bytes: bytes)
    let payload = BrokerFrame(replyTo: number, message: .assetPiece(piece)).payload
    let found = try #require(AssetPiece.plainFrame(in: payload[...]))
    #expect(found.number == number)
    #expect(found.piece == piece)
  }

  @Test func `a frame with its fields in another order is decoded`() throws {
    let piece = piece(offset: 9, bytes: 40)
    var message = ByteWriter()
    message.field(3, bytes: Array(piece.content))
    message.field(2, varint: 9)
    message.field(1, bytes: digest.bytes)
    var frame = ByteWriter()
    frame.field(51, bytes: message.bytes)
    frame.field(1, varint: 12)
    #expect(AssetPiece.plainFrame(in: frame.bytes[...]) == nil)
    let read = try ClientFrame(payload: frame.bytes)
    #expect(read == ClientFrame(id: 12, message: .assetPiece(piece)))
  }

  @Test func `the last of two messages in a frame counts`() throws {
    var frame = ByteWriter()
    frame.field(1, varint: 3)
    frame.field(51, bytes: message(of: piece(offset: 0, bytes: 5)))
    frame.field(46, bytes: [])
    #expect(AssetPiece.plainFrame(in: frame.bytes[...]) == nil)
  }

  @Test func `a chunk without bytes, or with too many, is rejected with its id`() {
    for count in [0, Limits.assetPieceBytes + 1] {
      var frame = ByteWriter()
      frame.field(1, varint: 8)
      frame.field(51, bytes: message(of: piece(offset: 0, bytes: count)))
      let refused = #expect(throws: RefusedFrame.self) { try ClientFrame(payload: frame.bytes) }
      #expect(refused?.id == 8)
      #expect(refused?.error.code == (count == 0 ? .invalidArguments : .limitExceeded))
    }
  }

  private func message(of piece: AssetPiece) -> [UInt8] {
    var message = ByteWriter()
    message.field(1, bytes: piece.digest.bytes)
    if piece.offset > 0 { message.field(2, varint: UInt64(piece.offset)) }
    message.field(3, bytes: Array(piece.content))
    return message.bytes
  }
}
