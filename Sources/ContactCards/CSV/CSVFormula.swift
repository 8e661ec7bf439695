// A spreadsheet takes a field that begins with `=`, `+`, `-` or `@` for a formula, and a formula of somebody
// else can read the table and send it away. An apostrophe before the field makes a text of it
// (OWASP, CSV injection). Reading takes the apostrophe off, so a table of ours comes back as it was.

/// Fields that a spreadsheet could take for formulas.
enum CSVFormula {
  private static let mark: Unicode.Scalar = "'"
  private static let triggers = Set("=+-@＝＋－＠\t\r\n".unicodeScalars)
  /// What numbers of phones consist of; a formula of these only is a sum.
  private static let harmless = Set("+-.() 0123456789".unicodeScalars)

  /// `field` in a form that no spreadsheet takes for a formula. A phone number stays as it is: other
  /// programs read it, and it names no function.
  static func defused(_ field: String) -> String {
    guard needsMark(field), !isPhone(field) else { return field }
    return "'" + field
  }

  /// The field that `text` stands for: `text` without the apostrophe that `defused` put before it.
  static func restored(_ text: String) -> String {
    guard text.unicodeScalars.first == mark else { return text }
    let rest = String(text.unicodeScalars.dropFirst())
    return needsMark(rest) ? rest : text
  }

  /// Whether the field begins with a trigger. Blanks before it do not count, for some programs remove
  /// them; apostrophes do not either, because a person's apostrophe must not be taken for ours.
  private static func needsMark(_ field: String) -> Bool {
    let scalars = field.unicodeScalars.drop { $0 == mark || $0 == " " }
    return scalars.first.map(triggers.contains) ?? false
  }

  private static func isPhone(_ field: String) -> Bool {
    field.unicodeScalars.allSatisfy(harmless.contains)
  }
}
