// A handwritten codec for asset chunks. Chunks are far longer than other messages, and the
// generated messages copy the content twice on each side. Decoding handles the usual form only: an
// id and one chunk, each field once and in order. The generated messages decode all other forms.

import Records

extension AssetPiece {
  /// The field number of `asset_piece` in frames of both directions.
  private static let frameField = 51

  /// Returns the chunk's frame with the length prefix.
  func framed(number: UInt64) -> [UInt8] {
    let head = frameHead(number: number)
    var framed: [UInt8] = []
    framed.reserveCapacity(head.count + content.count)
    framed += head
    framed += content
    return framed
  }

  /// Returns the part of the frame before the content, with the length prefix. The sender can then
  /// write head and content without joining them.
  package func frameHead(number: UInt64) -> [UInt8] {
    var head = ByteWriter(reservingBytes: 64)
    head.field(1, bytes: digest.bytes)
    if offset != 0 { head.field(2, varint: UInt64(offset)) }
    head.open(3, byteCount: content.count)
    var outline = ByteWriter(reservingBytes: 32)
    if number != 0 { outline.field(1, varint: number) }
    outline.open(Self.frameField, byteCount: head.bytes.count + content.count)
    let byteCount = outline.bytes.count + head.bytes.count + content.count
    return FramePrefix.bytes(length: byteCount) + outline.bytes + head.bytes
  }

  /// Decodes a frame that contains only a chunk in the usual form; returns `nil` for every other
  /// frame.
  static func plainFrame(in payload: ArraySlice<UInt8>) -> (number: UInt64, piece: AssetPiece)? {
    var reader = ByteReader(payload)
    guard let first = try? reader.next(), first.number == 1,
      let number = try? first.payload.unsigned(),
      let second = try? reader.next(), second.number == frameField,
      let message = try? second.payload.slice(), message.endIndex == payload.endIndex,
      let piece = AssetPiece(plain: message)
    else { return nil }
    return (number, piece)
  }

  private init?(plain message: ArraySlice<UInt8>) {
    var reader = ByteReader(message)
    guard let first = try? reader.next(), first.number == 1,
      let digest = (try? first.payload.slice()).flatMap({ AssetDigest(bytes: $0) }),
      var field = try? reader.next()
    else { return nil }
    var offset: UInt64 = 0
    if field.number == 2 {
      guard let value = try? field.payload.unsigned(), let next = try? reader.next() else {
        return nil
      }
      offset = value
      field = next
    }
    guard field.number == 3, let content = try? field.payload.slice(),
      content.endIndex == message.endIndex,
      (1...Limits.assetPieceBytes).contains(content.count),
      let start = try? checkedOffset(offset)
    else { return nil }
    self.init(digest: digest, offset: start, content: content)
  }
}
