// A list prints a few properties of each contact. Reading and writing only those takes the agent and contactsctl about
// three fifths of the time.

import Records

/// The properties of contacts that a client requests of a list; the id is always one of them.
package struct ContactSelection: Hashable, Sendable {
  /// In the order of declaration, which is that of the JSON.
  package let keys: [ContactItem.CodingKeys]

  /// All properties.
  package static let all = ContactSelection(Set(ContactItem.CodingKeys.allCases))

  /// Selects these properties.
  package init(_ keys: Set<ContactItem.CodingKeys>) {
    self.keys = ContactItem.CodingKeys.allCases.filter { $0 == .id || keys.contains($0) }
  }

  /// Reads the names of properties, separated by commas.
  /// - Throws: `invalidArguments` if a contact has no such property.
  package init(_ text: String) throws(RecordsError) {
    var keys: Set<ContactItem.CodingKeys> = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let key = ContactItem.CodingKeys(rawValue: String(name)) else {
        throw .invalid(
          "A contact has no property “\(name.prefix(40))”.", field: AgentQuery.properties)
      }
      keys.insert(key)
    }
    self.init(keys)
  }

  /// The names of the properties.
  package var names: [String] { keys.map(\.rawValue) }

  /// The value of the query parameter.
  package var text: String { names.joined(separator: ",") }

  /// Whether the property is selected.
  package func contains(_ key: ContactItem.CodingKeys) -> Bool { keys.contains(key) }
}
