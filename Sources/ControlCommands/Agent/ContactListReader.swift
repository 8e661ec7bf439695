// A page of contacts, read in one pass; see JSONScanner.

import Records

/// Reads pages of contacts.
enum ContactListReader {
  /// Returns the contacts of a page.
  static func contacts(_ page: [UInt8]) throws(ControlFailure) -> [ContactView] {
    do {
      var scanner = JSONScanner(page)
      var contacts: [ContactView]?
      try scanner.object { scanner, key in
        guard key == "contacts" else { return }
        var found: [ContactView] = []
        try scanner.list { found.append(try contact(&$0)) }
        contacts = found
      }
      guard let contacts else { throw JSONScanner.Unexpected(offset: 0) }
      return contacts
    } catch {
      throw .error(
        .incompatibleVersion, "contactsctl cannot read the answer of contactsd.",
        hint: "Install the same version of both programs and restart contactsd.")
    }
  }

  private static func contact(_ scanner: inout JSONScanner) throws -> ContactView {
    var contact = ContactView()
    try scanner.object { scanner, key in
      switch key {
      case "id": contact.id = try scanner.string()
      case "name": contact.name = try scanner.string()
      case "firstName": contact.firstName = try scanner.string()
      case "lastName": contact.lastName = try scanner.string()
      case "company": contact.company = try scanner.string()
      case "sortName": contact.sortName = try scanner.string()
      case "sectionKey": contact.sectionKey = try scanner.string()
      case "group": contact.group = try scanner.string()
      case "created": contact.created = try scanner.optionalString()
      case "modified": contact.modified = try scanner.optionalString()
      case "phones": contact.phones = try labeled(&scanner)
      case "emails": contact.emails = try labeled(&scanner)
      case "modifiedBy": contact.modifiedBy = try author(&scanner)
      case "synced": contact.synced = try scanner.flag()
      default: break
      }
    }
    return contact
  }

  private static func labeled(_ scanner: inout JSONScanner) throws -> [ContactView.Labeled] {
    var values: [ContactView.Labeled] = []
    try scanner.list { scanner in
      var (id, label, value) = ("", "", "")
      try scanner.object { scanner, key in
        switch key {
        case "id": id = try scanner.string()
        case "label": label = try scanner.string()
        case "value": value = try scanner.string()
        default: break
        }
      }
      values.append(ContactView.Labeled(id: id, label: label, value: value))
    }
    return values
  }

  private static func author(_ scanner: inout JSONScanner) throws -> ContactView.Author {
    var (account, device) = ("", "")
    var name: String?
    try scanner.object { scanner, key in
      switch key {
      case "account": account = try scanner.string()
      case "device": device = try scanner.string()
      case "name": name = try scanner.string()
      default: break
      }
    }
    return ContactView.Author(account: account, device: device, name: name)
  }
}
