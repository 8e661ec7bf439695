import Records

/// The id of a user. A user is an account of the broker: a person or a program. CloudKit: the name of the
/// record id that `CKContainer.userRecordID()` returns.
///
/// The id never changes, even if the user's names do. Save it as its `description` or in its `Codable` form.
public struct UserID: Hashable, Sendable, Codable, LosslessStringConvertible {
  let stored: AccountID

  /// Parses the text of a `description`; returns `nil` for other texts.
  public init?(_ description: String) {
    guard let stored = AccountID(description), stored != .current else { return nil }
    self.stored = stored
  }

  package init(_ stored: AccountID) {
    self.stored = stored
  }

  /// The id of an account; `nil` for an account that is not known yet.
  init?(known stored: AccountID) {
    guard stored != .current else { return nil }
    self.stored = stored
  }

  /// The id as 32 hexadecimal digits. Predicates compare `creatorUserRecordID` with this text.
  public var description: String { stored.description }

  /// Decodes an id that `encode(to:)` wrote.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let user = UserID(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "This is not the id of a user.")
    }
    self = user
  }

  /// Encodes the id as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
