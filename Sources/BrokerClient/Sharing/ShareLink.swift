// A link contains a secret, so a program stores and sends it like a password. The broker knows only the
// secret's digest: a program that loses its link cannot fetch it, but it can renew it.

import Crypto
import FoundationEssentials
import Records

/// The link of a share, such as `contacts://join/…`. CloudKit: `CKShare.url`.
///
/// A user that has the link can preview the share, and accept it if the share's public permission or an
/// invitation admits the user.
public struct ShareLink: Hashable, Sendable, Codable {
  let address: ShareAddress
  /// The SHA-256 of the secret. It is stored for the same reason as `ZoneID.isOwn`.
  let digest: [UInt8]

  /// Reads a link that a user received. White space around it is ignored.
  /// - Throws: `invalidArguments`, reason `malformedLink`, if a character is missing, added or wrong.
  public init(_ text: String) throws(RecordsError) {
    self.init(
      try ShareAddress(text: text))
  }

  private init(_ address: ShareAddress) {
    self.address = address
    digest = Array(SHA256.hash(data: address.secret.bytes))
  }

  /// Draws a link with 128 random bits.
  static func random(in container: String) -> ShareLink {
    var generator = SystemRandomNumberGenerator()
    return ShareLink(
      ShareAddress(secret: .random(using: &generator), container: container))
  }

  /// The link, to be sent to other users. It contains the secret: do not log it.
  public var text: String { address.text }

  /// The name of the share's container. CloudKit: `CKShare.Metadata.containerIdentifier`.
  public var containerName: String { address.container }

  /// Decodes a link that `encode(to:)` wrote.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      try self.init(try container.decode(String.self))
    } catch let error as RecordsError {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
    }
  }

  /// Encodes the link as its text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension ShareLink: CustomStringConvertible {
  /// The beginning of the link without its secret, because descriptions appear in logs. See `text`.
  public var description: String { "contacts://join/…" }
}
