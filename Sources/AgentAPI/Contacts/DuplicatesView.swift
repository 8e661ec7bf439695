/// Probable duplicates.
package struct DuplicatesView: Codable, Hashable, Sendable {
  package var schema = 1
  package var duplicates: [Pair]

  package init(duplicates: [Pair]) {
    self.duplicates = duplicates
  }

  /// Two contacts that are probably the same.
  package struct Pair: Codable, Hashable, Sendable {
    package var contacts: [Contact]
    package var reasons: [Reason]

    package init(contacts: [Contact], reasons: [Reason]) {
      self.contacts = contacts
      self.reasons = reasons
    }
  }

  /// One of the two contacts.
  package struct Contact: Codable, Hashable, Sendable {
    package var id: String
    package var name: String

    package init(id: String, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// A value that both contacts have.
  package struct Reason: Codable, Hashable, Sendable {
    /// `phone`, `email` or another kind of value.
    package var fact: String
    package var value: String

    package init(fact: String, value: String) {
      self.fact = fact
      self.value = value
    }
  }
}
