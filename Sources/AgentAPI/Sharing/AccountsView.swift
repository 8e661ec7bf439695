/// A page of accounts.
package struct AccountsView: Codable, Hashable, Sendable {
  package var schema = 1
  package var accounts: [AccountItem]
  /// The cursor of the next page; `nil` at the end.
  package var next: String?

  package init(accounts: [AccountItem], next: String?) {
    self.accounts = accounts
    self.next = next
  }
}

/// An account that this one can find.
package struct AccountItem: Codable, Hashable, Sendable {
  package var id: String
  /// The account's name, which is used for invitations.
  package var name: String
  package var displayName: String

  package init(id: String, name: String, displayName: String) {
    self.id = id
    self.name = name
    self.displayName = displayName
  }
}

extension AgentPath {
  /// The discoverable accounts.
  package static let accounts = AgentPath("accounts")
}

extension AgentQuery {
  /// The name of an account to find.
  package static let name = "name"
}
