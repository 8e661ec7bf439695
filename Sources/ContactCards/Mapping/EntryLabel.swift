// Labels of entries. A contact has one label where a card has several types: `TYPE=HOME,FAX` is “home fax”. A
// label that has no types is written into a second property of the same group, a convention of Apple's that
// others adopted. Phones write such a label as a type of their own, `X-Boat`. Types that a label does not imply are
// stored next to it, so that nothing is lost in an export.

import Contacts

enum EntryLabel {
  /// Returns the label for `types` in a list, and the types that the label does not imply.
  static func read(_ types: [String], _ list: ContactList) -> (label: String, kinds: [String]) {
    guard let found = table(list).first(where: { $0.types.allSatisfy(types.contains) }) else {
      return ("", types)
    }
    return (found.label, types.filter { !found.types.contains($0) })
  }

  /// Returns the types for `label` in a list; `nil` if there are none.
  static func types(of label: String, _ list: ContactList) -> [String]? {
    label.isEmpty ? [] : table(list).first { $0.label == label }?.types
  }

  /// Returns a known type in lower case; custom types keep their case.
  static func type(_ text: String) -> String {
    let lower = text.lowercased()
    return known.contains(lower) ? lower : text
  }

  /// Returns the label that a type of a person's own stands for: `X-Boat`, or `X-CUSTOM(Boat)`, whose text Samsung's phones
  /// encode: `X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,=42=6F=61=74)`. Returns `nil` for other types.
  static func custom(_ type: String) -> String? {
    guard type.count > 2, type.prefix(2).isSame(as: "x-") else { return nil }
    let text = String(type.dropFirst(2))
    guard isEncoded(type), text.hasSuffix(")") else { return text }
    let inner = text.dropFirst(7).dropLast()
    let settings = inner.split(separator: ",", omittingEmptySubsequences: false)
    guard settings.count > 1, let last = settings.last,
      settings.dropLast().contains(where: { $0.isSame(as: "ENCODING=QUOTED-PRINTABLE") })
    else { return String(inner) }
    let charset = settings.first { $0.prefix(8).isSame(as: "CHARSET=") }.map {
      String($0.dropFirst(8))
    }
    return TextDecoder.decode(QuotedPrintable.decode(Array(last.utf8)[...]), charset: charset).text
  }

  /// Whether a type has the form `X-CUSTOM(…)`, in which commas separate no types.
  static func isEncoded(_ type: String) -> Bool { type.prefix(9).isSame(as: "X-CUSTOM(") }

  /// Returns the type in which Android reads a label of a person's own; `nil` if it cannot be written as one.
  static func customType(of label: String) -> String? {
    guard !label.isEmpty,
      label.utf8.allSatisfy({ $0 == UInt8(ascii: " ") || PropertyParser.isWord($0) })
    else { return nil }
    return "X-" + label.replacing(" ", with: "-")
  }

  /// Whether the type says nothing but the label: `x-test_type` and “Test Type”.
  static func says(_ type: String, _ label: String) -> Bool {
    guard let text = custom(type) else { return false }
    if text == label { return true }
    func plain(_ text: String) -> String { text.lowercased().replacing("_", with: "-") }
    return customType(of: label).map { plain($0) == plain(type) } ?? false
  }

  /// Returns the label of an `X-ABLabel`; Apple's built-in labels become plain words.
  static func fromApple(_ text: String) -> String {
    guard text.hasPrefix("_$!<"), text.hasSuffix(">!$_") else { return text }
    let name = String(text.dropFirst(4).dropLast(4))
    return apple.first { $0.name == name }?.label ?? text
  }

  /// Returns the `X-ABLabel` for `label`.
  static func toApple(_ label: String) -> String {
    apple.first { $0.label == label }.map { "_$!<\($0.name)>!$_" } ?? label
  }

  /// Whether a card has types or a built-in label of Apple's for `label`, which is in lower case.
  static func isKnown(_ label: String) -> Bool {
    label.isEmpty || (phones + places + related).contains { $0.label == label }
      || apple.contains { $0.label == label }
  }

  private static func table(_ list: ContactList) -> [(label: String, types: [String])] {
    switch list {
    case .phones: phones
    case .related: related
    case .emails, .addresses, .urls, .instantMessages: places
    case .dates, .other: []
    }
  }

  // The first row that matches applies.
  private static let phones: [(label: String, types: [String])] = [
    ("mobile", ["cell"]), ("home fax", ["home", "fax"]), ("work fax", ["work", "fax"]),
    ("fax", ["fax"]), ("pager", ["pager"]), ("main", ["main"]), ("car", ["car"]),
    ("home", ["home"]), ("work", ["work"]), ("other", ["other"]),
  ]

  private static let places: [(label: String, types: [String])] = [
    ("home", ["home"]), ("work", ["work"]), ("other", ["other"]),
  ]

  private static let related: [(label: String, types: [String])] = [
    "spouse", "child", "parent", "sibling", "friend", "co-worker", "colleague", "neighbor",
    "acquaintance", "contact", "met", "co-resident", "kin", "muse", "crush", "date", "sweetheart",
    "me", "agent", "emergency",
  ].map { ($0, [$0]) }

  private static let known: Set<String> = Set(
    [
      "voice", "msg", "video", "bbs", "modem", "isdn", "pcs", "text", "textphone", "pref",
      "internet", "x400", "dom", "intl", "postal", "parcel", "tlx", "iphone", "applelink",
      "attmail", "cis", "eworld", "ibmmail", "mcimail", "powershare", "prodigy",
    ] + (phones + places + related).flatMap(\.types))

  private static let apple: [(name: String, label: String)] = [
    ("Mobile", "mobile"), ("Home", "home"), ("Work", "work"), ("Other", "other"),
    ("Main", "main"), ("HomeFAX", "home fax"), ("WorkFAX", "work fax"), ("OtherFAX", "other fax"),
    ("Pager", "pager"), ("HomePage", "homepage"), ("Anniversary", "anniversary"),
    ("School", "school"), ("Spouse", "spouse"), ("Partner", "partner"), ("Father", "father"),
    ("Mother", "mother"), ("Parent", "parent"), ("Brother", "brother"), ("Sister", "sister"),
    ("Child", "child"), ("Son", "son"), ("Daughter", "daughter"), ("Friend", "friend"),
    ("Assistant", "assistant"), ("Manager", "manager"),
  ]
}
