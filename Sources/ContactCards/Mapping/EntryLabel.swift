// One label for people, several types in a card: `TYPE=HOME,FAX` is “home fax”. A label that is no
// type goes into a second property of the same group, as Apple began and others took over. What
// types a label does not say stay beside it, so that nothing is lost on the way back.

import Contacts

enum EntryLabel {
  /// The label that `types` mean for a list, and the types that it does not say.
  static func read(_ types: [String], _ list: ContactList) -> (label: String, kinds: [String]) {
    guard let found = table(list).first(where: { $0.types.allSatisfy(types.contains) }) else {
      return ("", types)
    }
    return (found.label, types.filter { !found.types.contains($0) })
  }

  /// The types that say `label` in a list; `nil` when none do.
  static func types(of label: String, _ list: ContactList) -> [String]? {
    label.isEmpty ? [] : table(list).first { $0.label == label }?.types
  }

  /// A type in lower case if it is a known one: custom ones keep the case their owner gave them.
  static func type(_ text: String) -> String {
    let lower = text.lowercased()
    return known.contains(lower) ? lower : text
  }

  /// The label that an `X-ABLabel` says: a built-in one of Apple's in plain words.
  static func fromApple(_ text: String) -> String {
    guard text.hasPrefix("_$!<"), text.hasSuffix(">!$_") else { return text }
    let name = String(text.dropFirst(4).dropLast(4))
    return apple.first { $0.name == name }?.label ?? text
  }

  /// The `X-ABLabel` that says `label`.
  static func toApple(_ label: String) -> String {
    apple.first { $0.label == label }.map { "_$!<\($0.name)>!$_" } ?? label
  }

  private static func table(_ list: ContactList) -> [(label: String, types: [String])] {
    switch list {
    case .phones: phones
    case .related: related
    case .emails, .addresses, .urls, .instantMessages: places
    case .dates, .other: []
    }
  }

  // The first row that fits counts.
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
