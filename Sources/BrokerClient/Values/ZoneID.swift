// Where records are. A zone is the unit of atomic writes, of sharing and of catching up; its name is
// 128 random bits and its title is something else, so renaming one touches no record.

import Records

/// The name of a zone. CloudKit: `CKRecordZone.ID`.
///
/// As text (`description`, and in its coded form) it can be kept and read back.
public struct ZoneID: Hashable, Sendable, Codable, LosslessStringConvertible {
  /// The zone every account has without making it, and the one of the public database. CloudKit:
  /// `CKRecordZone.default()`.
  public static let standard = ZoneID(.standard)

  let stored: Records.ZoneID

  /// A name for a new zone of one's own, drawn at random.
  public static func random() -> ZoneID {
    var generator = SystemRandomNumberGenerator()
    return ZoneID(Records.ZoneID(name: .random(using: &generator)))
  }

  /// Reads what `description` wrote; `nil` for anything else.
  public init?(_ description: String) {
    let parts = description.split(separator: "/", omittingEmptySubsequences: false)
    guard let name = parts.last.flatMap({ ZoneName(String($0)) }), parts.count <= 2 else {
      return nil
    }
    guard parts.count == 2 else {
      stored = Records.ZoneID(name: name)
      return
    }
    guard let owner = AccountID(String(parts[0])) else { return nil }
    stored = Records.ZoneID(owner: owner, name: name)
  }

  init(_ stored: Records.ZoneID) {
    self.stored = stored
  }

  /// A zone that the broker told, as the account names it: in the public database as in its own there
  /// is a standard one.
  init(_ zone: Records.ZoneID, seenBy account: AccountID) {
    stored = zone.isPublic ? .standard : zone.relative(to: account)
  }

  /// Whether it is one of the asking account's own.
  public var isOwn: Bool { stored.owner == .current }

  /// The account it belongs to; `nil` for the asking one.
  public var owner: String? { isOwn ? nil : stored.owner.description }

  /// The zone's name, with its owner's before it where that is somebody else.
  public var description: String { stored.description }

  /// Reads what `encode(to:)` wrote.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let zone = ZoneID(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "This is not the name of a zone.")
    }
    self = zone
  }

  /// Writes it as one text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// A zone as the account sees it. CloudKit: `CKRecordZone`.
public struct Zone: Hashable, Sendable, Identifiable {
  /// The zone.
  public let id: ZoneID
  /// Its title, shown to people; empty for the standard zone.
  public let title: String
  /// Whether the account may change its records.
  public let isWritable: Bool

  /// A zone to be saved: a new one, or another title for one that is there.
  public init(id: ZoneID = .random(), title: String) {
    self.id = id
    self.title = title
    isWritable = true
  }

  init(_ entry: DirectoryEntry, account: AccountID) {
    id = ZoneID(entry.zone, seenBy: account)
    title = entry.title
    isWritable = entry.isWritable
  }
}
