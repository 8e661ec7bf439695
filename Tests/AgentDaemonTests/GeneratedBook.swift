// An address book of generated people with every property that the agent's API sets, the same for a seed in every
// run. The texts are hard to carry: separators, escapes, quotes, line ends, and many scripts.

import AgentAPI
import PredicateWorld
import Records

/// The contacts and photos of a generated address book.
struct GeneratedBook: Sendable {
  /// The titles of the groups; the first one is the default group.
  static let groups = ["Contacts", "Rowing", "Müller, Meier & Söhne; “50 %”", "=Work", "李 \\n 😀"]

  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// Returns the contact with this number, with the title of its group. The number is part of its name, so that
  /// every contact has another name.
  mutating func contact(_ number: Int) -> ContactItem {
    var item = ContactItem()
    item.group = Self.groups[number % Self.groups.count]
    nameParts(of: &item, number)
    item.phones = entries(["mobile", "home", "work fax"]) { "+46 8 5555 0\($0.random.below(900))" }
    item.emails = entries(["home", "work"]) { "\($0.word().lowercased())@example.com" }
    item.urls = entries(["home page", "work"]) {
      "https://example.com/?a=\($0.random.below(9)),b;c"
    }
    item.instantMessages = entries(["home"]) { "xmpp:ada\($0.random.below(99))@example.com" }
    item.dates = entries(["anniversary"]) { $0.date() }
    item.related = entries(["spouse", "brother"]) { $0.text() }
    item.addresses = (0..<random.below(4)).map { _ in address() }
    item.other = (0..<random.below(3)).map { _ in other() }
    item.emergency = random.percent(20)
    item.note = random.percent(60) ? note() : ""
    item.birthday = random.percent(70) ? date() : nil
    item.anniversary = random.percent(40) ? date() : ""
    item.departments = (0..<random.below(3)).map { _ in text() }
    item.categories = (0..<random.below(3)).map { "\($0) \(word()), \(word())" }
    item.uid = random.percent(50) ? "urn:uuid:\(number)" : ""
    return item
  }

  /// Returns the bytes of a photo, each time others; `nil` for a contact without one.
  mutating func photo(_ number: Int) -> [UInt8]? {
    guard random.percent(40) else { return nil }
    return PhotoRoutesTests.picture(
      byteCount: 60 + random.below(100), side: UInt8(1 + number % 200))
  }

  // MARK: Texts

  private static let parts =
    "abcXYZ 019,;\\\"'=^|-.&:".map { String($0) } + [
      "é", "e\u{301}", "李", "😀", "👩‍👩‍👧", "שלום", "\\n", "\\,", "%0A", "=3D", "  ", "“”",
    ]

  /// Returns a line without blanks at its ends.
  private mutating func text(_ count: Int = 12) -> String {
    let middle = (0..<random.below(count)).map { _ in random.one(of: Self.parts) }.joined()
    return random.one(of: ["a", "Ö", "文"]) + middle + random.one(of: ["z", "ß", "字"])
  }

  private mutating func maybe() -> String { random.percent(50) ? text() : "" }

  private mutating func word() -> String {
    random.one(of: ["Rowing", "Choir", "Ålesund", "竹内", "Book-club"]) + "\(random.below(9))"
  }

  private mutating func note() -> String {
    (0..<(1 + random.below(6))).map { _ in text(30) }.joined(
      separator: random.one(of: ["\n", "\n\n"]))
  }

  private mutating func date() -> String {
    let (month, day) = (10 + random.below(3), 10 + random.below(19))
    return random.percent(30) ? "--\(month)-\(day)" : "\(1900 + random.below(120))-\(month)-\(day)"
  }

  // MARK: Properties

  private mutating func nameParts(of item: inout ContactItem, _ number: Int) {
    if random.percent(90) {
      item.firstName = text()
      item.lastName = "\(text()) \(number)"
      item.namePrefix = random.percent(20) ? "Dr." : ""
      item.middleName = random.percent(30) ? text() : ""
      item.nameSuffix = random.percent(20) ? "Jr." : ""
      item.displayName = random.percent(20) ? "Captain \(text())" : ""
      item.phoneticFirstName = maybe()
      item.phoneticMiddleName = maybe()
      item.phoneticLastName = maybe()
    }
    let isCompany = item.lastName.isEmpty
    item.company = isCompany ? "\(text()) \(number)" : maybe()
    item.nickname = random.percent(30) ? "\(word()), \(word())" : ""
    item.title = maybe()
    item.role = maybe()
  }

  private mutating func entries(
    _ labels: [String], _ value: (inout Self) -> String
  ) -> [LabeledItem] {
    (0..<random.below(6)).map { _ in
      let label = random.one(of: labels + ["", "Boat, 2nd; “old”"])
      // Without another label, “x-slow” would be one.
      let kinds = label.isEmpty ? ["msg"] : ["msg", "x-slow"]
      return LabeledItem(
        id: "", label: label, value: value(&self), kinds: random.percent(20) ? kinds : [],
        preference: random.percent(20) ? 1 + random.below(100) : nil,
        parameters: random.percent(20) ? "LANGUAGE=sv;X-SEEN=\"b,c\"" : "")
    }
  }

  private mutating func address() -> AddressItem {
    var address = AddressItem()
    address.label = random.one(of: ["home", "work", "", "Dacha"])
    address.street1 = random.percent(30) ? "\(text())\n\(text())" : text()
    address.street2 = maybe()
    address.city = maybe()
    address.state = maybe()
    address.zipcode = maybe()
    address.country = maybe()
    address.poBox = maybe()
    address.countryCode = random.percent(30) ? "se" : ""
    return address
  }

  private mutating func other() -> OtherItem {
    var other = OtherItem()
    other.group = random.percent(30) ? "g-9" : ""
    other.name = random.one(of: ["X-SHOE-SIZE", "X-ODD"])
    other.parameters = random.percent(30) ? "X-UNIT=EU" : ""
    // In the card's syntax.
    other.value = word() + "\\, " + word() + "\\n"
    return other
  }
}
