// Writes the JSON of a list while its rows are being read. Making all contacts first, and then their JSON with the
// containers of `Encodable`, took nearly twice as long.

/// Writes a page of contacts, one contact after the other. The JSON is that of a `ContactsView`, in which each contact has
/// only the selected properties.
package struct ContactsPageWriter {
  private typealias Key = ContactsView.CodingKeys

  private let selection: ContactSelection
  private var writer: JSONWriter

  /// Begins a page.
  /// - Parameter capacity: The expected number of bytes, which are reserved at once.
  package init(_ selection: ContactSelection, reservingBytes capacity: Int = 1024) {
    self.selection = selection
    writer = JSONWriter(reservingBytes: capacity)
    writer.open(.object)
    writer.member(Key.schema, ContactsView.currentSchema)
    writer.key(Key.contacts.stringValue)
    writer.open(.list)
  }

  /// Writes the selected properties of the next contact.
  package mutating func add(_ contact: ContactItem) throws {
    writer.open(.object)
    for key in selection.keys { try contact.write(key, to: &writer) }
    writer.close(.object)
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
