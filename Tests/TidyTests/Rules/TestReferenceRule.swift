/// The references to tests on the page of faults: `` `NameTests`: “words of a test's name” ``.
enum TestReferenceRule {
  /// The page with the table.
  static let page = "docs/bugs.md"

  /// A reference in the table's second column.
  struct Reference: Hashable {
    /// The name of a file, a suite or a target; nil if the words stand alone.
    var suite: String?
    /// The quoted words of a test's name; nil if the reference is to the whole suite.
    var words: String?
    /// The reference's line, from 1.
    let line: Int
  }

  /// Finds references to suites and to tests that do not exist.
  static func broken(on text: String, files: [SourceFile]) -> [Finding] {
    let tests = Tests(files)
    return references(on: text).compactMap { reference in
      let names = reference.suite.map { tests.names[$0] } ?? tests.all
      guard let names else {
        let sentence = "No suite is named \(reference.suite ?? "")."
        return Finding(path: page, line: reference.line, sentence: sentence)
      }
      guard let words = reference.words, !names.contains(where: { $0.contains(words) }) else {
        return nil
      }
      let sentence = "No such test's name contains “\(words)”."
      return Finding(path: page, line: reference.line, sentence: sentence)
    }
  }

  /// Returns the references in the rows of the table.
  static func references(on text: String) -> [Reference] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.flatMap { index -> [Reference] in
      let cells = lines[index].split(separator: "|")
      guard lines[index].hasPrefix("| "), cells.count >= 3 else { return [] }
      return references(in: cells[cells.count - 2], line: index + 1)
    }
  }

  /// A name applies to all quoted words that follow it, up to the next name or a semicolon.
  private static func references(in cell: Substring, line: Int) -> [Reference] {
    var references: [Reference] = []
    var suite: String?
    for part in cell.matches(of: /`([A-Z]\w+(?:Tests|Contract|Properties))`|“([^”]*)”|;/) {
      if let name = part.output.1 {
        suite = String(name)
        references.append(Reference(suite: suite, words: nil, line: line))
      } else if let words = part.output.2 {
        references.append(Reference(suite: suite, words: String(words), line: line))
      } else {
        suite = nil
      }
    }
    return references
  }

  /// The names of the tests, by file, suite and target.
  private struct Tests {
    var names: [String: [String]] = [:]
    var all: [String] { names.values.flatMap(\.self) }

    init(_ files: [SourceFile]) {
      for file in files {
        let tests = file.lines.filter { $0.contains("func `") }
        let suites = file.code.compactMap(Self.suite)
        for name in Set(suites + [file.name, file.target]) { names[name, default: []] += tests }
      }
    }

    private static func suite(_ line: String) -> String? {
      guard let keyword = ["struct ", "class "].first(where: line.contains) else { return nil }
      let name = line.split(separator: keyword, maxSplits: 1).last ?? ""
      return String(name.drop { $0 == " " }.prefix { $0.isLetter || $0.isNumber })
    }
  }
}
