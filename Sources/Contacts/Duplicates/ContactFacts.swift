// The facts that tell whether two cards describe one person, in a comparable form: names as sets of words,
// numbers without punctuation, other texts folded. Two facts are equal if a person would call them so,
// whatever programs they were typed in.

import Records

/// The comparable facts of a contact.
package struct ContactFacts: Hashable, Sendable {
  /// A fact that two contacts can share. The raw value is its name in JSON.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case uid, email, phone, name, birthday, address, url, instantMessage, nickname, company
  }

  /// The words of the person's name, folded; empty for a company or a bare number.
  let nameWords: Set<String>
  /// `jr`, `sr`, `ii` and so on, which distinguishes father and son.
  let generation: String
  /// The other facts, as compared, with the original text.
  let values: [Kind: [String: String]]
  /// Whether the birthday includes the year.
  let hasWholeBirthday: Bool

  /// The facts of `contact`.
  package init(_ contact: Contact) {
    let parts = [contact.firstName, contact.middleName, contact.lastName]
    var words = Set(parts.flatMap(Self.words))
    if words.isEmpty, contact.displayName.foldedFact() != contact.company.foldedFact() {
      words = Set(Self.words(contact.displayName))
    }
    nameWords = words
    generation = Self.generation(contact.nameSuffix)
    var values: [Kind: [String: String]] = [:]
    func add(_ kind: Kind, _ key: String, _ typed: String) {
      guard !key.isEmpty else { return }
      values[kind, default: [:]][key] = typed
    }
    add(.uid, contact.uid, contact.uid)
    for email in contact.emails { add(.email, Self.text(email.value), email.value) }
    for phone in contact.phones { add(.phone, Self.number(phone.value), phone.value) }
    for url in contact.urls { add(.url, Self.text(url.value), url.value) }
    for address in contact.instantMessages {
      add(.instantMessage, Self.text(address.value), address.value)
    }
    for address in contact.addresses { add(.address, Self.place(address), address.street1) }
    add(.nickname, Self.text(contact.nickname), contact.nickname)
    add(.company, Self.text(contact.company), contact.company)
    let birthday = PartialDate(contact.birthday)
    hasWholeBirthday = birthday?.year != nil && birthday?.day != nil
    if birthday?.day != nil { add(.birthday, contact.birthday, contact.birthday) }
    self.values = values
  }

  /// The words of the person's name in alphabetical order.
  var nameKey: String { nameWords.sorted().joined(separator: " ") }

  /// The person's name with each number and each e-mail address; empty without a name. Two contacts with one of these in common
  /// are the same person.
  package var personKeys: [String] {
    guard !nameWords.isEmpty else { return [] }
    // Beside the same name, the digits without area and country are enough.
    let phones = (values[.phone] ?? [:]).keys.map { String($0.suffix(7)) }
    return (phones + (values[.email] ?? [:]).keys).map { "\(nameKey)\n\(generation)\n\($0)" }
  }

  // MARK: Comparable forms

  private static func words(_ text: String) -> [String] {
    text.foldedFact().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  private static func text(_ typed: String) -> String {
    var folded = typed.trimmingBlanks().foldedFact()
    if folded.hasSuffix("/") { folded.removeLast() }
    return folded
  }

  /// Returns the digits of a phone number without its extension. Of a long number it returns the last nine;
  /// the digits before them are dialing prefixes. A number with too few digits identifies no person.
  static func number(_ typed: String) -> String {
    var digits = ""
    for character in typed {
      if let digit = character.wholeNumberValue {
        digits += String(digit)
      } else if character.isLetter, digits.count >= 7 {
        break
      }
    }
    return digits.count < 7 ? "" : String(digits.suffix(9))
  }

  private static func place(_ address: PostalAddress) -> String {
    let street = words(address.street1).joined(separator: " ")
    let town = words(address.zipcode.isEmpty ? address.city : address.zipcode).joined()
    return street.isEmpty || town.isEmpty ? "" : "\(street)|\(town)"
  }

  private static func generation(_ suffix: String) -> String {
    let known: Set = ["jr", "sr", "junior", "senior", "i", "ii", "iii", "iv", "v"]
    return words(suffix).first { known.contains($0) } ?? ""
  }
}
