/// The words and phrases of `plain-words.txt`, each of which has a plainer one in docs/glossary.md. The rule
/// finds them in code, comments, literals and pages, and in the parts of a camel-case name.
struct PlainWordRule {
  /// The file with the words, from the package's root, with one word or phrase in each line.
  static let path = "Tests/TidyTests/plain-words.txt"

  /// The phrases by their first word.
  private var phrases: [String: [[String]]] = [:]

  /// Reads a phrase from each line.
  init(_ text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      if let first = words.first { phrases[first, default: []].append(words) }
    }
  }

  /// Finds all phrases in a text.
  func findings(in text: String, at path: String) -> [Finding] {
    let words = Self.words(of: text)
    return words.indices.flatMap { start in
      (phrases[words[start].text] ?? []).compactMap { phrase in
        guard words[start...].prefix(phrase.count).map(\.text) == phrase,
          words[start...].dropFirst().prefix(phrase.count - 1).allSatisfy(\.followsBlank)
        else { return nil }
        return Finding(
          path: path, line: words[start].line,
          sentence: "“\(phrase.joined(separator: " "))” has a plainer word in docs/glossary.md.")
      }
    }
  }

  /// A word in lower case.
  private struct Word {
    var text: String
    let line: Int
    /// Whether only blanks, line ends and comment signs precede it.
    let followsBlank: Bool
  }

  private static func words(of text: String) -> [Word] {
    var words: [Word] = []
    var letters: [UInt8] = []
    var (line, start, isBlank, followsBlank) = (1, 1, true, true)
    func end() {
      guard !letters.isEmpty else { return }
      words.append(
        Word(
          text: String(decoding: letters, as: UTF8.self), line: start, followsBlank: followsBlank))
      letters = []
      isBlank = true
    }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
        // A capital letter begins a word within a name.
        if byte < UInt8(ascii: "a") { end() }
        if letters.isEmpty { (start, followsBlank) = (line, isBlank) }
        letters.append(byte | 0x20)
      default:
        end()
        isBlank = isBlank && blanks.contains(byte)
        if byte == UInt8(ascii: "\n") { line += 1 }
      }
    }
    end()
    return words
  }

  private static let blanks: Set<UInt8> = Set(" \n/".utf8)
}
