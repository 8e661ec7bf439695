import AddressBook
import DeviceStore
import Records

extension DeviceReader {
  /// Returns the contacts of all pages of a query.
  func allContacts(_ query: ContactQuery) throws -> [ContactRow] {
    var query = query
    var rows: [ContactRow] = []
    repeat {
      let page = try contacts(query)
      rows += page.rows
      query.cursor = page.next
    } while query.cursor != nil && rows.count < 10_000
    return rows
  }

  /// Returns the record names of the contacts of all pages of a query.
  func allNames(_ query: ContactQuery) throws -> [String] {
    try allContacts(query).map(\.record.id.name.text)
  }
}
