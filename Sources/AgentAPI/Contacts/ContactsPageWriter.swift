// Writes the JSON of a list while its rows are being read. Making all contacts first, and then their JSON with the
// containers of `Encodable`, took nearly twice as long.

/// Writes a page of contacts, one contact after the other. The JSON is that of a `ContactsView`, in which each contact has
/// only the selected properties.
package struct ContactsPageWriter {
  private typealias Key = ContactsView.CodingKeys

  private var writer: JSONWriter

  /// Begins a page.
  /// - Parameter capacity: The expected number of bytes, which are reserved at once.
  package init(reservingBytes capacity: Int = 1024) {
    writer = JSONWriter(reservingBytes: capacity)
    writer.open(.object)
    writer.member(Key.schema, ContactsView.currentSchema)
    writer.key(Key.contacts.stringValue)
    writer.open(.list)
  }

  /// Adds the JSON of the next contact; see `ContactSelection.json`.
  package mutating func add(_ json: [UInt8]) {
    writer.value(json: json)
  }

  /// Ends the page and returns its JSON.
  package consuming func finish(language: String, next: String?) -> [UInt8] {
    writer.close(.list)
    writer.member(Key.language, language)
    writer.member(Key.next, next)
    writer.close(.object)
    return writer.bytes
  }
}

extension ContactSelection {
  /// Returns the JSON of the selected properties of a contact.
  package func json(of contact: ContactItem) throws -> [UInt8] {
    var writer = JSONWriter(reservingBytes: 256)
    writer.open(.object)
    for key in keys { try contact.write(key, to: &writer) }
    writer.close(.object)
    return writer.bytes
  }
}
