// A page of contacts, read in one pass; see JSONScanner.

import Records

/// Reads pages of contacts.
enum ContactListReader {
  /// The contacts of a page.
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
        .incompatibleVersion, "The agent's answer has an unexpected form.",
        hint: "Is contactsd of the same version as contactsctl?")
    }
  }

  private static func contact(_ scanner: inout JSONScanner) throws -> ContactView {
    var texts: [Substring: String] = [:]
    var phones: [ContactView.Labeled] = []
    var emails: [ContactView.Labeled] = []
    var author: ContactView.Author?
    var isSynced = false
    try scanner.object { scanner, key in
      switch key {
      case "id", "name", "firstName", "lastName", "company", "sortName", "sectionKey", "group",
        "created", "modified":
        texts[key] = try scanner.optionalString()
      case "phones": phones = try labeled(&scanner)
      case "emails": emails = try labeled(&scanner)
      case "modifiedBy": author = try self.author(&scanner)
      case "synced": isSynced = try scanner.flag()
      default: break
      }
    }
    return ContactView(
      id: texts["id"] ?? "", name: texts["name"] ?? "", firstName: texts["firstName"] ?? "",
      lastName: texts["lastName"] ?? "", company: texts["company"] ?? "",
      sortName: texts["sortName"] ?? "", sectionKey: texts["sectionKey"] ?? "",
      group: texts["group"] ?? "", phones: phones, emails: emails, created: texts["created"],
      modified: texts["modified"], modifiedBy: author, synced: isSynced)
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
    try scanner.object { scanner, key in
      switch key {
      case "account": account = try scanner.string()
      case "device": device = try scanner.string()
      default: break
      }
    }
    return ContactView.Author(account: account, device: device)
  }
}
