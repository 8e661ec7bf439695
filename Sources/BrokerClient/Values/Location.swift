/// Geographic coordinates. CloudKit: `CLLocation`.
public struct Location: Hashable, Sendable {
  /// The latitude in degrees, −90 to 90; north is positive.
  public var latitudeDegrees: Double
  /// The longitude in degrees, −180 to 180; east is positive.
  public var longitudeDegrees: Double

  /// Creates a location. Saving coordinates that are out of range throws `invalidArguments`.
  public init(latitudeDegrees: Double, longitudeDegrees: Double) {
    self.latitudeDegrees = latitudeDegrees
    self.longitudeDegrees = longitudeDegrees
  }
}

/// A reference to a record of the same zone. CloudKit: `CKRecord.Reference`.
public struct Reference: Hashable, Sendable {
  /// The effect on the referring record when the referenced record is deleted.
  public enum Action: Hashable, Sendable {
    /// The referring record stays. Its reference then names no record.
    case none
    /// The referring record is deleted in the same transaction. Saving it throws `referenceViolation`
    /// if the referenced record does not exist.
    case deleteSelf
  }

  /// The name of the referenced record.
  public var recordName: String
  /// The effect of deleting the referenced record.
  public var action: Action

  /// Creates a reference to the record with this name.
  public init(recordName: String, action: Action = .none) {
    self.recordName = recordName
    self.action = action
  }
}

/// A file that a record refers to, identified by the digest of its content. CloudKit: `CKAsset`.
///
/// `Database.upload(_:)` returns an asset; `Database.content(of:inZone:)` downloads its bytes.
public struct Asset: Hashable, Sendable {
  /// The SHA-256 digest of the content, 32 bytes.
  public let digest: [UInt8]
  /// The size of the content in bytes.
  public let byteCount: Int
}
