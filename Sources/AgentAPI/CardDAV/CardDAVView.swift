import Records

/// How programs reach the contacts by CardDAV, and which may.
package struct CardDAVView: Codable, Hashable, Sendable {
  package var schema = 1
  /// The addresses to type into a program; empty while there is no app password.
  package var addresses: [String]
  /// Why other addresses of the settings are not served, a sentence each.
  package var problems: [String]
  /// The user name to type.
  package var user: String
  /// The app passwords, oldest first.
  package var passwords: [AppPasswordItem]

  package init(
    addresses: [String], problems: [String], user: String, passwords: [AppPasswordItem]
  ) {
    self.addresses = addresses
    self.problems = problems
    self.user = user
    self.passwords = passwords
  }
}

/// An app password, without the password itself.
package struct AppPasswordItem: Codable, Hashable, Sendable {
  /// The name that the person gave it.
  package var name: String
  /// From where it can be used: `computer` or `network`.
  package var scope: String
  /// When it was made.
  package var created: Timestamp
  /// When a program used it last, to the hour; `nil` if none did.
  package var lastUsed: Timestamp?

  package init(name: String, scope: String, created: Timestamp, lastUsed: Timestamp?) {
    self.name = name
    self.scope = scope
    self.created = created
    self.lastUsed = lastUsed
  }
}

extension AgentPath {
  /// CardDAV and its app passwords.
  package static let cardDAV = AgentPath("dav")
  /// The app passwords.
  package static let appPasswords = AgentPath("dav", "passwords")
  /// An app password.
  package static func appPassword(_ name: String = anyID) -> AgentPath {
    AgentPath("dav", "passwords", name)
  }
}
