// The text of a share link: `contacts://join/`, the secret's 16 bytes in base64url and, unless it
// is `contacts`, the container. Parsing is strict: a missing or added character is an error, so that
// the user does not take a mistyped link for a revoked one.

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
    guard ("?" + parts[1]).hasPrefix(Self.containerMark), Self.isContainer(name),
      name != Self.standardContainer
    else { throw Self.malformed }
    container = String(name)
  }

  /// The link as text.
  package var text: String {
    let link = Self.prefix + Self.letters(of: secret.bytes)
    return container == Self.standardContainer ? link : link + Self.containerMark + container
  }

  private static var malformed: RecordsError {
    RecordsError(
      .invalidArguments, "This is not a complete share link.",
      hint: "A share link is contacts://join/ and 22 letters. Ask the sender for it.",
      reason: "malformedLink")
  }

  private static func isContainer(_ name: Substring) -> Bool {
    let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
    return !name.isEmpty && name.utf8.count <= 255 && name.allSatisfy(allowed.contains)
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
