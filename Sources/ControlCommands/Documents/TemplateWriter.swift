// Writes YAML line by line. Values are quoted whenever YAML could read them as something else than a text.

import AgentAPI
import Contacts

/// Appends lines of YAML.
struct TemplateWriter {
  /// The text so far.
  private(set) var text = ""

  /// Appends a comment.
  mutating func comment(_ sentence: String, indent: String = "") {
    text += "\(indent)# \(Self.commentText(sentence))\n"
  }

  /// Returns `sentence` as one line without invisible characters. YAML does not read all of them, not even in
  /// a comment.
  static func commentText(_ sentence: String) -> String {
    let scalars = PlainText.clean(sentence).unicodeScalars.filter(isPlain)
    return String(String.UnicodeScalarView(scalars))
  }

  /// `name: value`.
  mutating func line(_ name: String, _ value: String) {
    write("\(name):", value, indent: "")
  }

  /// `name:`, with a list below it.
  mutating func heading(_ name: String) { text += "\(name):\n" }

  /// Appends one property of an entry of a list.
  mutating func entryLine(_ name: String, _ value: FormValue?, isFirst: Bool) {
    let lead = isFirst ? "  - " : "    "
    switch value {
    case .number(let number): text += "\(lead)\(name): \(number)\n"
    case .list(let items):
      text +=
        "\(lead)\(name): [\(items.compactMap(\.text).map(Self.quoted).joined(separator: ", "))]\n"
    case .text(let value): write("\(lead)\(name):", value, indent: "    ")
    case .null, .flag, .object, nil:
      if name != ContactItem.Key.id.name { text += "\(lead)\(name):\n" }
    }
  }

  /// Appends `name:` with words below it.
  mutating func words(_ name: String, _ words: [String]) {
    text += "\(name):\n"
    for word in words { text += "  - \(Self.scalar(word))\n" }
  }

  private mutating func write(_ lead: String, _ value: String, indent: String) {
    let lines = value.split(separator: "\n", omittingEmptySubsequences: false)
    let isBlock =
      lines.count > 1 && value.unicodeScalars.allSatisfy(Self.isPlain)
      && !(lines.first?.first?.isWhitespace ?? true) && !value.hasSuffix("\n")
    guard isBlock else {
      text += value.isEmpty ? "\(lead)\n" : "\(lead) \(Self.scalar(value))\n"
      return
    }
    text += "\(lead) |-\n"
    for line in lines { text += line.isEmpty ? "\n" : "\(indent)  \(line)\n" }
  }

  /// Returns `value` in a form that may follow a colon or a dash.
  static func scalar(_ value: String) -> String {
    // YAML reads scalars. In characters, “#” with a keycap or a combining mark is not a “#”.
    let scalars = Array(value.unicodeScalars)
    let isSafe =
      scalars.allSatisfy { isPlain($0) && $0 != "\n" }
      && !zip(scalars, scalars.dropFirst()).contains(where: isSign) && scalars.last != ":"
      && scalars.first.map { !reserved.contains($0) } ?? false
      && scalars.last != " " && !["null", "Null", "NULL"].contains(value)
    return isSafe ? value : quoted(value)
  }

  /// The scalars that have a meaning at the beginning of a value.
  private static let reserved = Array("!&*-?|>@`\"'%#{}[],: ~".unicodeScalars)

  /// Whether two scalars end a name or begin a comment.
  private static func isSign(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
    (first == ":" && second == " ") || (first == " " && second == "#")
  }

  private static func quoted(_ value: String) -> String {
    var result = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _ where !isPlain(scalar):
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Whether a character needs no escape: it is visible and does not change the direction of text.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "\n" { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse:
      return false
    default: return true
    }
  }
}
