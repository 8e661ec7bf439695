// The columns of a table. A name has its meaning from the set of the program that wrote the table (CSVHeaderSet.swift), from
// Google's numbered names in both versions (“E-mail 1 - Value”), or from the plain names that people use. A column with
// another name is recognized by its values (CSVContent.swift).

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
    case departments, emergency
    /// Titles. Outlook separates several by semicolons, Google by `:::`.
    case categories(separatedBySemicolons: Bool)
    /// A part of the birthday; the others have columns of their own.
    case birthday(DatePart)
    /// The title of the contact's group. Categories have other columns.
    case group
    /// A whole address, whose parts are in other columns too.
    case wholeAddress(Slot)
    /// Ignored, because it describes the column before.
    case nothing
    /// Unknown; stored under the column's name.
    case unknown
  }

  /// A part of a date.
  enum DatePart: Hashable, Sendable { case year, month, day }

  /// The column's name.
  let name: String
  /// The meaning of the column.
  private(set) var meaning: Meaning
  /// The label that the name alone implies.
  private(set) var label = ""
  /// Whether the meaning is a guess from the column's values.
  private(set) var isGuessed = false

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
    if text == ":::" { return ["", ""] }
    if text.hasPrefix("::: ") { text = " " + text }
    if text.hasSuffix(" :::") { text += " " }
    return text.split(separator: several, omittingEmptySubsequences: false).map {
      String($0).trimmingBlanks()
    }
  }

  /// Returns the columns for these names. Beside a job title, `Title` is the prefix of the name. The anniversary of Outlook is
  /// one of the dates, where Google's and iCloud's are; in our own tables, which have numbered columns, it is the field of that
  /// name.
  /// - Parameter set: The names of the table's program, if it is known.
  static func columns(_ names: [String], in set: CSVHeaderSet?) -> [CSVColumn] {
    let hasJob = names.contains { $0.isSame(as: "Job Title") }
    let hasNumbers = names.contains { numbered($0.lowercased().trimmingBlanks()) != nil }
    var occurrences: [String: Int] = [:]
    return names.map { name in
      let folded = CSVHeaderSet.folded(name)
      let number = occurrences[folded, default: 0] + 1
      occurrences[folded] = number
      if let column = set?[name, number] { return column.adjusted(hasNumbers: hasNumbers) }
      var column = set?[name, 1] ?? CSVColumn(name: name)
      if !column.isKnown, let known = CSVHeaderSet.column(name) { column = known }
      if number > 1 { column.becomeAnother(number) }
      if hasJob, name.isSame(as: "Title") { column.meaning = .text(.namePrefix) }
      return column.adjusted(hasNumbers: hasNumbers)
    }
  }

  /// In a table without numbered columns, the anniversary is one of the dates.
  private func adjusted(hasNumbers: Bool) -> CSVColumn {
    guard !hasNumbers, meaning == .text(.anniversary) else { return self }
    var column = self
    column.meaning = .entry(Slot(list: .dates, key: "anniversary"), .value)
    column.label = "anniversary"
    return column
  }

  /// Returns the column with a meaning that its values suggest.
  /// - Parameter isLabelled: Whether the name of the column is the label of its entries.
  func guessed(_ meaning: Meaning, isLabelled: Bool) -> CSVColumn {
    var column = self
    column.meaning = meaning
    column.isGuessed = true
    if isLabelled, case .entry = meaning { column.label = name.trimmingBlanks() }
    return column
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
    meaning = Self.plain[key] ?? Self.numbered(key) ?? .unknown
    if !isKnown, let property = EntryProperty.named(Self.propertyName(of: name)) {
      // Cards have such properties: `X-SKYPE`, `X-ASSISTANT`.
      meaning = .entry(Slot(list: property.list, key: key), .value)
      label = property.impliedLabel
    }
  }

  /// Creates the column with this name and a meaning of a header set: `firstName`, `phone:work#2`, `address:home:city`.
  init(name: String, meaning text: String) {
    self.name = name
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
    if parts.count == 1 {
      meaning = Self.meaning(ofText: text)
      return
    }
    guard let list = Self.lists[parts[0]] else { preconditionFailure("“\(text)” is no meaning.") }
    // The text after the number sign distinguishes entries with one label.
    label = String(parts[1].prefix { $0 != "#" })
    let slot = Slot(list: list, key: parts.prefix(2).joined(separator: ":"))
    if parts.count == 2 {
      meaning = .entry(slot, .value)
    } else if parts[2] == "whole" {
      meaning = .wholeAddress(slot)
    } else {
      // Outlook has three columns for a street.
      let part = parts[2] == "street3" ? .street2 : EntryText(rawValue: parts[2])
      guard let part else { preconditionFailure("“\(text)” is no meaning.") }
      meaning = .entry(slot, part)
    }
  }

  private static func meaning(ofText text: String) -> Meaning {
    switch text {
    case "department": return .departments
    case "categories": return .categories(separatedBySemicolons: true)
    case "group": return .group
    case "ignore": return .nothing
    case "birthYear": return .birthday(.year)
    case "birthMonth": return .birthday(.month)
    case "birthDay": return .birthday(.day)
    default:
      guard let property = ContactText(name: text) else {
        preconditionFailure("“\(text)” is no meaning.")
      }
      return .text(property)
    }
  }

  private static let lists: [String: ContactList] = [
    "phone": .phones, "email": .emails, "address": .addresses, "url": .urls, "im": .instantMessages,
    "related": .related,
  ]

  /// Returns a label as we write it: Google writes `Mobile`, `Home Fax` and `Anniversary`.
  static func label(_ text: String) -> String {
    let lower = text.lowercased()
    return EntryLabel.isKnown(lower) ? lower : text
  }

  /// Returns the categories of a field, without the one that contains all contacts. Google marks its own with a star.
  static func categories(_ text: String, separatedBySemicolons: Bool) -> [String] {
    // NB: as one expression with `map`, the type checker would take six seconds.
    var categories: [String] = []
    for part in pieces(text).flatMap({
      separatedBySemicolons ? $0.split(separator: ";") : [Substring($0)]
    }) {
      let category = String(part).trimmingBlanks()
      let isGoogles = category.hasPrefix("* ")
      let name = isGoogles ? String(category.dropFirst(2)) : category
      if name.lowercased() == "mycontacts" || isGoogles && name.lowercased() == "my contacts" {
        continue
      }
      if !name.isEmpty {
        categories.append(isGoogles && googles.contains(name.lowercased()) ? name : category)
      }
    }
    return categories
  }

  /// Google's own groups.
  private static let googles: Set = ["friends", "family", "coworkers", "starred"]

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
    table["categories"] = .categories(separatedBySemicolons: true)
    for name in ["labels", "group membership"] {
      table[name] = .categories(separatedBySemicolons: false)
    }
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
}
