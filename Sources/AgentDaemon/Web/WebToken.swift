import Crypto

/// A secret of the web page: of a link, of a session, or of a session's pictures.
enum WebToken {
  private static let wordCount = 4

  /// Returns a new token: 64 hexadecimal digits, of which each is as likely as any other.
  static func random(using generator: inout some RandomNumberGenerator) -> String {
    (0..<wordCount).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// The digest of a token. The agent keeps no tokens, so that its files let no program in.
  struct Digest: Hashable, Sendable {
    /// The digest as hexadecimal digits.
    let text: String

    init(of token: String) {
      text = SHA256.hash(data: Array(token.utf8)).map {
        ($0 < 16 ? "0" : "") + String($0, radix: 16)
      }.joined()
    }

    /// - Returns: `nil` if `text` is not a digest.
    init?(text: some StringProtocol) {
      guard text.utf8.count == 2 * SHA256.byteCount, text.allSatisfy(\.isHexDigit) else {
        return nil
      }
      self.text = String(text)
    }

    /// The proof that the agent knows the digest, for a page that has the token.
    func proof(of challenge: String) -> String {
      let key = SymmetricKey(data: Array(text.utf8))
      return HMAC<SHA256>.authenticationCode(for: Array(challenge.utf8), using: key).map {
        ($0 < 16 ? "0" : "") + String($0, radix: 16)
      }.joined()
    }

    /// Whether both digests are the same, in a time that does not depend on where they differ.
    func equals(_ other: Digest) -> Bool {
      zip(text.utf8, other.text.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
  }
}
