// YAML, line by line. Values are quoted whenever a reader could take them for something else than
// the text they are.

import Contacts

/// Appends lines of YAML.
struct TemplateWriter {
  /// What was written.
  private(set) var text = ""

  /// A line that is not read.
  mutating func comment(_ sentence: String, indent: String = "") {
    text += "\(indent)# \(PlainText.clean(sentence))\n"
  }

  /// `name: value`.
  mutating func line(_ name: String, _ value: String) {
    write("\(name):", value, indent: "")
  }

  /// `name:`, with a list below it.
  mutating func heading(_ name: String) { text += "\(name):\n" }

  /// One property of an entry of a list.
  mutating func entryLine(_ name: String, _ value: FormValue?, isFirst: Bool) {
    let lead = isFirst ? "  - " : "    "
    switch value {
    case .number(let number): text += "\(lead)\(name): \(number)\n"
    case .list(let items):
      text +=
        "\(lead)\(name): [\(items.compactMap(\.text).map(Self.quoted).joined(separator: ", "))]\n"
    case .text(let value): write("\(lead)\(name):", value, indent: "    ")
    case .null, .flag, .object, nil:
      if name != "id" { text += "\(lead)\(name):\n" }
    }
  }

  /// `name:` with words below it.
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

  /// `value` as it may stand behind a colon or a dash.
  static func scalar(_ value: String) -> String {
    let isSafe =
      value.unicodeScalars.allSatisfy { isPlain($0) && $0 != "\n" }
      && !value.contains(": ") && !value.contains(" #") && !value.hasSuffix(":")
      && value.first.map { !"!&*-?|>@`\"'%#{}[],: ~".contains($0) } ?? false
      && value.last != " " && !["null", "Null", "NULL"].contains(value)
    return isSafe ? value : quoted(value)
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

  /// Whether a character may stand in a text as it is: it is seen, and does not turn the text.
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
