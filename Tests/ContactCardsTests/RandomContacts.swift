// Random contacts that use every property, in texts that are hard to carry: separators, escapes, line ends,
// control characters, combining marks, right-to-left scripts, emoji of several scalars.

import Contacts
import PredicateWorld
import Records

@testable import ContactCards

/// A sequence of random contacts, the same for a seed in every run.
struct RandomContacts {
  var random: SeededGenerator
  private let parts: [String]
  /// Whether texts may begin like a formula of a spreadsheet.
  private let hasFormulas: Bool

  /// Creates contacts with hard texts. For a table, texts contain no `:`, which separates values there.
  init(seed: Int, forTable: Bool = false) {
    random = SeededGenerator(seed: UInt64(seed))
    parts = Self.common + (forTable ? [] : [":", " ::: ", "tel:"])
    hasFormulas = forTable
  }

  private static let common: [String] =
    "abcXYZ 019,;\\\"'=^|-.&".map { String($0) } + [
      "é", "e\u{301}", "\u{301}", "李", "😀", "👩‍👩‍👧", "שלום", "\u{200F}", "\u{2028}", "\u{85}", "\u{A0}",
      "\t",
      "\n", "\r\n", "\r", "  ", "\\n", "\\,", "\u{1}", "\u{7F}", "\u{0}", "\u{FEFF}", "%0A", "=3D",
    ]

  /// Returns a text of up to `count` parts after a letter.
  mutating func text(_ count: Int = 20) -> String {
    let start = hasFormulas ? random.one(of: ["", "", "=", "'", "'=", "+", "@", "-"]) : ""
    let letter = random.one(of: ["a", "B", "ö", "文", "𝒳"])
    return start + letter
      + (0..<random.below(count + 1)).map { _ in random.one(of: parts) }.joined()
  }

  /// Returns nothing half of the time.
  private mutating func maybe(_ count: Int = 20) -> String { random.percent(50) ? text(count) : "" }

  /// Returns one or several plain words.
  private mutating func word() -> String {
    random.one(of: ["Rowing", "book club", "Ålesund", "竹内", "b;c", "d\\e"])
      + String(random.below(9))
  }

  private mutating func date() -> String {
    random.one(of: [
      "1984-06-05", "--02-29", "1984-06", "1984", "--06", "---05", "0001-01-01", "9999-12-31",
      "about \(text(4))",
    ])
  }

  /// Returns a draft as an address book stores it, with a UID and a first name.
  mutating func contact() throws -> Contact {
    let draft = draft()
    return try kept(ImportedContact(line: 0, draft: draft, content: Fingerprint()))
  }

  private mutating func draft() -> ContactDraft {
    var draft = ContactDraft()
    for property in ContactText.allCases { draft[property] = maybe() }
    draft[.uid] = text()
    draft[.firstName] = text()
    draft[.note] = maybe(200)
    draft[.nickname] = (0..<random.below(3)).map { _ in word() }.joined(separator: ", ")
    draft[.birthday] = random.percent(70) ? date() : ""
    draft[.anniversary] = random.percent(50) ? date() : ""
    for list in ContactList.allCases where list != .other {
      draft[list] = (0..<random.below(7)).map { _ in entry(list) }
    }
    draft[.other] = (0..<random.below(3)).map { _ in other() }
    if random.percent(20) {
      draft[.other].append(
        .init(texts: [.name: "SOUND", .parameters: "TYPE=OGG"], content: .inline(bytes([0]))))
    }
    draft.departments = (0..<random.below(3)).map { _ in text() }
    draft.categories = (0..<random.below(3)).map { "\($0)" + word() }
    draft.isEmergency = random.percent(30)
    draft.photo = random.percent(30) ? photo() : nil
    return draft
  }

  private mutating func bytes(_ head: [UInt8]) -> [UInt8] {
    head + (0..<random.below(120)).map { _ in UInt8(random.below(256)) }
  }

  private mutating func photo() -> ContactPhoto {
    let (head, type): ([UInt8], String) = random.one(of: [
      ([0x89, 0x50, 0x4E, 0x47], "image/png"), ([0xFF, 0xD8, 0xFF], "image/jpeg"),
      ([0], "image/x-odd"), ([0], ""),
    ])
    return ContactPhoto(media: .inline(bytes(head)), mediaType: type)
  }

  private mutating func entry(_ list: ContactList) -> ContactDraft.DraftEntry {
    var entry = ContactDraft.DraftEntry(texts: [:])
    entry[.label] = random.one(of: ["", "home", "work", "school", "Boat", text(8)])
    if list == .phones { entry[.label] = random.one(of: ["mobile", "work fax", entry[.label]]) }
    if list == .related { entry[.label] = random.one(of: ["spouse", "brother", entry[.label]]) }
    // Without another label, “X-Slow” would be one.
    entry[.kinds] = random.one(of: ["", "", "voice", entry[.label].isEmpty ? "msg" : "msg,X-Slow"])
    entry[.preference] = random.one(of: ["", "", "1", "2", "100"])
    entry[.parameters] = random.one(of: ["", "", "LANGUAGE=sv;X-SEEN=1", "X-A=\"b,c\""])
    switch list {
    case .addresses:
      for part in list.substance { entry[part] = maybe() }
      entry[.street1] = text()
      entry[.countryCode] = random.one(of: ["", "gb", "se"])
    case .dates: entry[.value] = date()
    case .instantMessages where random.percent(30):
      entry[.name] = "X-SKYPE"
      entry[.value] = "skype:b" + text()
    case .urls: entry[.value] = "https://example.com/" + text()
    case .related: entry[.value] = random.one(of: ["urn:uuid:" + text(), text()])
    case .phones, .emails, .instantMessages, .other: entry[.value] = text()
    }
    return entry
  }

  private mutating func other() -> ContactDraft.DraftEntry {
    ContactDraft.DraftEntry(texts: [
      .group: random.one(of: ["", "item1", "g-9"]),
      .name: random.one(of: ["X-SHOE-SIZE", "X-ODD"]),
      .parameters: random.one(of: ["", "X-UNIT=EU", "X-B=\"c;d\";X-E=f,g"]),
      .value: plainlyEscaped(text(30)),
    ])
  }
}

// MARK: What a format can carry, written a second time

extension ContactDraft {
  /// Every text of the draft in a line of its own, in ASCII, so that canonically equal texts differ. Ids and
  /// the originals of other properties are omitted.
  var lines: [String] {
    func shown(_ text: String) -> String {
      text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
    }
    var lines = ContactText.allCases.filter { !self[$0].isEmpty }.map {
      "\($0) \(shown(self[$0]))"
    }
    for list in ContactList.allCases {
      for (index, entry) in self[list].filter({ $0[.restates].isEmpty }).enumerated() {
        lines += EntryText.allCases.filter { !entry[$0].isEmpty }.map {
          "\(list) \(index) \($0) \(shown(entry[$0]))"
        }
        if let content = entry.content { lines.append("\(list) \(index) \(content)") }
      }
    }
    lines += departments.map { "department \(shown($0))" }
    lines += categories.map { "category \(shown($0))" }
    if isEmergency { lines.append("emergency") }
    if let photo { lines.append("photo \(photo.mediaType) \(photo.media)") }
    return lines
  }

  /// Returns the draft with each text changed by `change`. The values of other properties, which are in the
  /// card's syntax, are passed to `raw`.
  func mapped(_ change: (String) -> String, raw: (String) -> String) -> ContactDraft {
    var result = self
    for text in ContactText.allCases { result[text] = change(self[text]) }
    for list in ContactList.allCases {
      for index in self[list].indices {
        for (part, text) in self[list][index].texts where part != .parameters {
          result[list][index][part] = list == .other ? raw(text) : change(text)
        }
      }
    }
    result.departments = departments.map(change)
    result.categories = categories.map(change)
    return result
  }

  /// The draft as a card carries it: line ends are `\n`, control characters are lost, and texts are trimmed.
  var asCard: ContactDraft { mapped({ trimmed(plain($0)) }, raw: plain) }
}

/// Returns `text` with `\n` for every line end, and without the control characters that no card may contain.
func plain(_ text: String) -> String {
  let scalars = withUnixEnds(text).unicodeScalars.filter {
    $0 == "\n" || $0 == "\t" || ($0.value >= 0x20 && $0.value != 0x7F)
  }
  return String(String.UnicodeScalarView(scalars))
}

/// Returns `text` with `\n` for every line end.
func withUnixEnds(_ text: String) -> String {
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    if scalar == "\n", result.last == "\r" { result.removeLast() }
    result.append(scalar)
  }
  return String(String.UnicodeScalarView(result.map { $0 == "\r" ? "\n" : $0 }))
}

/// Returns `text` without whitespace at its ends.
func trimmed(_ text: String) -> String {
  var scalars = text.unicodeScalars[...]
  while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
  while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
  return String(scalars)
}

/// Returns `text` as the value of a card's property.
func plainlyEscaped(_ text: String) -> String {
  withUnixEnds(text).unicodeScalars.map { scalar in
    switch scalar {
    case "\n": "\\n"
    case ",", ";", "\\": "\\" + String(scalar)
    default: String(scalar)
    }
  }.joined()
}
