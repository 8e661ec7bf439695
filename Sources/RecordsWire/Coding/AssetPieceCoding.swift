// A piece of a file, written and read by hand: a photo is a thousand times as long as what else is
// said, and the generated messages copy it twice on either side. Only the plain form is read here – a
// number and one piece, each field once; whatever else a peer may send is left to those.

import Records

extension AssetPiece {
  /// Its field in frames of either direction.
  private static let frameField = 51

  /// The frame with the piece, length first.
  func framed(number: UInt64) -> [UInt8] {
    let head = frameHead(number: number)
    var framed: [UInt8] = []
    framed.reserveCapacity(head.count + content.count)
    framed += head
    framed += content
    return framed
  }

  /// What stands before the content in the frame with the piece, length first: with it the frame can be
  /// put together where it is sent from.
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

  /// What a frame says that is a piece in its plain form; `nil` for every other frame.
  static func alone(in payload: ArraySlice<UInt8>) -> (number: UInt64, piece: AssetPiece)? {
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
      let place = try? checkedOffset(offset)
    else { return nil }
    self.init(digest: digest, offset: place, content: content)
  }
}
