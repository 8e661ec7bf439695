import Foundation

/// The references to tests on the page of faults: `` `NameTests`: “words of a test's name” ``.
enum TestReferenceRule {
  /// The page with the table.
  static let page = "docs/bugs.md"

  /// A reference in the table's second column.
  struct Reference: Hashable {
    /// The name of a file or a suite; nil if the words stand alone.
    let suite: String?
    /// The quoted words of a test's name; nil if the reference is to the whole suite.
    let words: String?
    /// The reference's line, from 1.
    let line: Int
  }

  /// Finds references to suites and to tests that do not exist.
  static func broken(on text: String, files: [SourceFile]) -> [Finding] {
    references(on: text).compactMap { reference in
      let found = files.filter { file in reference.suite.map { names($0, in: file) } ?? true }
      if let suite = reference.suite, found.isEmpty {
        return Finding(path: page, line: reference.line, sentence: "No suite is named \(suite).")
      }
      guard let words = reference.words, !found.contains(where: { names($0, testWith: words) })
      else { return nil }
      return Finding(
        path: page, line: reference.line, sentence: "No such test's name contains “\(words)”.")
    }
  }

  /// Returns the references in the rows of the table.
  static func references(on text: String) -> [Reference] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.flatMap { index -> [Reference] in
      let cells = lines[index].split(separator: "|")
      guard lines[index].hasPrefix("| "), cells.count >= 3 else { return [] }
      return cells[cells.count - 2].split(separator: ";").flatMap {
        references(in: $0, line: index + 1)
      }
    }
  }

  private static func references(in piece: Substring, line: Int) -> [Reference] {
    let suites = piece.matches(of: /`([A-Z]\w+(?:Tests|Contract|Properties))`/).map { String($0.1) }
    let words = piece.matches(of: /“([^”]*)”/).map { String($0.1) }
    guard !words.isEmpty else {
      return suites.map { Reference(suite: $0, words: nil, line: line) }
    }
    return words.map { Reference(suite: suites.last, words: $0, line: line) }
  }

  private static func names(_ suite: String, in file: SourceFile) -> Bool {
    file.path.hasSuffix("/\(suite).swift")
      || file.lines.contains { $0.contains("struct \(suite) ") || $0.contains("class \(suite) ") }
  }

  private static func names(_ file: SourceFile, testWith words: String) -> Bool {
    file.lines.contains { $0.contains("func `") && $0.contains(words) }
  }
}
