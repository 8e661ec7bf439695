// Whether a picture reaches its end. A file that a camera was pulled from, or a download that broke
// off, has a good head and shows half a picture; whoever keeps it for others looks at the rest too.
// Each format says where it ends, and no more is followed than that: lengths from piece to piece,
// never the picture. The cost is one reading of the file at most, and a bounded memory.

import Records

/// Looks for the end of a picture.
package enum ImageWholeness {
  /// Reads up to `count` bytes from `offset` on; fewer only at the file's end.
  package typealias Reading = (_ offset: Int, _ count: Int) throws -> [UInt8]

  /// Follows a file of `byteCount` bytes, which `ImageProbe` has recognised as `format`, to its end.
  /// - Throws: `invalidArguments` when it ends too early, with a sentence; what `read` throws.
  package static func check(
    _ format: ImageProbe.Format, byteCount: Int, read: @escaping Reading
  ) throws {
    var pieces = ImagePieces(byteCount: byteCount, read: read)
    let isWhole =
      switch format {
      case .png: try reachesPNGEnd(&pieces)
      case .jpeg: try reachesJPEGEnd(&pieces)
      case .webp: try reachesWebPEnd(&pieces)
      case .heic, .avif: try reachesBoxesEnd(&pieces)
      case .gif: try pieces.number(byteCount - 1, 1) == 0x3B
      }
    guard isWhole else {
      throw RecordsError(
        .invalidArguments, "The file begins like \(format.rawValue) and ends too early.",
        hint: "Copy it again from where it comes.", field: "photo")
    }
  }

  /// From chunk to chunk to the one that ends the picture.
  private static func reachesPNGEnd(_ pieces: inout ImagePieces) throws -> Bool {
    var index = 8
    while let length = try pieces.number(index, 4), let name = try pieces.number(index + 4, 4) {
      // Length, name and checksum stand around the content.
      guard length <= pieces.byteCount - index - 12 else { return false }
      if name == 0x4945_4E44 { return true }
      index += 12 + length
    }
    return false
  }

  /// From marker to marker to where the picture begins, then to the mark of its end: in between
  /// nothing may look like one.
  private static func reachesJPEGEnd(_ pieces: inout ImagePieces) throws -> Bool {
    var index = 2
    while let code = try pieces.number(index + 1, 1), code != 0xDA {
      if code == 0xFF {
        index += 1
      } else if code == 0x01 || (0xD0...0xD7).contains(code) {
        index += 2
      } else {
        guard let length = try pieces.number(index + 2, 2), length >= 2 else { return false }
        index += 2 + length
      }
    }
    return try pieces.find([0xFF, 0xD9], from: index)
  }

  private static func reachesWebPEnd(_ pieces: inout ImagePieces) throws -> Bool {
    let head = try pieces.bytes(4, 4)
    guard head.count == 4 else { return false }
    let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
    return length >= 12 && length <= pieces.byteCount - 8
  }

  /// From box to box; the last one's length may be left open.
  private static func reachesBoxesEnd(_ pieces: inout ImagePieces) throws -> Bool {
    var index = 0
    while index < pieces.byteCount {
      guard var length = try pieces.number(index, 4) else { return false }
      if length == 0 { return true }
      if length == 1 {
        guard try pieces.number(index + 8, 4) == 0, let long = try pieces.number(index + 12, 4)
        else { return false }
        length = long
      }
      guard length >= 8, length <= pieces.byteCount - index else { return false }
      index += length
    }
    return index > 0
  }
}

/// A file read in pieces, of which the last one is kept.
private struct ImagePieces {
  private static let pieceBytes = 64 << 10

  let byteCount: Int
  let read: ImageWholeness.Reading
  private var start = 0
  private var piece: [UInt8] = []

  init(byteCount: Int, read: @escaping ImageWholeness.Reading) {
    self.byteCount = byteCount
    self.read = read
  }

  /// `count` bytes from `offset` on; fewer at the end. At most a piece's length.
  mutating func bytes(_ offset: Int, _ count: Int) throws -> ArraySlice<UInt8> {
    guard offset >= 0, offset < byteCount else { return [] }
    if offset < start || offset + count > start + piece.count {
      start = offset
      piece = try read(offset, min(Self.pieceBytes, byteCount - offset))
    }
    let from = min(offset - start, piece.count)
    return piece[from..<min(from + count, piece.count)]
  }

  /// A number of up to four bytes, most significant first; `nil` behind the end.
  mutating func number(_ offset: Int, _ count: Int) throws -> Int? {
    let found = try bytes(offset, count)
    return found.count == count ? found.reduce(0) { $0 << 8 | Int($1) } : nil
  }

  /// Whether two bytes stand somewhere behind `offset`.
  mutating func find(_ pair: [UInt8], from offset: Int) throws -> Bool {
    var index = offset
    var last: UInt8 = 0
    while index < byteCount {
      let found = try bytes(index, min(Self.pieceBytes, byteCount - index))
      guard !found.isEmpty else { return false }
      for byte in found {
        if last == pair[0], byte == pair[1] { return true }
        last = byte
      }
      index += found.count
    }
    return false
  }
}
