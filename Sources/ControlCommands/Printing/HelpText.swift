// The parser wraps its help, except for the usage line with all flags, which is much wider than a terminal.

/// Help that fits the terminal.
enum HelpText {
  private static let lead = "USAGE: "

  /// Returns `text` with its usage in lines of at most `limit` columns.
  static func fit(_ text: String, limit: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard line.hasPrefix(lead), line.count > limit else { return String(line) }
      return wrapped(line.dropFirst(lead.count), limit: limit - lead.count)
    }.joined(separator: "\n")
  }

  /// Breaks lines between flags only, so that each stays with its value.
  private static func wrapped(_ usage: Substring, limit: Int) -> String {
    var lines = [""]
    var depth = 0
    var word = ""
    func place(_ word: String) {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = word
      } else if last.count + 1 + word.count <= limit {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(word)
      }
    }
    for character in usage {
      if character == "[" || character == "<" { depth += 1 }
      if character == "]" || character == ">" { depth -= 1 }
      if character == " ", depth == 0 {
        place(word)
        word = ""
      } else {
        word.append(character)
      }
    }
    place(word)
    return lead + lines.joined(separator: "\n" + String(repeating: " ", count: lead.count))
  }
}
