// Every promise of the address book has an id, a test that names the id, and a section in
// docs/address-book.md that shows it. The table at the end of the page lists the promises with links to these
// sections.

/// Checks where the promises of the address book are tested and shown.
enum PromiseRule {
  /// The page that lists them.
  static let page = "docs/address-book.md"
  /// The ids of all promises.
  static let ids =
    (1...12).map { "C\($0)" } + (1...4).map { "A\($0)" } + (1...11).map { "V\($0)" }

  /// A row of the table.
  struct Row: Hashable {
    /// The promise.
    let id: String
    /// The headings of the linked sections of this page, in the form of link targets.
    let sections: [String]
    /// Its line, from 1.
    let line: Int
  }

  /// Finds promises that no suite and no test names.
  static func untested(in files: [SourceFile]) -> [Finding] {
    var named: Set<String> = []
    for file in files {
      for line in file.lines where isName(line) { named.formUnion(words(of: line)) }
    }
    return ids.filter { !named.contains($0) }.map {
      Finding(path: "Tests", line: 1, sentence: "No suite and no test names \($0).")
    }
  }

  /// Finds promises missing on the page, and sections that do not show a promise.
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

  /// Returns the rows of the table.
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

  /// Returns the words of each section by its heading, in the form of a link target.
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

  /// Returns the words of a line; `V1–V9` stands for all of them.
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
