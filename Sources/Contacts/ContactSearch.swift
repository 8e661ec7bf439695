// The text of a contact that searches read, and the meaning of a query (C10). A contact's text is its folded
// words, each between blanks, so that “ word” matches the beginning of a word; a full-text index over the
// text gives the same results faster. The text contains a phone number as digits, and once more as reversed
// digits after a private-use character, so that a prefix search finds the end of a number.

import ByteCounts
import Collation
import Records

/// The text of a contact as searches read it.
package enum ContactSearch {
  /// The version of the format. Texts of another version must be rebuilt.
  package static var version: String { "\(Words.version) contact 2" }

  /// The maximum size of a text. Of a larger contact the first fields are found: names before notes.
  static let textBytesMaximum = 32 << 10
  /// The prefix of the reversed digits of a phone number, a private-use character.
  static let backwards = "\u{E000}"

  /// Returns the words of all fields. A blank precedes the first word and follows each word.
  package static func text(of contact: Contact) -> String {
    var builder = ContactTextBuilder()
    for field in names(of: contact) { builder.append(field) }
    for entry in contact.phones { builder.append(phone: entry) }
    for entry in contact.emails + contact.urls + contact.instantMessages + contact.related {
      builder.append(entry.value)
      builder.append(entry.label)
    }
    for address in contact.addresses { builder.append(address) }
    for field in rest(of: contact) { builder.append(field) }
    return builder.bounded
  }

  private static func names(of contact: Contact) -> [String] {
    let parts = NameParts { contact[$0] }
    return [
      contact.firstName, contact.lastName, contact.middleName, contact.namePrefix,
      contact.nameSuffix, contact.phoneticFirstName, contact.phoneticLastName,
      contact.phoneticMiddleName, contact.displayName, contact.nickname, contact.company,
      // A word of its own: it does not begin with the given name.
      parts.isJoined ? parts.composed : "",
    ]
  }

  private static func rest(of contact: Contact) -> [String] {
    contact.departments
      + [contact.title, contact.role, contact.birthday, contact.anniversary]
      + contact.dates.flatMap { [$0.value, $0.label] } + contact.categories + [contact.note]
      + contact.other.map(\.value)
  }
}

/// Builds the text of a contact from its fields. Folding costs up to a microsecond a byte, so no more is
/// folded than the text can contain.
private struct ContactTextBuilder {
  private var text = " "
  private var bytesLeft = 2 * ContactSearch.textBytesMaximum

  init() {
    text.reserveCapacity(400)
  }

  /// NB: The cut may be within a word, because the text may be one long word.
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
    text += ContactSearch.backwards
    // All of them are ASCII.
    text += String(decoding: Array(digits.full.utf8.reversed()), as: UTF8.self)
    text += " "
  }

  /// Returns the part of a field that is still within the limits; empty if the text is full.
  private mutating func beginning(of field: String) -> String {
    guard text.utf8.count < ContactSearch.textBytesMaximum else { return "" }
    let beginning = field.beginning(bytes: bytesLeft)
    bytesLeft -= beginning.utf8.count
    return beginning
  }
}

extension String {
  /// Returns the longest prefix of whole scalars that has at most `bytes` bytes.
  fileprivate func beginning(bytes: Int) -> String {
    guard utf8.count > bytes else { return self }
    var end = utf8.index(startIndex, offsetBy: bytes)
    while UTF8.isContinuation(utf8[end]) { end = utf8.index(before: end) }
    return String(self[..<end])
  }
}

/// A query as terms. A contact matches if it contains every term.
package struct ContactQueryTerms: Hashable, Sendable {
  /// A part of a query. A contact contains it if any phrase or whole word matches.
  package struct Term: Hashable, Sendable {
    /// Sequences of consecutive words; the last word may be a prefix.
    package fileprivate(set) var phrases: [[String]]
    /// Words that must match completely.
    package fileprivate(set) var wholeWords: [String] = []

    /// Whether a contact's text contains the term.
    func matches(_ text: String) -> Bool {
      phrases.contains { text.contains(" " + $0.joined(separator: " ")) }
        || wholeWords.contains { text.contains(" \($0) ") }
    }
  }

  /// The maximum number of terms in a query.
  package static let termsMaximum = 16
  /// The maximum size of a query.
  package static let textBytesMaximum = 1024

  /// The terms; empty if the query has no searchable word.
  package let terms: [Term]

  /// Parses a query. A query that can be a phone number as a whole is one term.
  /// - Throws: `limitExceeded` beyond 16 terms or 1,024 bytes.
  package init(_ query: String) throws(RecordsError) {
    guard query.utf8.count <= Self.textBytesMaximum else {
      throw RecordsError(
        .limitExceeded,
        "The search has \(ByteCount(query.utf8.count)); "
          + "the limit is \(ByteCount(Self.textBytesMaximum).limit).")
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

  /// Whether a contact's text, from `ContactSearch.text`, matches the query.
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

  /// Returns the term for a phone number. It matches a number by its beginning, with or without the country
  /// code and zeros; by its end; and a number without a country code if only the query has one.
  private static func term(phone: String) -> Term {
    let digits = PhoneDigits(phone)
    var term = Term(phrases: [Words.shared.folded(phone)])
    guard !digits.full.isEmpty else { return term }
    let backwards = String(digits.full.reversed())
    // Zeros at the start of a number's end are part of it; those at the start of a whole number are a trunk
    // prefix.
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

  /// The minimum number of digits that identify a subscriber; shorter numbers occur in many towns.
  private static let subscriberDigitsMinimum = 7
}
