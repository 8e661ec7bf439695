// Every promise of the address book has an id, a test that says the id, and a place in
// docs/address-book.md where it can be tried. The table at the page's end is the list: a row for each
// promise, with links to the sections that show it.

/// The promises of the address book, where they are tested and where they are shown.
enum PromiseRule {
  /// The page that lists them.
  static let page = "docs/address-book.md"
  /// All there are.
  static let ids =
    (1...12).map { "C\($0)" } + (1...4).map { "A\($0)" } + (1...11).map { "V\($0)" }

  /// A row of the table.
  struct Row: Hashable {
    /// The promise.
    let id: String
    /// The headings of the sections that are linked, as links name them; other pages not among them.
    let sections: [String]
    /// Its line, from 1.
    let line: Int
  }

  /// The promises that no suite and no test names.
  static func untested(in files: [SourceFile]) -> [Finding] {
    var named: Set<String> = []
    for file in files {
      for line in file.lines where isName(line) { named.formUnion(words(of: line)) }
    }
    return ids.filter { !named.contains($0) }.map {
      Finding(path: "Tests", line: 1, sentence: "No suite and no test names \($0).")
    }
  }

  /// The promises that the page does not list, and sections that do not show what is said of them.
  static func unshown(on text: String) -> [Finding] {
    let rows = rows(of: text)
    let listed = Set(rows.map(\.id))
    let missing = ids.filter { !listed.contains($0) }.map {
      Finding(path: page, line: 1, sentence: "The table at the end has no row for \($0).")
    }
    let sections = sections(of: text)
    let empty = rows.flatMap { row in
      row.sections.filter { sections[$0]?.contains(row.id) != true }.map {
        Finding(
          path: page, line: row.line, sentence: "The section #\($0) does not name \(row.id).")
      }
    }
    return missing + empty
  }

  /// The rows of the table.
  static func rows(of text: String) -> [Row] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.compactMap { index in
      let cells = lines[index].split(separator: "|").map { $0.split(separator: " ") }
      guard lines[index].hasPrefix("| "), let id = cells.first?.first.map(String.init),
        cells.first?.count == 1, ids.contains(id)
      else { return nil }
      let links = lines[index].ranges(of: "](#").map { range in
        String(lines[index][range.upperBound...].prefix { $0 != ")" })
      }
      return Row(id: id, sections: links, line: index + 1)
    }
  }

  /// The words of each section, by its heading as links name it.
  private static func sections(of text: String) -> [String: Set<String>] {
    var sections: [String: Set<String>] = [:]
    var name = ""
    for line in text.split(separator: "\n") {
      if line.hasPrefix("## ") {
        let letters = line.dropFirst(3).lowercased().filter {
          $0.isLetter || $0.isNumber || $0 == " " || $0 == "-"
        }
        name = letters.replacing(" ", with: "-")
      } else if !line.hasPrefix("|") {
        sections[name, default: []].formUnion(words(of: String(line)))
      }
    }
    return sections
  }

  private static func isName(_ line: String) -> Bool {
    line.contains("@Suite(") || line.contains("func `")
  }

  /// The words of a line; `V1–V9` stands for all of them.
  private static func words(of line: String) -> Set<String> {
    let pieces = line.split { !($0.isLetter || $0.isNumber || $0 == "–") }
    var words: Set<String> = []
    for piece in pieces {
      let ends = piece.split(separator: "–").map(String.init)
      guard ends.count == 2, let first = ids.firstIndex(of: ends[0]),
        let last = ids.firstIndex(of: ends[1]), first < last
      else {
        words.formUnion(ends)
        continue
      }
      words.formUnion(ids[first...last])
    }
    return words
  }
}
