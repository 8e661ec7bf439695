// The default rules. Real address books hold international numbers, names of one character and any
// script, so only what cannot be right is refused: an e-mail without “@”, a phone without a digit,
// control characters, a label longer than a name may be.

import Records

/// The rules of `ValidationProfile.standard`, and the floor on which stricter ones stand.
enum StandardRules {
  static func problems(in contact: Contact) -> [FieldProblem] {
    var problems: [FieldProblem] = []
    let names = [contact.firstName, contact.lastName, contact.company]
    if names.allSatisfy({ $0.trimmingBlanks().isEmpty }) {
      let message = "A contact needs a first name, a last name or a company."
      problems.append(FieldProblem(field: "contact", message: message))
    }
    problems += ContactField.all(of: contact).compactMap(problem)
    return problems
  }

  /// What cannot be right in one field.
  static func problem(in field: ContactField) -> FieldProblem? {
    let sentence: String? =
      if hasControlCharacter(field.value, besides: field.kind.isText) {
        "The \(field.noun) \(field.shown) holds a control character."
      } else if hasControlCharacter(field.label ?? "", besides: false) {
        "The label of the \(field.noun) \(field.shown) holds a control character."
      } else if let label = field.label, label.utf8.count > Limits.nameBytes {
        "The label of the \(field.noun) \(field.shown) has \(label.utf8.count) bytes; "
          + "at most \(Limits.nameBytes)."
      } else {
        sentence(onKindOf: field)
      }
    return sentence.map(field.problem)
  }

  private static func sentence(onKindOf field: ContactField) -> String? {
    // Empty is not given.
    guard !field.value.isEmpty else { return nil }
    return switch field.kind {
    case .phone where !field.value.contains { $0.wholeNumberValue != nil }:
      "The phone \(field.shown) has no digit."
    case .email where !field.value.contains("@"):
      "The e-mail \(field.shown) has no “@”."
    case .phone, .email, .firstName, .lastName, .company, .street1, .street2, .city, .state,
      .zipcode, .country, .line, .text:
      nil
    }
  }

  /// Line ends and tabs are what a text of several lines is made of.
  private static func hasControlCharacter(_ text: String, besides allowsLines: Bool) -> Bool {
    text.unicodeScalars.contains { scalar in
      guard scalar.properties.generalCategory == .control else { return false }
      return !(allowsLines && (scalar == "\n" || scalar == "\r" || scalar == "\t"))
    }
  }
}
