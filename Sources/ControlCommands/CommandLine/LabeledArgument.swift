// `home=+1 555 0100` on the command line. A label ends at the first separator only if what follows
// still makes sense as a value, so an e-mail with `=` in it needs no quoting tricks.

import Records

/// What kind of value an argument holds.
enum LabeledKind: Sendable {
  case phone, email

  /// Whether `text` could be such a value.
  func makesSense(_ text: Substring) -> Bool {
    switch self {
    case .phone: text.contains { $0.isWholeNumber }
    case .email: text.contains("@")
    }
  }
}

/// A value with or without a label.
struct LabeledArgument: Equatable, Sendable {
  /// The label; `nil` when none was given.
  let label: String?
  /// The value.
  let value: String

  /// Reads `[LABEL=]VALUE`, or with another separator.
  init(_ text: String, kind: LabeledKind, separator: Character = "=") {
    if let end = text.firstIndex(of: separator) {
      let rest = text[text.index(after: end)...]
      if kind.makesSense(rest) {
        label = String(text[..<end])
        value = String(rest)
        return
      }
    }
    label = nil
    value = text
  }
}

/// `ENTRY=…`: an entry by the beginning of its id, and what it is to be.
struct EntryArgument: Sendable {
  /// What was typed before the first `=`.
  let entry: String
  /// What was typed behind it.
  let rest: String

  /// Reads `ENTRY=REST`.
  init(_ text: String, flag: String) throws(ControlFailure) {
    guard let end = text.firstIndex(of: "="), end != text.startIndex else {
      throw .usage("\(flag) needs ENTRY=VALUE; “\(PlainText.clean(text))” has no “=”.")
    }
    entry = String(text[..<end]).lowercased()
    rest = String(text[text.index(after: end)...])
  }
}
