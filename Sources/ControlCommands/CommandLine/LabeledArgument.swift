// `home=+1 555 0100` on the command line. A label ends at the first separator only if the rest is plausible
// as a value, so that an e-mail address with `=` in it needs no quoting.

import Records

/// The kind of value of an argument.
enum LabeledKind: Sendable {
  case phone, email

  /// Whether `text` is plausible as such a value.
  func makesSense(_ text: Substring) -> Bool {
    switch self {
    case .phone: text.contains { $0.isWholeNumber }
    case .email: text.contains("@")
    }
  }
}

/// A value with or without a label.
struct LabeledArgument: Equatable, Sendable {
  /// The label; `nil` if none was given.
  let label: String?
  /// The value.
  let value: String

  /// Parses `[LABEL=]VALUE`, or with another separator.
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

/// `ENTRY=…`: an entry by the beginning of its id, and its new value.
struct EntryArgument: Sendable {
  /// The text before the first `=`.
  let entry: String
  /// The text after it.
  let rest: String

  /// Parses `ENTRY=REST`.
  init(_ text: String, flag: String) throws(ControlFailure) {
    guard let end = text.firstIndex(of: "="), end != text.startIndex else {
      throw .usage("\(flag) needs the form ENTRY=VALUE, not “\(PlainText.clean(text))”.")
    }
    entry = String(text[..<end]).lowercased()
    rest = String(text[text.index(after: end)...])
  }
}
