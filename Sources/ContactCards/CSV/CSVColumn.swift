// The columns of other programs' tables: Google's in both versions (“E-mail 1 - Value”), Outlook's (“Business
// Street 2”), and the plain names that people use. Columns are recognized by their names only, ignoring case.

import Contacts
import Records

/// One column of a table.
struct CSVColumn: Hashable, Sendable {
  /// The list and the entry that a column belongs to.
  struct Slot: Hashable, Sendable {
    let list: ContactList
    /// Distinguishes entries of the list: the number in Google's names, Outlook's kind.
    let key: String
  }

  /// The meaning of a column's fields.
  enum Meaning: Hashable, Sendable {
    case text(ContactText)
    case entry(Slot, EntryText)
    case departments, categories, emergency
    /// The title of the contact's group. Categories have other columns.
    case group
    /// A whole address, whose parts are in other columns too.
    case wholeAddress(Slot)
    /// Ignored, because it describes the column before.
    case nothing
    /// Unknown; stored under the column's name.
    case unknown
  }

  /// The column's name.
  let name: String
  /// The meaning of the column.
  private(set) var meaning: Meaning
  /// The label that the name alone implies.
  private(set) var label = ""

  /// Whether the name is known.
  var isKnown: Bool { meaning != .unknown }

  /// Whether the column contains a way to reach someone, so that it can be the only one of a table.
  var isAddressable: Bool {
    guard case .entry(let slot, .value) = meaning else { return false }
    return slot.list == .phones || slot.list == .emails
  }

  /// Google's separator of several values in one field.
  static let several = " ::: "

  /// Returns the values of one field. The field has been trimmed, which removes half a separator if the first
  /// or last value is empty.
  static func pieces(_ text: String) -> [String] {
    var text = text
    if text.hasPrefix("::: ") { text = " " + text }
    if text.hasSuffix(" :::") { text += " " }
    return text.split(separator: several, omittingEmptySubsequences: false).map {
      String($0).trimmingBlanks()
    }
  }

  /// Returns the columns for these names. The meaning of `Title` depends on the next column: before a name it
  /// is the prefix. The anniversary of Outlook is one of the dates, where Google's and iCloud's are; in our own tables,
  /// which have numbered columns, it is the field of that name.
  static func columns(_ names: [String]) -> [CSVColumn] {
    let hasJob = names.contains { $0.isSame(as: "Job Title") }
    let hasNumbers = names.contains { numbered($0.lowercased().trimmingBlanks()) != nil }
    var occurrences: [String: Int] = [:]
    return names.map { name in
      var column = CSVColumn(name: name)
      let number = occurrences[name.lowercased().trimmingBlanks(), default: 0] + 1
      occurrences[name.lowercased().trimmingBlanks()] = number
      if number > 1 { column.becomeAnother(number) }
      if hasJob, name.isSame(as: "Title") { column.meaning = .text(.namePrefix) }
      if !hasNumbers, column.meaning == .text(.anniversary) {
        column.meaning = .entry(Slot(list: .dates, key: "anniversary"), .value)
        column.label = "anniversary"
      }
      return column
    }
  }

  /// Makes this column, which has the name of an earlier one, a part of another entry than that.
  private mutating func becomeAnother(_ number: Int) {
    switch meaning {
    case .entry(let slot, let part):
      meaning = .entry(Slot(list: slot.list, key: "\(slot.key), column \(number)"), part)
    case .wholeAddress(let slot):
      meaning = .wholeAddress(Slot(list: slot.list, key: "\(slot.key), column \(number)"))
    default: break
    }
  }

  /// Creates the column with this name.
  init(name: String) {
    self.name = name
    let key = name.lowercased().trimmingBlanks()
    if let meaning = Self.plain[key] {
      self.meaning = meaning
    } else if let numbered = Self.numbered(key) {
      meaning = numbered
    } else if let found = Self.outlookPhones[key] {
      meaning = .entry(Slot(list: .phones, key: key), .value)
      label = found
    } else if let found = Self.outlookAddress(key) {
      meaning = found.meaning
      label = found.label
    } else if let found = Self.people[key] {
      meaning = .entry(Slot(list: .related, key: key), .value)
      label = found
    } else {
      meaning = .unknown
    }
  }

  /// Returns a label as we write it: Google writes `Mobile`, `Home Fax` and `Anniversary`.
  static func label(_ text: String) -> String {
    let lower = text.lowercased()
    return EntryLabel.isKnown(lower) ? lower : text
  }

  /// Returns the categories of a field: Google's lists and Outlook's, without the one that contains all
  /// contacts.
  static func categories(_ text: String) -> [String] {
    // NB: as one expression with `map`, the type checker would take six seconds.
    var categories: [String] = []
    for part in text.split(separator: several).flatMap({ $0.split(separator: ";") }) {
      let isMarked = part.hasPrefix("* ")
      let category = isMarked ? String(part.dropFirst(2)) : String(part).trimmingBlanks()
      if !category.isEmpty, category.lowercased() != "mycontacts" { categories.append(category) }
    }
    return categories
  }

  private static let plain: [String: Meaning] = {
    var table: [String: Meaning] = [:]
    let texts: [(ContactText, [String])] = [
      (.displayName, ["name", "display name", "full name", "file as", "fn"]),
      (.namePrefix, ["name prefix", "prefix"]),
      (.firstName, ["first name", "given name", "first", "firstname", "forename"]),
      (.middleName, ["middle name", "additional name", "middle"]),
      (.lastName, ["last name", "family name", "last", "lastname", "surname"]),
      (.nameSuffix, ["name suffix", "suffix"]),
      (.phoneticFirstName, ["phonetic first name", "given name yomi"]),
      (.phoneticMiddleName, ["phonetic middle name", "additional name yomi"]),
      (.phoneticLastName, ["phonetic last name", "family name yomi"]),
      (.nickname, ["nickname"]),
      (.company, ["company", "organization", "organization name", "organization 1 - name"]),
      (.title, ["job title", "title", "organization title", "organization 1 - title"]),
      (.role, ["role", "profession", "occupation"]),
      (.birthday, ["birthday", "date of birth"]), (.anniversary, ["anniversary"]),
      (.note, ["notes", "note"]), (.uid, ["uid"]),
    ]
    for (text, names) in texts { for name in names { table[name] = .text(text) } }
    for name in ["department", "organization department", "organization 1 - department"] {
      table[name] = .departments
    }
    for name in ["categories", "labels", "group membership"] { table[name] = .categories }
    table["emergency"] = .emergency
    table["group"] = .group
    for (name, list) in [
      ("phone", ContactList.phones), ("telephone", .phones), ("email", .emails),
      ("e-mail", .emails), ("email address", .emails), ("e-mail address", .emails),
      ("e-mail 2 address", .emails), ("e-mail 3 address", .emails), ("web page", .urls),
      ("website", .urls), ("url", .urls), ("im address", .instantMessages),
    ] { table[name] = .entry(Slot(list: list, key: name), .value) }
    for name in ["e-mail type", "e-mail 2 type", "e-mail 3 type"] { table[name] = .nothing }
    return table
  }()

  /// `e-mail 1 - value` and similar names.
  private static func numbered(_ key: String) -> Meaning? {
    let halves = key.split(separator: " - ", maxSplits: 1)
    guard halves.count == 2 else { return nil }
    let words = halves[0].split(separator: " ")
    guard words.count == 2, Int(words[1]) != nil else { return nil }
    let lists: [Substring: ContactList] = [
      "e-mail": .emails, "email": .emails, "phone": .phones, "address": .addresses,
      "website": .urls, "im": .instantMessages, "event": .dates, "relation": .related,
    ]
    guard let list = lists[words[0]] else { return nil }
    let slot = Slot(list: list, key: String(words[1]))
    let parts: [Substring: EntryText] = [
      "label": .label, "type": .label, "value": .value, "street": .street1, "city": .city,
      "po box": .poBox, "region": .state, "postal code": .zipcode, "country": .country,
      "extended address": .street2,
    ]
    let part = halves[1]
    if list == .addresses, part == "formatted" { return .wholeAddress(slot) }
    guard let property = parts[part], list.properties.contains(property) else { return nil }
    return .entry(slot, property)
  }

  private static let outlookPhones: [String: String] = [
    "business phone": "work", "business phone 2": "work", "home phone": "home",
    "home phone 2": "home", "mobile phone": "mobile", "business fax": "work fax",
    "home fax": "home fax", "other fax": "fax", "other phone": "other", "pager": "pager",
    "car phone": "car", "company main phone": "main", "primary phone": "main",
    "assistant's phone": "assistant", "callback": "callback", "isdn": "isdn",
    "radio phone": "radio", "tty/tdd phone": "text", "telex": "telex", "mobile": "mobile",
  ]

  private static let people: [String: String] = [
    "spouse": "spouse", "children": "child", "manager's name": "manager",
    "assistant's name": "assistant", "referred by": "referred by",
  ]

  private static func outlookAddress(_ key: String) -> (meaning: Meaning, label: String)? {
    let kinds = ["business": "work", "home": "home", "other": "other"]
    let words = key.split(separator: " ")
    guard words.count > 1, let label = kinds[String(words[0])] else { return nil }
    let parts: [String: EntryText] = [
      "street": .street1, "street 2": .street2, "street 3": .street2, "city": .city,
      "state": .state, "postal code": .zipcode, "country/region": .country, "country": .country,
      "address po box": .poBox,
    ]
    guard let part = parts[words.dropFirst().joined(separator: " ")] else { return nil }
    return (.entry(Slot(list: .addresses, key: String(words[0])), part), label)
  }
}
