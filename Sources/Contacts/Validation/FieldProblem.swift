// What a person is told of a field: where, what stood there, and what is asked of it. The value
// comes along so that a form or a text can find the place of an entry that has no id yet.

import Records

/// What is wrong with one field.
package struct FieldProblem: Hashable, Sendable {
  /// The field: `firstName`; `phones/ENTRY` for one entry, `addresses/ENTRY/city` for a part of
  /// one; `contact` for the whole.
  package let field: String
  /// What stands in the field, as far as it is fit to be shown.
  package let value: String
  /// One sentence for people.
  package let message: String

  /// Says `message` of `field`, which holds `value`.
  package init(field: String, value: String = "", message: String) {
    self.field = field
    self.value = value
    self.message = message
  }

  private static let scalarsMaximum = 200

  /// The beginning of a text, fit for a message: no control characters, at most 40 characters.
  package static func shown(_ text: String) -> String {
    // A character may have any number of scalars.
    let safe = text.unicodeScalars.lazy.filter { $0.properties.generalCategory != .control }
      .prefix(scalarsMaximum + 1)
    let clean = String(String.UnicodeScalarView(safe))
    guard clean.count > 40 || safe.count > scalarsMaximum else { return clean }
    return String(String.UnicodeScalarView(clean.prefix(39).unicodeScalars.prefix(scalarsMaximum)))
      + "…"
  }
}

/// A save that was refused, with every problem there is.
package struct ContactRefusal: Error, Hashable, Sendable {
  /// What is wrong, in the order of the fields; never empty.
  package let problems: [FieldProblem]

  /// The refusal as an error of the closed list: all sentences, one a line.
  package var summary: RecordsError {
    RecordsError(
      .constraintViolation, problems.map(\.message).joined(separator: "\n"),
      hint: "Nothing was saved; correct the fields and save again.", field: problems.first?.field)
  }
}
