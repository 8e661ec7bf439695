// What of a contact a search looks at, and what a query means (C10). A contact's text is its words
// with blanks around each, folded, so that “ word” finds a word by its beginning; a full-text index
// over it answers the same, only faster. Phones stand in it by their digits, and once more backwards
// behind a sign nobody types, so that their ends can be looked for as beginnings.

import Collation
import Records

/// The words of a contact that searching reads.
package enum ContactSearch {
  /// Texts made under another version are made again.
  package static var version: String { "\(Words.version) contact 1" }

  /// The largest text; of a contact with more, what comes first is found: names before notes.
  static let textBytesMaximum = 32 << 10
  /// In front of the digits of a phone read backwards; a character for private use.
  static let backwards = "\u{E000}"

  /// The words of every field, each with a blank behind it, and one blank in front of all.
  package static func text(of contact: Contact) -> String {
    var gathering = ContactTextGathering()
    for field in names(of: contact) { gathering.append(field) }
    for entry in contact.phones { gathering.append(phone: entry) }
    for entry in contact.emails + contact.urls + contact.instantMessages + contact.related {
      gathering.append(entry.value)
      gathering.append(entry.label)
    }
    for address in contact.addresses { gathering.append(address) }
    for field in rest(of: contact) { gathering.append(field) }
    return gathering.bounded
  }

  private static func names(of contact: Contact) -> [String] {
    [
      contact.firstName, contact.lastName, contact.middleName, contact.namePrefix,
      contact.nameSuffix, contact.phoneticFirstName, contact.phoneticLastName,
      contact.phoneticMiddleName, contact.displayName, contact.nickname, contact.company,
    ]
  }

  private static func rest(of contact: Contact) -> [String] {
    contact.departments
      + [contact.title, contact.role, contact.birthday, contact.anniversary]
      + contact.dates.flatMap { [$0.value, $0.label] } + contact.categories + [contact.note]
      + contact.other.map(\.value)
  }
}

/// The text of a contact while its fields are read. Reading costs up to a microsecond a byte, so only so
/// much is read as may be found.
private struct ContactTextGathering {
  private var text = " "
  private var bytesLeft = 2 * ContactSearch.textBytesMaximum

  init() {
    text.reserveCapacity(400)
  }

  /// NB: where it ends may be within a word, which may be all there is.
  var bounded: String {
    let maximum = ContactSearch.textBytesMaximum
    return text.utf8.count <= maximum ? text : text.beginning(bytes: maximum - 1) + " "
  }

  mutating func append(_ field: String) {
    let field = beginning(of: field)
    if !field.isEmpty { Words.shared.append(field, to: &text) }
  }

  mutating func append(_ address: PostalAddress) {
    let fields = [
      address.street1, address.street2, address.poBox, address.city, address.state,
      address.zipcode, address.country, address.label,
    ]
    for field in fields { append(field) }
  }

  mutating func append(phone entry: LabeledValue) {
    let written = beginning(of: entry.value)
    if !written.isEmpty {
      Words.shared.append(written, to: &text)
      append(PhoneDigits(written))
    }
    append(entry.label)
  }

  private mutating func append(_ digits: PhoneDigits) {
    guard !digits.full.isEmpty else { return }
    text += "\(digits.full) "
    if digits.national != digits.full { text += "\(digits.national) " }
    text += ContactSearch.backwards + String(digits.full.reversed()) + " "
  }

  /// What of a field is read; empty where the text has room for nothing more.
  private mutating func beginning(of field: String) -> String {
    guard text.utf8.count < ContactSearch.textBytesMaximum else { return "" }
    let beginning = field.beginning(bytes: bytesLeft)
    bytesLeft -= beginning.utf8.count
    return beginning
  }
}

extension String {
  /// As many whole scalars as so many bytes hold.
  fileprivate func beginning(bytes: Int) -> String {
    guard utf8.count > bytes else { return self }
    var end = utf8.index(startIndex, offsetBy: bytes)
    while UTF8.isContinuation(utf8[end]) { end = utf8.index(before: end) }
    return String(self[..<end])
  }
}

/// What a person looks for: terms, all of which must be found.
package struct ContactQueryTerms: Hashable, Sendable {
  /// One thing that is looked for, in any of these ways.
  package struct Term: Hashable, Sendable {
    /// Words that follow each other; the last may be the beginning of one.
    package fileprivate(set) var phrases: [[String]]
    /// Words that are found whole only.
    package fileprivate(set) var wholeWords: [String] = []

    /// Whether a contact's text has it.
    func matches(_ text: String) -> Bool {
      phrases.contains { text.contains(" " + $0.joined(separator: " ")) }
        || wholeWords.contains { text.contains(" \($0) ") }
    }
  }

  /// The most terms a query has.
  package static let termsMaximum = 16
  /// The longest query.
  package static let textBytesMaximum = 1024

  /// The terms; empty when nothing in the query can be looked for.
  package let terms: [Term]

  /// Reads what was typed. A whole query that can be a phone number is looked for as one.
  /// - Throws: `limitExceeded` beyond 16 terms or 1,024 bytes.
  package init(_ query: String) throws(RecordsError) {
    guard query.utf8.count <= Self.textBytesMaximum else {
      throw RecordsError(
        .limitExceeded,
        "The search has \(query.utf8.count) bytes; the limit is \(Self.textBytesMaximum).")
    }
    if PhoneDigits.areAll(query) {
      terms = [Self.term(phone: query)]
      return
    }
    let typed = query.split(whereSeparator: \.isWhitespace).map { String($0) }
    terms = typed.compactMap(Self.term)
    guard terms.count <= Self.termsMaximum else {
      throw RecordsError(
        .limitExceeded, "The search has \(terms.count) words; the limit is \(Self.termsMaximum).")
    }
  }

  /// Whether a contact's text, as `ContactSearch.text` made it, answers the query.
  package func matches(_ text: String) -> Bool {
    terms.allSatisfy { $0.matches(text) }
  }

  private static func term(_ word: String) -> Term? {
    if PhoneDigits.areAll(word) { return term(phone: word) }
    let folded = Words.shared.folded(word)
    guard !folded.isEmpty else { return nil }
    var term = Term(phrases: [folded])
    // “Łukasz” also finds Lukasz; “李” does not find Lisa.
    if folded.contains(where: { !$0.utf8.allSatisfy { $0 < 0x80 } }),
      folded.allSatisfy(Words.isLatin)
    {
      term.phrases.append(folded.flatMap(Words.shared.latin))
    }
    return term
  }

  /// A number is found by its beginning with or without country and zeros, by its end, and where
  /// the contact's is written without a country that the query has.
  private static func term(phone: String) -> Term {
    let digits = PhoneDigits(phone)
    var term = Term(phrases: [Words.shared.folded(phone)])
    guard !digits.full.isEmpty else { return term }
    let backwards = String(digits.full.reversed())
    // Zeros before the end of a number belong to it; before a whole one they say “long distance”.
    let typed = PhoneDigits.digits(of: phone)
    let end = typed.count < subscriberDigitsMinimum ? String(typed.reversed()) : backwards
    term.phrases += [[digits.full], [ContactSearch.backwards + end]]
    if digits.national != digits.full { term.phrases.append([digits.national]) }
    if digits.full.count > subscriberDigitsMinimum {
      term.wholeWords = (subscriberDigitsMinimum..<digits.full.count).map {
        ContactSearch.backwards + String(backwards.prefix($0))
      }
    }
    return term
  }

  /// A shorter number may be anybody's in another town.
  private static let subscriberDigitsMinimum = 7
}
