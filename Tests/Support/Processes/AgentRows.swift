// What an agent answers, as far as tests ask about it.

/// A contact as the agent tells it.
package struct ContactRow: Decodable, Hashable, Sendable {
  /// A phone or an e-mail.
  package struct Entry: Decodable, Hashable, Sendable {
    package let id: String
    package let label: String
    package let value: String
  }

  package let id: String
  package let firstName: String
  package let lastName: String
  package let company: String
  package let group: String
  package let phones: [Entry]
  package let emails: [Entry]
}

/// A page of contacts.
package struct ContactPage: Decodable, Sendable {
  package let contacts: [ContactRow]
  package let next: String?
}

/// How an agent is.
package struct StatusRow: Decodable, Sendable {
  package let state: String
  package let waitingEdits: Int
  package let conflicts: Int
}
