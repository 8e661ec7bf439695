// A password of one client. It is random and long, so that a plain digest is as good as a slow one, and checking it
// takes microseconds in each request.

import Crypto
import Foundation
import Records

/// A password that a person types into one program.
package struct AppPassword: Hashable, Sendable {
  /// The password in groups of letters, as it is shown once.
  package let text: String

  private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
  private static let groups = 4
  private static let groupLength = 7

  /// Creates a password with more than 128 random bits.
  package init(using generator: inout some RandomNumberGenerator) {
    let letters = (0..<Self.groups * Self.groupLength).map { _ in
      Self.letters[Int.random(in: Self.letters.indices, using: &generator)]
    }
    text = (0..<Self.groups).map { group in
      String(letters[group * Self.groupLength..<(group + 1) * Self.groupLength])
    }.joined(separator: "-")
  }

  /// Returns the digest of a password as it was typed: blanks, hyphens and capital letters do not matter.
  package static func digest(of typed: some StringProtocol) -> [UInt8] {
    let plain = typed.lowercased().utf8.filter {
      $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ")
    }
    return Array(SHA256.hash(data: plain))
  }

  /// The digest, which is stored.
  package var digest: [UInt8] { Self.digest(of: text) }
}

/// The user and password of a request (RFC 7617).
package struct BasicCredentials: Hashable, Sendable {
  /// The name of the account.
  package let user: String
  /// The password as it was typed.
  package let password: String

  /// Reads a header `Authorization`; `nil` if it has none of this kind.
  package init?(authorization: String?) {
    guard let authorization, authorization.utf8.count <= 4096 else { return nil }
    let parts = authorization.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "basic",
      let bytes = Data(base64Encoded: String(parts[1])),
      let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
    else { return nil }
    user = String(text[..<colon])
    password = String(text[text.index(after: colon)...])
  }
}
