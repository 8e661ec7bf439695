// Spreadsheets treat a field that begins with `=`, `+`, `-` or `@` as a formula, and a formula of another
// person can read the table and send it away. An apostrophe before the field makes it a text (OWASP, CSV
// injection). The reader removes the apostrophe, so a table of ours is read back unchanged.

/// Fields that a spreadsheet could treat as formulas.
enum CSVFormula {
  private static let mark: Unicode.Scalar = "'"
  private static let triggers = Set("=+-@＝＋－＠\t\r\n".unicodeScalars)
  /// The characters of phone numbers; a formula of these only is a sum.
  private static let harmless = Set("+-.() 0123456789".unicodeScalars)

  /// Returns `field` in a form that no spreadsheet treats as a formula. Phone numbers are unchanged: other
  /// programs read them, and they call no function.
  static func defused(_ field: String) -> String {
    guard needsMark(field), !isPhone(field) else { return field }
    return "'" + field
  }

  /// Returns `field` without the control characters C0 and C1, which a program that shows the table could obey. Line
  /// breaks and tabs stay: notes and addresses have them.
  static func withoutControls(_ field: String) -> String {
    let isClean = field.unicodeScalars.allSatisfy { !isControl($0) }
    return isClean
      ? field : String(String.UnicodeScalarView(field.unicodeScalars.filter { !isControl($0) }))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control && !["\n", "\r", "\t"].contains(scalar)
  }

  /// Removes the apostrophe that `defused` added.
  static func restored(_ text: String) -> String {
    guard text.unicodeScalars.first == mark else { return text }
    let rest = String(text.unicodeScalars.dropFirst())
    return needsMark(rest) ? rest : text
  }

  /// Whether the field begins with a trigger. Leading blanks are ignored, because some programs remove them;
  /// leading apostrophes too, because a person's apostrophe must not be mistaken for ours.
  private static func needsMark(_ field: String) -> Bool {
    let scalars = field.unicodeScalars.drop { $0 == mark || $0 == " " }
    return scalars.first.map(triggers.contains) ?? false
  }

  private static func isPhone(_ field: String) -> Bool {
    field.unicodeScalars.allSatisfy(harmless.contains)
  }
}
