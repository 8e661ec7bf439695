// Assets are found by their content. The digest is the file's name on every disk and its name on
// the wire, so the same photo is kept once, and what came back from a disk can be told from what
// went onto it.

/// The SHA-256 of a file's content.
package struct AssetDigest: Hashable, Comparable, Sendable {
  /// How many bytes a digest has.
  package static let byteCount = 32

  /// The 32 bytes.
  package let bytes: [UInt8]

  /// The digest with these bytes; `nil` unless there are 32.
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

  /// 64 lower-case hexadecimal digits: what `sha256sum` prints, and the file's name.
  package var description: String {
    var text: [UInt8] = []
    text.reserveCapacity(2 * Self.byteCount)
    for byte in bytes {
      text.append(Self.digits[Int(byte >> 4)])
      text.append(Self.digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads 64 lower-case hexadecimal digits; `nil` for anything else.
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
  /// What the file is found by.
  /// - Precondition: the digest has 32 bytes, as every decoded one has.
  package var id: AssetDigest {
    guard let id = AssetDigest(bytes: digest) else {
      preconditionFailure("An asset's digest has 32 bytes.")
    }
    return id
  }

  /// Names the file with this content.
  package init(_ id: AssetDigest, sizeBytes: Int) {
    self.init(digest: id.bytes, sizeBytes: UInt64(sizeBytes))
  }

  /// The content's length; beyond what a number can hold, the largest there is.
  package var byteCount: Int { Int(clamping: sizeBytes) }
}
