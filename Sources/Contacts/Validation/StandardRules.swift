// The default rules. Real address books contain international numbers, names of one character and any script,
// so only values that cannot be right are rejected: an e-mail address without “@” or with a blank, a web address of
// words, a phone number without a digit, a date that does not exist, control characters, a name or label that is too long.

import ByteCounts
import Records

/// The rules of `ValidationProfile.standard`, which stricter profiles include.
enum StandardRules {
  static func problems(in contact: Contact) -> [FieldProblem] {
    let fields = ContactField.all(of: contact)
    let isNamed = fields.contains { [.firstName, .lastName, .company].contains($0.kind) }
    let problems = fields.compactMap(problem)
    guard !isNamed else { return problems }
    let message = "A contact needs a first name, a last name or a company."
    return [FieldProblem(field: "contact", message: message)] + problems
  }

  /// Returns the problem of one field.
  static func problem(in field: ContactField) -> FieldProblem? {
    var said: String { "The \(field.noun) \(field.shown)" }
    if hasControlCharacter(field.value, allowsLines: field.kind.allowsLines) {
      return field.problem("\(said) contains a control character.")
    }
    let sentence: String? =
      switch field.kind {
      case .phone where !field.value.contains { $0.wholeNumberValue != nil }:
        "\(said) has no digit."
      case .email where !field.value.contains("@"): "\(said) has no “@”."
      case .email where field.value.contains(where: \.isWhitespace): "\(said) has a blank in it."
      case .url where !isAddress(field.value):
        "\(said) is not a web address: write https://example.com."
      case .date where (PartialDate(field.value)?.year ?? 0) > yearMaximum:
        "\(said) is after the year \(yearMaximum)."
      case .firstName where isTooLong(field), .lastName where isTooLong(field),
        .company where isTooLong(field), .name where isTooLong(field):
        "The \(field.noun) has \(field.value.count) characters; "
          + "the limit is \(nameCharactersMaximum)."
      case .date where PartialDate(field.value) == nil:
        "\(said) is not a valid date: write 1984-06-05, or --06-05 without a year."
      case .label where field.value.utf8.count > Limits.nameBytes:
        "\(said) has \(ByteCount(field.value.utf8.count)); "
          + "the limit is \(ByteCount(Limits.nameBytes).limit)."
      case .phone, .email, .url, .date, .label, .firstName, .lastName, .company, .street1, .street2,
        .city, .state, .zipcode, .name, .addressPart, .line, .text:
        nil
      }
    return sentence.map(field.problem)
  }

  /// A later year is a slip.
  private static let yearMaximum = 2199
  private static let nameCharactersMaximum = 1000

  private static func isTooLong(_ field: ContactField) -> Bool {
    field.value.count > nameCharactersMaximum
  }

  private static func isAddress(_ text: String) -> Bool {
    !text.contains(where: \.isWhitespace) && text.contains { ".:/".contains($0) }
  }

  /// Line breaks and tabs are allowed in a text of several lines.
  private static func hasControlCharacter(_ text: String, allowsLines: Bool) -> Bool {
    text.unicodeScalars.contains { scalar in
      // These are all scalars of general category Cc; Unicode will add no others.
      guard scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) else { return false }
      return !(allowsLines && (scalar == "\n" || scalar == "\r" || scalar == "\t"))
    }
  }
}
