// The link to a share as people send it: `contacts://join/` and the secret's 16 bytes in base64url,
// and behind it the container where that is not `contacts`. It is read strictly: a letter that was
// lost or added on the way is told as such, and does not look like a link that has been revoked.

/// A share's link with its secret, as text.
package struct ShareAddress: Hashable, Sendable {
  /// What leads in.
  package let secret: ShareSecret
  /// The application's namespace in which the share is.
  package let container: String

  /// The container that links do not name.
  package static let standardContainer = "contacts"
  private static let prefix = "contacts://join/"
  private static let containerMark = "?container="

  /// The link of a secret.
  package init(secret: ShareSecret, container: String = Self.standardContainer) {
    self.secret = secret
    self.container = container
  }

  /// Reads a link; blanks around it do not count.
  /// - Throws: `invalidArguments` with reason `malformedLink`.
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

  /// The link.
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

  /// The bytes of letters, if nothing is missing and no bit is left over that says something.
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
