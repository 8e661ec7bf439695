import Records

/// A user as other users see it. CloudKit: `CKUserIdentity`.
public struct UserIdentity: Hashable, Sendable, Identifiable {
  /// The user's id. CloudKit: `userRecordID`.
  public let id: UserID
  /// The name of the user's account, unique on the broker. Invitations use it. CloudKit: `lookupInfo`.
  public let name: String
  /// The name to show to people; the account's name until the user sets another one. CloudKit:
  /// `nameComponents`.
  public let displayName: String

  init(_ profile: AccountProfile) {
    self.init(account: profile.account, name: profile.name, displayName: profile.displayName)
  }

  init(account: AccountID, name: String, displayName: String) {
    id = UserID(account)
    self.name = name
    self.displayName = displayName
  }
}
