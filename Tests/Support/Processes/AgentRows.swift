// The parts of an agent's answers that tests read.

/// A contact in the agent's JSON.
package struct ContactRow: Decodable, Hashable, Sendable {
  /// A phone number or an e-mail address.
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

/// The agent's status.
package struct StatusRow: Decodable, Sendable {
  package let state: String
  package let waitingEdits: Int
  package let conflicts: Int
}
