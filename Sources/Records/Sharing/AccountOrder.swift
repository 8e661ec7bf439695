// What an account asks about itself and about others: names, and who lets itself be found.

/// Something asked of the broker about accounts. Like `ShareOrder`, it is no edit.
package enum AccountOrder: Hashable, Sendable {
  /// Who I am. Answered by one profile.
  case me
  /// What people call me. Answered by one profile.
  case setDisplayName(String)
  /// Whether others may find me by my name. Answered by one profile.
  case setDiscoverable(Bool)
  /// Who these are; those who may not be known are left out. An account is known to itself, to whom it
  /// shares a zone with, and to all where it is discoverable.
  case look([AccountID])
  /// The discoverable account of this name, if there is one.
  case find(name: String)
  /// The discoverable accounts whose names come behind this one, a page of them.
  case discoverable(after: String)
}

/// A person as others may know them: CloudKit's user identity.
package struct AccountProfile: Hashable, Sendable {
  /// The account.
  package let account: AccountID
  /// The account's name, unique on the broker, by which it is invited.
  package let name: String
  /// What people call it; the account's name where it never chose one.
  package let displayName: String
  /// Whether others may find it.
  package let isDiscoverable: Bool

  /// A profile.
  package init(account: AccountID, name: String, displayName: String, isDiscoverable: Bool) {
    self.account = account
    self.name = name
    self.displayName = displayName
    self.isDiscoverable = isDiscoverable
  }
}
