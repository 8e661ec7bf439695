import Records

/// A position in a zone's change feed. CloudKit: `CKServerChangeToken`.
///
/// Store the token, which is `Codable`, in the same transaction as the changes that arrived with it, and
/// pass it back unchanged.
public struct ChangeToken: Hashable, Sendable, Codable {
  let stored: Records.ChangeToken

  init(_ stored: Records.ChangeToken) {
    self.stored = stored
  }

  /// Decodes a token that `encode(to:)` wrote.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let parts = try container.decode(String.self).split(separator: "-")
    guard parts.count == 3, let incarnation = Incarnation(String(parts[0])),
      let revision = Int64(parts[1]), let start = Int64(parts[2])
    else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "This is not a change token.")
    }
    stored = Records.ChangeToken(
      incarnation: incarnation, revision: Revision(revision), scanStart: Revision(start))
  }

  /// Encodes the token as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(stored.incarnation)-\(stored.revision)-\(stored.scanStart)")
  }
}
