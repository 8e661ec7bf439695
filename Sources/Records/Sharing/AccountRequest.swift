/// A request to read or change account profiles. Like `SharingRequest`, it is not an edit and has
/// no request number.
package enum AccountRequest: Hashable, Sendable {
  /// Returns the requesting account's profile.
  case me
  /// Sets the account's display name. Returns its profile.
  case setDisplayName(String)
  /// Sets whether other accounts can find this one by name. Returns its profile.
  case setDiscoverable(Bool)
  /// Returns the profiles of accounts that the requesting account may see: itself, accounts it
  /// shares a zone with, and discoverable accounts. Other ids are omitted.
  case look([AccountID])
  /// Returns the discoverable account with this name, if any.
  case find(name: String)
  /// Returns a page of discoverable accounts with names after this one.
  case discoverable(after: String)
}

/// An account as other accounts see it, like CloudKit's user identity.
package struct AccountProfile: Hashable, Sendable {
  /// The account's id.
  package let account: AccountID
  /// The account's name, unique on the broker and used for invitations.
  package let name: String
  /// The display name; equals the account's name if none was set.
  package let displayName: String
  /// Whether other accounts can find this one by name.
  package let isDiscoverable: Bool

  package init(account: AccountID, name: String, displayName: String, isDiscoverable: Bool) {
    self.account = account
    self.name = name
    self.displayName = displayName
    self.isDiscoverable = isDiscoverable
  }
}
