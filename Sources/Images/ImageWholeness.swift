// Checks that a picture is complete. A file from an interrupted copy or download has a valid header and shows
// half a picture, so the rest of a file is checked before it is stored for others. The check follows the
// structure of each format from length to length up to its end, without decoding the picture. It reads a file
// at most once, with bounded memory.

import Records

/// Checks whether a picture is complete.
package enum ImageWholeness {
  /// Reads up to `count` bytes at `offset`; fewer only at the end of the file.
  package typealias Reading = (_ offset: Int, _ count: Int) throws -> [UInt8]

  /// Follows a file of `byteCount` bytes, of a `format` that `ImageProbe` recognized, to its end.
  /// - Throws: `invalidArguments` with a sentence if it ends too early; any error of `read`.
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

  /// Follows the chunks to the one that ends the picture.
  private static func reachesPNGEnd(_ pieces: inout ImagePieces) throws -> Bool {
    var index = 8
    while let length = try pieces.number(index, 4), let name = try pieces.number(index + 4, 4) {
      // Length, name and checksum surround the content.
      guard length <= pieces.byteCount - index - 12 else { return false }
      if name == 0x4945_4E44 { return true }
      index += 12 + length
    }
    return false
  }

  /// Follows the markers to the start of the image data, then searches for the end marker, which cannot occur
  /// within the data.
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

  /// Follows the boxes. The last one may have no length.
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

/// A file that is read in chunks, of which the last one is cached.
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

  /// Returns `count` bytes at `offset`; fewer at the end of the file. At most one chunk.
  mutating func bytes(_ offset: Int, _ count: Int) throws -> ArraySlice<UInt8> {
    guard offset >= 0, offset < byteCount else { return [] }
    if offset < start || offset + count > start + piece.count {
      start = offset
      piece = try read(offset, min(Self.pieceBytes, byteCount - offset))
    }
    let from = min(offset - start, piece.count)
    return piece[from..<min(from + count, piece.count)]
  }

  /// Returns a big-endian number of up to four bytes; `nil` beyond the end.
  mutating func number(_ offset: Int, _ count: Int) throws -> Int? {
    let found = try bytes(offset, count)
    return found.count == count ? found.reduce(0) { $0 << 8 | Int($1) } : nil
  }

  /// Whether two bytes occur anywhere after `offset`.
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
