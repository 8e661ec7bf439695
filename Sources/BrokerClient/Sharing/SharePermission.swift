import Records

/// What an account may do with the records of a shared zone. CloudKit: `CKShare.ParticipantPermission`.
public enum SharePermission: String, Hashable, Sendable, Codable, CaseIterable {
  /// No access. Valid only as a share's public permission: then the link admits invited users only.
  case none
  /// The account may read records.
  case readOnly
  /// The account may read, create, change and delete records.
  case readWrite

  init(_ stored: Records.SharePermission) {
    self =
      switch stored {
      case .none: .none
      case .readOnly: .readOnly
      case .readWrite: .readWrite
      }
  }

  var stored: Records.SharePermission {
    switch self {
    case .none: .none
    case .readOnly: .readOnly
    case .readWrite: .readWrite
    }
  }
}
