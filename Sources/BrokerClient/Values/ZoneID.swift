// The ids of zones, and zones with their titles.

import Records

/// The id of a zone: its owner and 128 random bits. CloudKit: `CKRecordZone.ID`.
///
/// The id is independent of the zone's title, so changing the title changes no record. Save the id as its
/// `description` or in its `Codable` form.
public struct ZoneID: Hashable, Sendable, Codable, LosslessStringConvertible {
  /// The standard zone, which every account has without creating it. It is the only zone of the public
  /// database. CloudKit: `CKRecordZone.default()`.
  public static let standard = ZoneID(.standard)

  /// The id that the protocol uses.
  package let stored: Records.ZoneID
  // NB: `isOwn` is stored, because values of more than four words are passed in memory. An unoptimized
  // asynchronous function whose parameters do not fit into six registers may crash (Swift 6.3, x86-64).

  /// Whether this account owns the zone.
  public let isOwn: Bool

  /// Returns a random id for a new zone of the account.
  public static func random() -> ZoneID {
    var generator = SystemRandomNumberGenerator()
    return ZoneID(Records.ZoneID(name: .random(using: &generator)))
  }

  /// Parses the text of a `description`; returns `nil` for other texts.
  public init?(_ description: String) {
    let parts = description.split(separator: "/", omittingEmptySubsequences: false)
    guard let name = parts.last.flatMap({ ZoneName(String($0)) }), parts.count <= 2 else {
      return nil
    }
    guard parts.count == 2 else {
      self.init(Records.ZoneID(name: name))
      return
    }
    guard let owner = AccountID(String(parts[0])) else { return nil }
    self.init(Records.ZoneID(owner: owner, name: name))
  }

  /// Converts a zone id of the protocol.
  package init(_ stored: Records.ZoneID) {
    self.stored = stored
    isOwn = stored.owner == .current
  }

  /// Converts a zone id from the broker. An id of this account's zone gets the owner `.current`, and the zone
  /// of the public database becomes `standard`.
  init(_ zone: Records.ZoneID, seenBy account: AccountID) {
    self.init(zone.isPublic ? .standard : zone.relative(to: account))
  }

  /// The user that owns the zone; `nil` for the current user. CloudKit: `ownerName`.
  public var owner: UserID? { isOwn ? nil : UserID(stored.owner) }

  /// The zone's name, prefixed with `OWNER/` if another account owns the zone.
  public var description: String { stored.description }

  /// Decodes an id that `encode(to:)` wrote.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let zone = ZoneID(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "This is not the name of a zone.")
    }
    self = zone
  }

  /// Encodes the id as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// A set of records with a change feed of its own, the unit of sharing and of atomic writes. CloudKit:
/// `CKRecordZone`.
public struct Zone: Hashable, Sendable, Identifiable {
  /// The zone's id.
  public let id: ZoneID
  /// The zone's title, as users see it; empty for the standard zone.
  public let title: String
  /// Whether the account may change the zone's records.
  public let isWritable: Bool
  /// Whether the zone has a participant besides its owner. CloudKit: whether there is a `share`.
  public let isShared: Bool

  /// Creates a zone in memory. Save it to create the zone at the broker, or to change an existing title.
  public init(id: ZoneID = .random(), title: String) {
    self.id = id
    self.title = title
    isWritable = true
    isShared = false
  }

  /// Describes a zone that exists.
  package init(stored: Records.ZoneID, title: String, isWritable: Bool, isShared: Bool) {
    id = ZoneID(stored)
    self.title = title
    self.isWritable = isWritable
    self.isShared = isShared
  }

  init(_ entry: DirectoryEntry, account: AccountID) {
    id = ZoneID(entry.zone, seenBy: account)
    title = entry.title
    isWritable = entry.isWritable
    isShared = entry.isShared
  }
}
