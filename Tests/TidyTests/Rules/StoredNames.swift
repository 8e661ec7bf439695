/// The names of tables, columns, indexes and migrations in the databases of released versions. Only a migration
/// could change them, so `stored-names.txt` excuses them from the rule about plain words, with one name in each line. A
/// name is excused only where it can mean nothing else: in a line of SQL, as a whole string literal, and as a whole
/// code span of a comment or a page.
struct StoredNames {
  /// The file with the names, from the package's root.
  static let path = "Tests/TidyTests/stored-names.txt"

  private let names: [String]

  /// Reads a name from each line.
  init(_ text: String) {
    names = text.split(separator: "\n").map(String.init)
  }

  /// Returns the text of `file` without the excused names. The lines keep their numbers.
  func excusing(_ file: SourceFile) -> String {
    file.lines.indices.map { index in
      let strings = file.strings[index]
      guard names.contains(where: strings.contains) else { return excusing(file.lines[index]) }
      let isSQL = Self.isSQL(strings)
      let literal = strings.trimmingBlanks
      var line = Array(file.lines[index].utf8)
      for name in names where isSQL || name == literal {
        Self.blank(name, of: Array(strings.utf8), in: &line)
      }
      return excusing(String(decoding: line, as: UTF8.self))
    }.joined(separator: "\n")
  }

  /// Returns a page or a comment without the code spans that are excused names.
  func excusing(_ text: String) -> String {
    names.reduce(text) { $0.replacing("`\($1)`", with: "``") }
  }

  /// Finds names that no string of `files` contains, so that they excuse nothing that is stored.
  func unused(in files: [SourceFile]) -> [Finding] {
    names.indices.filter { index in
      !files.contains { $0.strings.contains { $0.contains(names[index]) } }
    }.map {
      Finding(
        path: Self.path, line: $0 + 1, sentence: "No SQL uses “\(names[$0])”. Remove the line.")
    }
  }

  private static let keywords: Set<Substring> = [
    "BLOB", "CREATE", "DELETE", "DROP", "FROM", "INSERT", "INTEGER", "SELECT", "TEXT", "UPDATE",
    "WHERE",
  ]

  /// Whether a line of a string literal is SQL: its keywords are in capitals in this project.
  private static func isSQL(_ line: String) -> Bool {
    line.split { !$0.isLetter }.contains(where: keywords.contains)
  }

  /// Replaces in `line` the places where the literals of the line contain `name`, not as a part of a longer name.
  private static func blank(_ name: String, of strings: [UInt8], in line: inout [UInt8]) {
    let name = Array(name.utf8)
    guard strings.count == line.count, strings.count >= name.count else { return }
    for start in 0...(strings.count - name.count) {
      let end = start + name.count
      guard strings[start..<end].elementsEqual(name),
        start == 0 || !isNamePart(strings[start - 1]),
        end == strings.count || !isNamePart(strings[end])
      else { continue }
      line.replaceSubrange(start..<end, with: repeatElement(UInt8(ascii: " "), count: name.count))
    }
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension String {
  /// The text without spaces at its ends.
  fileprivate var trimmingBlanks: String {
    guard let first = firstIndex(where: { $0 != " " }), let last = lastIndex(where: { $0 != " " })
    else { return "" }
    return String(self[first...last])
  }
}
