// Places and pointers, which are values of fields.

/// A place on Earth, in degrees. CloudKit: `CLLocation`.
public struct Location: Hashable, Sendable {
  /// −90 to 90, north positive.
  public var latitudeDegrees: Double
  /// −180 to 180, east positive.
  public var longitudeDegrees: Double

  /// The place at these coordinates; saving one out of range throws `invalidArguments`.
  public init(latitudeDegrees: Double, longitudeDegrees: Double) {
    self.latitudeDegrees = latitudeDegrees
    self.longitudeDegrees = longitudeDegrees
  }
}

/// A pointer to a record of the same zone. CloudKit: `CKRecord.Reference`.
public struct Reference: Hashable, Sendable {
  /// What happens to the record that holds the reference when the other is deleted.
  public enum Action: Hashable, Sendable {
    /// Nothing: the reference dangles.
    case none
    /// It is deleted too, in the same transaction, and cannot be saved unless the other is there.
    case deleteSelf
  }

  /// The name of the record pointed at.
  public var recordName: String
  /// What its deletion means here.
  public var action: Action

  /// Points at the record of this name.
  public init(recordName: String, action: Action = .none) {
    self.recordName = recordName
    self.action = action
  }
}

/// A file kept beside the database, found by its content. CloudKit: `CKAsset`.
///
/// `Database.upload(_:)` makes one; `Database.content(of:inZone:)` brings its bytes.
public struct Asset: Hashable, Sendable {
  /// The SHA-256 of the content, 32 bytes.
  public let digest: [UInt8]
  /// How long the content is.
  public let byteCount: Int
}
