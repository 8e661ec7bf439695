// A place in a zone's history, to be kept beside what was read.

import Records

/// How far a zone has been read. CloudKit: `CKServerChangeToken`.
///
/// Keep it (it is `Codable`) in the same transaction as the records that came with it, and give it
/// back as it was.
public struct ChangeToken: Hashable, Sendable, Codable {
  let stored: Records.ChangeToken

  init(_ stored: Records.ChangeToken) {
    self.stored = stored
  }

  /// Reads what `encode(to:)` wrote.
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

  /// Writes it as one text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(stored.incarnation)-\(stored.revision)-\(stored.scanStart)")
  }
}
