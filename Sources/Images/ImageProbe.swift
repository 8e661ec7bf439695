// Examines the start of a file that claims to be a picture: format, width and height. It never decodes the
// picture; the program that shows it does. Files that could harm a decoder are therefore rejected before they
// are stored: extreme sides and areas, contradictory headers, and files that are not pictures. SVG is
// rejected too, because it is a program.

import Records

/// The properties of a picture, from its header.
package struct ImageProbe: Hashable, Sendable {
  /// The supported formats.
  package enum Format: String, Hashable, Sendable, CaseIterable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webp = "image/webp"
    case heic = "image/heic"
    case avif = "image/avif"

    /// The file extension of this format, without a period.
    package var fileExtension: String {
      switch self {
      case .png: "png"
      case .jpeg: "jpg"
      case .gif: "gif"
      case .webp: "webp"
      case .heic: "heic"
      case .avif: "avif"
      }
    }
  }

  /// The number of bytes at the start of a file that are examined. A JPEG has its size after its color
  /// profile and its preview.
  package static let headBytes = 1 << 20
  /// The longest side, in pixels. A decoder needs memory for each of them.
  static let sideMaximum = 20_000
  /// The largest area, in pixels.
  static let areaMaximum = 100_000_000

  /// The format.
  package let format: Format
  /// The width in pixels, as stored; a viewer may rotate the picture.
  package let width: Int
  /// The height in pixels.
  package let height: Int

  /// Examines a file that begins with `head`, its first `headBytes` or all of them.
  /// - Throws: `invalidArguments` or `limitExceeded` with a sentence for people.
  package init(head: [UInt8]) throws(RecordsError) {
    let bytes = ImageBytes(head)
    guard let format = Self.format(of: bytes) else {
      throw RecordsError(
        .invalidArguments, "The file is not a picture of a kind that is known.",
        hint: "PNG, JPEG, GIF, WebP, HEIC and AVIF are.", field: "photo")
    }
    guard let size = Self.size(of: bytes, format), size.width > 0, size.height > 0 else {
      throw RecordsError(
        .invalidArguments, "The file begins like \(format.rawValue) and is damaged.",
        hint: "Save the picture again with the program it comes from.", field: "photo")
    }
    guard max(size.width, size.height) <= Self.sideMaximum,
      size.width * size.height <= Self.areaMaximum
    else {
      throw RecordsError(
        .limitExceeded,
        "The photo has \(size.width) × \(size.height) pixels; a side has at most "
          + "\(Self.sideMaximum), the whole at most \(Self.areaMaximum / 1_000_000) million.",
        hint: "Make it smaller first.", field: "photo")
    }
    self.format = format
    (width, height) = size
  }

  // MARK: -

  private static func format(of bytes: ImageBytes) -> Format? {
    if bytes.begins(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if bytes.begins(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if bytes.text(0, 6) == "GIF87a" || bytes.text(0, 6) == "GIF89a" { return .gif }
    if bytes.text(0, 4) == "RIFF", bytes.text(8, 4) == "WEBP" { return .webp }
    return HEIFProbe.format(of: bytes)
  }

  private static func size(of bytes: ImageBytes, _ format: Format) -> (width: Int, height: Int)? {
    switch format {
    case .png: pngSize(bytes)
    case .jpeg: jpegSize(bytes)
    case .gif: gifSize(bytes)
    case .webp: webpSize(bytes)
    case .heic, .avif: HEIFProbe.size(of: bytes)
    }
  }

  private static func pngSize(_ bytes: ImageBytes) -> (width: Int, height: Int)? {
    guard bytes.big(8, 4) == 13, bytes.text(12, 4) == "IHDR", let width = bytes.big(16, 4),
      let height = bytes.big(20, 4)
    else { return nil }
    return (width, height)
  }

  private static func gifSize(_ bytes: ImageBytes) -> (width: Int, height: Int)? {
    guard let width = bytes.little(6, 2), let height = bytes.little(8, 2) else { return nil }
    return (width, height)
  }

  /// Follows the markers to the one that contains the size.
  private static func jpegSize(_ bytes: ImageBytes) -> (width: Int, height: Int)? {
    var index = 2
    while let mark = bytes.big(index, 1), let code = bytes.big(index + 1, 1) {
      guard mark == 0xFF else { return nil }
      if code == 0xFF {
        index += 1
        continue
      }
      // Markers without a length.
      if code == 0x01 || (0xD0...0xD7).contains(code) {
        index += 2
        continue
      }
      guard let length = bytes.big(index + 2, 2), length >= 2 else { return nil }
      let isFrame = (0xC0...0xCF).contains(code) && ![0xC4, 0xC8, 0xCC].contains(code)
      if isFrame {
        guard length >= 8, let height = bytes.big(index + 5, 2), let width = bytes.big(index + 7, 2)
        else { return nil }
        return (width, height)
      }
      // The image data begins, or the file ends, before a size was found.
      guard code != 0xDA, code != 0xD9 else { return nil }
      index += 2 + length
    }
    return nil
  }

  private static func webpSize(_ bytes: ImageBytes) -> (width: Int, height: Int)? {
    switch bytes.text(12, 4) {
    case "VP8X":
      guard let width = bytes.little(24, 3), let height = bytes.little(27, 3) else { return nil }
      return (width + 1, height + 1)
    case "VP8L":
      guard bytes.big(20, 1) == 0x2F, let bits = bytes.little(21, 4) else { return nil }
      return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
    case "VP8 ":
      guard bytes.big(23, 3) == 0x9D012A, let width = bytes.little(26, 2),
        let height = bytes.little(28, 2)
      else { return nil }
      return (width & 0x3FFF, height & 0x3FFF)
    default: return nil
    }
  }
}

/// The bytes of an untrusted picture. Reading beyond the end returns `nil`.
struct ImageBytes {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var count: Int { bytes.count }

  func begins(with prefix: [UInt8]) -> Bool { bytes.starts(with: prefix) }

  /// `length` bytes as ASCII.
  func text(_ offset: Int, _ length: Int) -> String? {
    guard let slice = slice(offset, length) else { return nil }
    return String(decoding: slice, as: UTF8.self)
  }

  /// A number of up to four bytes, most significant first.
  func big(_ offset: Int, _ length: Int) -> Int? {
    slice(offset, length)?.reduce(0) { $0 << 8 | Int($1) }
  }

  /// A number of up to four bytes, least significant first.
  func little(_ offset: Int, _ length: Int) -> Int? {
    slice(offset, length)?.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private func slice(_ offset: Int, _ length: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, offset <= bytes.count, length <= bytes.count - offset else { return nil }
    return bytes[offset..<offset + length]
  }
}
