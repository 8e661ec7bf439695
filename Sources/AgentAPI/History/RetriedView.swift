/// The contact of a rejected edit that was applied again.
package struct RetriedView: Codable, Hashable, Sendable {
  package var schema = 1
  /// The id of the contact, also after a deletion.
  package var contact: String

  package init(contact: String) {
    self.contact = contact
  }
}
