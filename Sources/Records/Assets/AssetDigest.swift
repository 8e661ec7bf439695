// Assets are content-addressed. The digest names a file on every disk and on the wire. Equal files
// are stored once, and a damaged file is detected when it is read.

/// The SHA-256 digest of a file's content.
package struct AssetDigest: Hashable, Comparable, Sendable {
  /// The length of a digest in bytes.
  package static let byteCount = 32

  /// The digest, `byteCount` bytes.
  package let bytes: [UInt8]

  /// Creates a digest from `bytes`; returns `nil` unless there are 32.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = Array(bytes)
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension AssetDigest: CustomStringConvertible, LosslessStringConvertible {
  private static let digits = Array("0123456789abcdef".utf8)

  /// The digest as 64 lower-case hexadecimal digits, as `sha256sum` prints it. Also the file's name
  /// on disk.
  package var description: String {
    var text: [UInt8] = []
    text.reserveCapacity(2 * Self.byteCount)
    for byte in bytes {
      text.append(Self.digits[Int(byte >> 4)])
      text.append(Self.digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Parses 64 lower-case hexadecimal digits; returns `nil` for any other text.
  package init?(_ description: String) {
    let text = Array(description.utf8)
    guard text.count == 2 * Self.byteCount else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: text.count, by: 2) {
      guard let high = Self.digits.firstIndex(of: text[index]),
        let low = Self.digits.firstIndex(of: text[index + 1])
      else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    self.bytes = bytes
  }
}

extension Asset {
  /// The digest as a typed value.
  /// - Precondition: `digest` has 32 bytes, as every decoded asset's digest does.
  package var id: AssetDigest {
    guard let id = AssetDigest(bytes: digest) else {
      preconditionFailure("An asset's digest has 32 bytes.")
    }
    return id
  }

  /// Creates an asset from a typed digest and a size in bytes.
  package init(_ id: AssetDigest, sizeBytes: Int) {
    self.init(digest: id.bytes, sizeBytes: UInt64(sizeBytes))
  }

  /// The content's length in bytes, clamped to `Int.max`.
  package var byteCount: Int { Int(clamping: sizeBytes) }
}
