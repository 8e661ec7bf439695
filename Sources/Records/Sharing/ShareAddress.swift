// The text of a share link: `contacts://join/`, the secret's 16 bytes in base64url and, unless it
// is `contacts`, the container. In the container's name, bytes other than letters, digits, `-`, `_`
// and `.` are percent-encoded. Parsing is strict: a missing or added character is an error, so that
// the user does not take a mistyped link for a revoked one. Each link therefore has one text.

/// A share link with its secret.
package struct ShareAddress: Hashable, Sendable {
  /// The secret that grants access.
  package let secret: ShareSecret
  /// The container of the share.
  package let container: String

  /// The default container. The links of its shares do not contain its name.
  package static let standardContainer = "contacts"
  private static let prefix = "contacts://join/"
  private static let containerMark = "?container="

  package init(secret: ShareSecret, container: String = Self.standardContainer) {
    self.secret = secret
    self.container = container
  }

  /// Parses a link, ignoring surrounding whitespace.
  /// - Throws: `invalidArguments` with the reason `malformedLink`.
  package init(text: String) throws(RecordsError) {
    let blanks: Set<Character> = [" ", "\t", "\n", "\r", "\r\n"]
    var rest = text.drop { blanks.contains($0) }
    while let last = rest.last, blanks.contains(last) { rest.removeLast() }
    guard rest.hasPrefix(Self.prefix) else { throw Self.malformed }
    rest = rest.dropFirst(Self.prefix.count)
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let bytes = Self.bytes(of: parts[0]), let secret = ShareSecret(bytes: bytes) else {
      throw Self.malformed
    }
    self.secret = secret
    guard parts.count == 2 else {
      container = Self.standardContainer
      return
    }
    let name = ("?" + parts[1]).dropFirst(Self.containerMark.count)
    guard ("?" + parts[1]).hasPrefix(Self.containerMark), let name = Self.container(encoded: name),
      name != Self.standardContainer
    else { throw Self.malformed }
    container = name
  }

  /// The link as text.
  package var text: String {
    let link = Self.prefix + Self.letters(of: secret.bytes)
    guard container != Self.standardContainer else { return link }
    return link + Self.containerMark + Self.encoded(container: container)
  }

  private static var malformed: RecordsError {
    RecordsError(
      .invalidArguments, "This is not a complete share link.",
      hint: "A share link is contacts://join/ and 22 letters. Ask the sender for it.",
      reason: "malformedLink")
  }

  // MARK: The container's name

  private static let plain = Set(alphabet + [UInt8(ascii: ".")])
  private static let percent = UInt8(ascii: "%")
  private static let hexadecimal = Array("0123456789ABCDEF".utf8)

  private static func encoded(container: String) -> String {
    let bytes = container.utf8.flatMap { byte in
      plain.contains(byte)
        ? [byte] : [percent, hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Decodes a container's name; returns `nil` for one that is invalid or could be written otherwise.
  private static func container(encoded: Substring) -> String? {
    var rest = encoded.utf8[...]
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      guard byte == percent else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hexadecimal.firstIndex(of:)),
        let low = rest.popFirst().flatMap(hexadecimal.firstIndex(of:))
      else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    guard let name = String(validating: bytes, as: UTF8.self), !name.isEmpty,
      name.utf8.count <= Limits.nameBytes, !name.hasControlCharacters,
      Self.encoded(container: name) == encoded
    else { return nil }
    return name
  }

  // MARK: base64url

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private static func letters(of bytes: [UInt8]) -> String {
    var letters: [UInt8] = []
    var bits = 0
    var held: UInt32 = 0
    for byte in bytes {
      held = held << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        letters.append(alphabet[Int(held >> UInt32(bits)) & 63])
      }
    }
    if bits > 0 { letters.append(alphabet[Int(held << UInt32(6 - bits)) & 63]) }
    return String(decoding: letters, as: UTF8.self)
  }

  /// Decodes base64url; returns `nil` for an invalid character, an incomplete group or unused bits
  /// that are not zero.
  private static func bytes(of letters: Substring) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits = 0
    var held: UInt32 = 0
    for letter in letters.utf8 {
      guard let value = alphabet.firstIndex(of: letter) else { return nil }
      held = (held << 6 | UInt32(value)) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: held >> UInt32(bits)))
      }
    }
    guard bits < 6, held & (1 << UInt32(bits) - 1) == 0 else { return nil }
    return bytes
  }
}
