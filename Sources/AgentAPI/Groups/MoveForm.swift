/// The body that moves contacts to a group.
package struct MoveForm: Codable, Hashable, Sendable {
  /// The ids of the contacts.
  package var contacts: [String]?
  /// A group, to move all its contacts.
  package var from: String?

  package init(contacts: [String]? = nil, from: String? = nil) {
    self.contacts = contacts
    self.from = from
  }
}
