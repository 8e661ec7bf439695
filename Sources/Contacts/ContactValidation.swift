// What a typed contact must satisfy. Rules live here only; no command, route or page has one. All
// fields are looked at on every save, so that a person learns everything at once.

import Records

/// What is wrong with one field.
package struct FieldProblem: Hashable, Sendable {
  /// The field: `firstName`, or `phones/ENTRY` for one entry; `contact` for the whole.
  package let field: String
  /// One sentence for people.
  package let message: String

  /// Says `message` of `field`.
  package init(field: String, message: String) {
    self.field = field
    self.message = message
  }
}

/// A set of rules for what is typed.
package enum ValidationProfile: String, Hashable, Sendable, CaseIterable {
  /// Accepts what real address books hold and refuses only what cannot be right.
  case standard

  /// What is wrong with `contact`, at most one problem a field, in the order of the fields; empty
  /// when it may be saved.
  package func problems(in contact: Contact) -> [FieldProblem] {
    switch self {
    case .standard: StandardRules.problems(in: contact)
    }
  }

  /// Lets `contact` pass or refuses it with the first problem's field and all problems' sentences,
  /// one a line.
  /// - Parameter before: the contact as it was; what was wrong then is let pass, because a card
  ///   that came from elsewhere with one bad field must still be editable in its others.
  /// - Throws: `constraintViolation`.
  package func check(_ contact: Contact, changedFrom before: Contact? = nil) throws(RecordsError) {
    let known = before.map { Set(self.problems(in: $0)) } ?? []
    let problems = problems(in: contact).filter { !known.contains($0) }
    guard let first = problems.first else { return }
    throw RecordsError(
      .constraintViolation, problems.map(\.message).joined(separator: "\n"),
      hint: "Nothing was saved; correct the fields and save again.", field: first.field)
  }
}

private enum StandardRules {
  static func problems(in contact: Contact) -> [FieldProblem] {
    var problems: [FieldProblem] = []
    let names = [
      ("firstName", "first name", contact.firstName), ("lastName", "last name", contact.lastName),
      ("company", "company", contact.company),
    ]
    if names.allSatisfy({ $0.2.trimmingBlanks().isEmpty }) {
      let message = "A contact needs a first name, a last name or a company."
      problems.append(FieldProblem(field: "contact", message: message))
    }
    for (field, noun, text) in names where hasControlCharacter(text) {
      let message = "The \(noun) holds a control character."
      problems.append(FieldProblem(field: field, message: message))
    }
    problems += contact.phones.compactMap { problem(inPhone: $0) }
    problems += contact.emails.compactMap { problem(inEmail: $0) }
    return problems
  }

  private static func problem(inPhone entry: LabeledValue) -> FieldProblem? {
    let hasDigit = entry.value.contains { $0.wholeNumberValue != nil }
    let own = hasDigit ? nil : "The phone “\(shown(entry.value))” has no digit."
    return problem(in: entry, of: "phones", noun: "phone", own: own)
  }

  private static func problem(inEmail entry: LabeledValue) -> FieldProblem? {
    let own =
      entry.value.contains("@") ? nil : "The e-mail “\(shown(entry.value))” has no “@”."
    return problem(in: entry, of: "emails", noun: "e-mail", own: own)
  }

  private static func problem(
    in entry: LabeledValue, of list: String, noun: String, own: String?
  ) -> FieldProblem? {
    let message: String? =
      if hasControlCharacter(entry.value) || hasControlCharacter(entry.label) {
        "The \(noun) “\(shown(entry.value))” or its label holds a control character."
      } else if entry.label.utf8.count > Limits.nameBytes {
        "The label of the \(noun) “\(shown(entry.value))” has \(entry.label.utf8.count) bytes; "
          + "at most \(Limits.nameBytes)."
      } else {
        own
      }
    return message.map { FieldProblem(field: "\(list)/\(entry.id)", message: $0) }
  }

  private static func hasControlCharacter(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// The beginning of a value, fit for a message.
  private static func shown(_ text: String) -> String {
    let safe = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
    return String(String(String.UnicodeScalarView(safe)).prefix(40))
  }
}
