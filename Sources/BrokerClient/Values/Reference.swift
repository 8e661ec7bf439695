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
