// A page of contacts. The list is long, so that contactsctl reads it with the scanner in one pass.

/// A page of contacts.
package struct ContactsView: Codable, Hashable, Sendable {
  package var schema = Self.currentSchema
  package var contacts: [ContactItem]
  /// The language by which the list is sorted.
  package var language: String
  /// The cursor of the next page; `nil` at the end.
  package var next: String?

  static let currentSchema = 1

  enum CodingKeys: String, CodingKey { case schema, contacts, language, next }

  package init(contacts: [ContactItem], language: String, next: String?) {
    self.contacts = contacts
    self.language = language
    self.next = next
  }

  /// The key of the list, for joining pages without decoding them.
  package static let listKey = CodingKeys.contacts.stringValue
  /// The key of the language. Printed lists have it, and so may texts that users edit.
  package static let languageKey = CodingKeys.language.stringValue
  /// The key of the cursor, which joined pages do not have.
  package static let nextKey = CodingKeys.next.stringValue

  /// Reads what a list shows of the contacts of a page.
  /// - Throws: `JSONScanner.Unexpected` if the text is not a page of contacts.
  package static func lines(ofPage page: [UInt8]) throws -> [ContactItem.Line] {
    var scanner = JSONScanner(page)
    var lines: [ContactItem.Line]?
    try scanner.object { scanner, key in
      guard case .contacts = CodingKeys(stringValue: key) else { return }
      var found: [ContactItem.Line] = []
      try scanner.list { found.append(try ContactItem.Line(&$0)) }
      lines = found
    }
    guard let lines else { throw JSONScanner.Unexpected(offset: 0) }
    return lines
  }

  /// Reads the contacts of a page that `isIncluded` accepts, each with its bytes, which are not decoded.
  /// - Throws: `JSONScanner.Unexpected` if the text is not a page of contacts.
  package static func items(
    ofPage page: [UInt8], where isIncluded: (ContactItem.Line) -> Bool
  ) throws -> [(line: ContactItem.Line, json: [UInt8])] {
    var scanner = JSONScanner(page)
    var items: [(line: ContactItem.Line, json: [UInt8])]?
    try scanner.object { scanner, key in
      guard case .contacts = CodingKeys(stringValue: key) else { return }
      var found: [(line: ContactItem.Line, json: [UInt8])] = []
      try scanner.list { scanner in
        let json = Array(try scanner.raw())
        var contact = JSONScanner(json)
        let line = try ContactItem.Line(&contact)
        if isIncluded(line) { found.append((line, json)) }
      }
      items = found
    }
    guard let items else { throw JSONScanner.Unexpected(offset: 0) }
    return items
  }
}

/// A resource with an id; only the id is read.
package struct IdentifiedView: Decodable, Sendable {
  /// The id of the resource.
  package let id: String
}

extension AgentPath {
  /// The list of contacts, in pages.
  package static let contacts = AgentPath("contacts")
  /// The headings of a list of contacts.
  package static let sections = AgentPath("sections")
  /// The probable duplicates among the contacts.
  package static let duplicates = AgentPath("duplicates")

  /// A contact.
  package static func contact(_ id: String = anyID) -> AgentPath { AgentPath("contacts", id) }

  /// The picture of a contact.
  package static func photo(ofContact id: String = anyID) -> AgentPath {
    AgentPath("contacts", id, "photo")
  }

  /// The merge of another contact into a contact.
  package static func merge(intoContact id: String = anyID) -> AgentPath {
    AgentPath("contacts", id, "merge")
  }

  /// The earlier versions of a contact.
  package static func history(ofContact id: String = anyID) -> AgentPath {
    AgentPath("contacts", id, "history")
  }
}

extension AgentQuery {
  /// The order of a list.
  package static let sort = "sort"
  /// The language of a list, as an environment variable names it.
  package static let locale = "locale"
  /// The rules that a saved contact must satisfy.
  package static let profile = "profile"
}
