/// The lines of a function, initializer, subscript or computed property with a body. Braces are counted in
/// code without comments and literals.
struct FunctionSpan {
  /// Its name: `merge`, `init`.
  let name: String
  /// The line it begins on, from 0.
  let start: Int
  /// The number of lines from the signature to the closing brace.
  let lineCount: Int

  /// Returns the bodies in a file in order, nested ones included.
  static func all(in file: SourceFile) -> [FunctionSpan] {
    file.code.indices.compactMap { index in
      guard let name = declaredName(file.code[index]),
        let end = end(ofBodyFrom: index, in: file.code)
      else { return nil }
      return FunctionSpan(name: name, start: index, lineCount: end - index + 1)
    }
  }

  /// Returns the name of the function that a line declares.
  private static func declaredName(_ line: String) -> String? {
    let words = line.split { $0 == " " || $0 == "(" || $0 == "<" || $0 == ":" || $0 == "?" }
    for (position, word) in words.enumerated() {
      switch word {
      case "init", "deinit", "subscript": return String(word)
      case "func", "var": return position + 1 < words.count ? String(words[position + 1]) : "?"
      case _ where modifiers.contains(String(word)) || word.hasPrefix("@"): continue
      default: return nil
      }
    }
    return nil
  }

  private static let modifiers: Set = [
    "package", "public", "private", "fileprivate", "internal", "static", "class", "final",
    "mutating", "nonmutating", "consuming", "borrowing", "override", "convenience", "required",
    "nonisolated", "isolated", "lazy", "prefix", "postfix",
  ]

  /// Returns the line of the brace that closes the body, or `nil` if there is none. A declaration without a
  /// body ends with a line after which no parenthesis or brace is open.
  private static func end(ofBodyFrom start: Int, in code: [String]) -> Int? {
    var parentheses = 0
    var braces = 0
    for index in start..<code.count {
      for character in code[index] {
        switch character {
        case "(", "[": parentheses += 1
        case ")", "]": parentheses -= 1
        case "{": braces += 1
        case "}": braces -= 1
        default: continue
        }
        if braces < 0 { return nil }
        if character == "}", braces == 0, parentheses == 0, !continues(code, after: index) {
          return index
        }
      }
      if braces == 0, parentheses == 0, !continues(code, after: index) { return nil }
    }
    return nil
  }

  /// Whether the declaration continues after a line with nothing open: `throws`, `->`, `where`, `{`.
  private static func continues(_ code: [String], after index: Int) -> Bool {
    guard index + 1 < code.count else { return false }
    let next = code[index + 1].drop { $0 == " " }
    return ["{", "->", "throws", "async", "where ", "rethrows"].contains { next.hasPrefix($0) }
  }
}
