// What is wrong with a field: where, its value, and the requirement. The value is included so that a form or
// a text can locate an entry that has no id yet.

import Records

/// A problem with one field.
package struct FieldProblem: Hashable, Sendable {
  /// The field: `firstName`; `phones/ENTRY` for one entry, `addresses/ENTRY/city` for a part of
  /// one; `contact` for the whole.
  package let field: String
  /// The value of the field, in a form that is safe to show.
  package let value: String
  /// One sentence for people.
  package let message: String

  /// Creates a problem with `field`, which contains `value`.
  package init(field: String, value: String = "", message: String) {
    self.field = field
    self.value = value
    self.message = message
  }

  private static let scalarsMaximum = 200

  /// Returns the beginning of a text for a message: no control characters, at most 40 characters.
  package static func shown(_ text: String) -> String {
    // A single character may consist of any number of scalars.
    let safe = text.unicodeScalars.lazy.filter { $0.properties.generalCategory != .control }
      .prefix(scalarsMaximum + 1)
    let clean = String(String.UnicodeScalarView(safe))
    guard clean.count > 40 || safe.count > scalarsMaximum else { return clean }
    return String(String.UnicodeScalarView(clean.prefix(39).unicodeScalars.prefix(scalarsMaximum)))
      + "…"
  }
}

/// A rejected save, with every problem found.
package struct ContactRefusal: Error, Hashable, Sendable {
  /// The problems, in the order of the fields; never empty.
  package let problems: [FieldProblem]

  /// The problems as one error, a sentence on each line.
  package var summary: RecordsError {
    RecordsError(
      .constraintViolation, problems.map(\.message).joined(separator: "\n"),
      hint: "Nothing was saved; correct the fields and save again.", field: problems.first?.field)
  }
}
