// All properties of one contact. For programs, each value is a line with its parts in fixed columns; for
// people, an address is one line as on a letter, and long values have several lines.

import AgentAPI
import ByteCounts
import Contacts

/// The details of a contact.
struct ContactDetail {
  private let contact: FormValue
  private let groupTitle: String?

  /// The details of `contact`, from the agent, in a group with this title.
  init(_ contact: FormValue, groupTitle: String? = nil) {
    self.contact = contact
    self.groupTitle = groupTitle
  }

  /// One row for each value, with its parts in columns.
  var rows: [[String]] {
    var rows = [["id", text(.id)], ["name", displayName]]
    rows += Self.leading.compactMap(row)
    for (list, noun) in Self.lists {
      for entry in items(list.rawValue) {
        rows.append(
          [noun, entry[.label]?.text ?? "", entry[.value]?.text ?? "", entry[.id]?.text ?? ""])
      }
    }
    for address in items(ContactList.addresses.rawValue) {
      var parts = Self.addressParts.map { Self.part($0, of: address) }
      // A post office box stands where the street does, and may be all that there is.
      let box = Self.part(.poBox, of: address)
      parts[0] = [box.isEmpty ? "" : "PO box \(box)", parts[0]].filter { !$0.isEmpty }
        .joined(separator: ", ")
      rows.append(["address", address[.label]?.text ?? ""] + parts + [address[.id]?.text ?? ""])
    }
    rows += Self.following.compactMap(row)
    for (key, noun) in [(ContactItem.Key.departments, "department"), (.categories, "category")] {
      rows += items(key.name).compactMap(\.text).map { [noun, $0] }
    }
    rows.append(["emergency", isEmergency ? "yes" : "no"])
    if let photo = contact[.photo], photo != .null {
      rows.append(["photo", photo[.mediaType]?.text ?? "", Self.size(photo[.sizeBytes])])
    }
    rows += items(ContactItem.Key.other.name).map {
      ["other", $0[.propertyName]?.text ?? "", $0[.value]?.text ?? "", $0[.parameters]?.text ?? ""]
    }
    return rows + history
  }

  /// Returns lines of at most `limit` columns for a terminal; `dim` de-emphasizes ids.
  func lines(limit: Int, dim: (String) -> String) -> [String] {
    let shown = shownRows
    let keyWidth = shown.map(\.key.count).max() ?? 0
    let idWidth = shown.map(\.id.count).max() ?? 0
    let room = max(16, limit - keyWidth - idWidth - 4)
    let widest =
      shown.filter { !$0.id.isEmpty }.map { TextWidth.columns(of: PlainText.clean($0.text)) }.max()
      ?? 0
    let width = min(room, widest)
    return shown.flatMap { item in
      let pieces = Self.paragraphs(of: item.text).flatMap {
        TextWidth.lines(of: PlainText.clean($0), limit: room)
      }
      return pieces.enumerated().map { index, piece in
        guard index == 0 || !piece.isEmpty else { return "" }
        let key = index == 0 ? item.key : ""
        let lead =
          (key.isEmpty ? "" : dim(key)) + String(repeating: " ", count: keyWidth - key.count + 2)
          + piece
        guard index == 0, !item.id.isEmpty else { return lead }
        let padding = max(0, width - TextWidth.columns(of: piece)) + 2
        return lead + String(repeating: " ", count: padding) + dim(item.id)
      }
    }
  }

  /// Returns the lines of `text`, with the blank ones between them.
  private static func paragraphs(of text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    while lines.last?.isEmpty == true { lines.removeLast() }
    return Array(lines.drop(while: \.isEmpty))
  }

  /// A row for people: its noun, its text and, for an entry, the short id.
  private typealias ShownRow = (key: String, text: String, id: String)

  /// The rows in the order for people: the name first, the contact's id last, and labels of one width.
  private var shownRows: [ShownRow] {
    let short = EntryIndex(contact).shortLength
    let ordered = rows.dropFirst() + rows.prefix(1)
    let labels = ordered.filter { Self.nounsOfEntries.contains($0[0]) }.map { $0[1] }
    let labelWidth = labels.map { TextWidth.columns(of: PlainText.clean($0)) }.max() ?? 0
    return ordered.map { row in
      guard Self.nounsOfEntries.contains(row[0]), let id = row.last else {
        let words = row[0] == "group" && row.count > 2 ? row[1...1] : row.dropFirst()
        return (row[0], Self.join(words.map(LocalTime.shown)), "")
      }
      let value = row[0] == "address" ? Self.letter(row) : row[2]
      return (row[0], Self.padded(row[1], to: labelWidth) + value, String(id.prefix(short)))
    }
  }

  /// Returns the noun of a field of a contact, `first` for `firstName`; of an unknown field, its name.
  static func noun(ofField field: String) -> String { nounsOfFields[field] ?? field }

  private static let nounsOfFields: [String: String] = {
    let texts = (leading + following).map { ($0.0.rawValue, $0.1) }
    let entries = lists.map { ($0.0.rawValue, $0.1) }
    let others = [
      (ContactList.addresses.rawValue, "address"), (ContactItem.Key.departments.name, "department"),
      (ContactItem.Key.categories.name, "category"),
    ]
    return Dictionary(texts + entries + others) { first, _ in first }
  }()

  private static let nounsOfEntries = Set(lists.map { $0.1 } + ["address"])

  /// Returns `label` with the blanks after it, unless no entry has a label.
  private static func padded(_ label: String, to width: Int) -> String {
    guard width > 0 else { return "" }
    let missing = width - TextWidth.columns(of: PlainText.clean(label))
    return label + String(repeating: " ", count: missing + 2)
  }

  private static let leading: [(ContactText, String)] = [
    (.displayName, "full name"), (.namePrefix, "prefix"), (.firstName, "first"),
    (.middleName, "middle"), (.lastName, "last"), (.nameSuffix, "suffix"),
    (.phoneticFirstName, "phonetic first"), (.phoneticMiddleName, "phonetic middle"),
    (.phoneticLastName, "phonetic last"), (.nickname, "nickname"), (.company, "company"),
    (.title, "title"), (.role, "role"),
  ]
  private static let following: [(ContactText, String)] = [
    (.birthday, "birthday"), (.anniversary, "anniversary"), (.note, "note"), (.uid, "uid"),
  ]
  private static let lists: [(ContactList, String)] = [
    (.phones, "phone"), (.emails, "email"), (.urls, "url"), (.instantMessages, "message"),
    (.dates, "date"), (.related, "related"),
  ]
  private static let addressParts: [EntryText] = [
    .street1, .street2, .city, .state, .zipcode, .country,
  ]

  private var displayName: String { text(.displayedName) }

  private var isEmergency: Bool { contact[.emergency] == .flag(true) }

  private var history: [[String]] {
    var rows = [["group"] + [groupTitle].compactMap(\.self) + [text(.group)]]
    if let created = contact[.created]?.text { rows.append(["created", created]) }
    if let modified = contact[.modified]?.text {
      let author = contact[.modifiedBy].map {
        let account = $0[.accountName] ?? $0[.account]
        let device = $0[.deviceName] ?? $0[.device]
        return "\(account?.text ?? "") on \(device?.text ?? "")"
      }
      rows.append(["modified", modified] + [author].compactMap(\.self))
    }
    return rows + [["synced", contact[.synced] == .flag(true) ? "yes" : "no"]]
  }

  private func row(_ property: ContactText, _ noun: String) -> [String]? {
    let value = text(property.rawValue)
    return value.isEmpty ? nil : [noun, value]
  }

  private func text(_ key: ContactItem.Key) -> String { text(key.name) }
  private func text(_ name: String) -> String { contact[name]?.text ?? "" }
  private func items(_ name: String) -> [FormValue] { contact[name]?.items ?? [] }

  /// Returns a part of an address; a US state as its abbreviation, even if a card contains its name (V5).
  private static func part(_ part: EntryText, of address: FormValue) -> String {
    let value = address[part.rawValue]?.text ?? ""
    guard part == .state else { return value }
    return USState.stored(value, country: address[EntryText.country.rawValue]?.text ?? "")
  }

  /// Returns an address on one line, as on a letter.
  private static func letter(_ row: [String]) -> String {
    let parts = row.dropFirst(2).dropLast().map(\.self)
    guard parts.count == 6 else { return parts.joined(separator: ", ") }
    let place = [parts[3], parts[4]].filter { !$0.isEmpty }.joined(separator: " ")
    return [parts[0], parts[1], parts[2], place, parts[5]].filter { !$0.isEmpty }
      .joined(separator: ", ").replacing("\n", with: ", ")
  }

  private static func join(_ parts: [String]) -> String {
    parts.filter { !$0.isEmpty }.joined(separator: "  ")
  }

  private static func size(_ value: FormValue?) -> String {
    guard case .number(let number) = value else { return "" }
    return ByteCount(number).description
  }
}
