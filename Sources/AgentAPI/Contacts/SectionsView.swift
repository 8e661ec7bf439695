/// The headings of a list of contacts, in its order.
package struct SectionsView: Codable, Hashable, Sendable {
  package var schema = 1
  package var sections: [Section]

  package init(sections: [Section]) {
    self.sections = sections
  }

  /// A heading.
  package struct Section: Codable, Hashable, Sendable {
    package var label: String
    /// The number of contacts under the heading.
    package var contacts: Int
    /// The position of the first of them in the list, from 0.
    package var start: Int
    /// The cursor of a page that begins with it.
    package var cursor: String

    package init(label: String, contacts: Int, start: Int, cursor: String) {
      self.label = label
      self.contacts = contacts
      self.start = start
      self.cursor = cursor
    }
  }
}
