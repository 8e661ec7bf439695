/// A Swift file of the package, split into lines of code, comments and literals.
struct SourceFile {
  /// The file, from the package's root: `Sources/Records/Limits.swift`.
  let path: String
  /// The unmodified lines.
  let lines: [String]
  /// The lines without comments and literals.
  let code: [String]
  /// The comments of each line.
  let comments: [String]
  /// The string literals' text of each line.
  let strings: [String]

  /// Creates a file with this text.
  init(path: String, text: String) {
    let layers = SourceText(text)
    self.path = path
    lines = splitLines(Array(text.utf8))
    code = splitLines(layers.code)
    comments = splitLines(layers.comments)
    strings = splitLines(layers.strings)
  }

  /// `Limits` for `Sources/Records/Limits.swift`.
  var name: String {
    let file = path.split(separator: "/").last ?? ""
    return String(file.prefix { $0 != "." })
  }

  /// `Records` for `Sources/Records/Limits.swift`; the same for a test's directory.
  var target: String {
    let parts = path.split(separator: "/")
    return parts.count > 2 ? String(parts[1]) : ""
  }

  /// Whether a generator wrote the file; only the import rule applies to such files.
  var isGenerated: Bool { path.hasSuffix(".pb.swift") }

  /// Creates a finding about the line at `index`, from 0.
  func finding(at index: Int, _ sentence: String) -> Finding {
    Finding(path: path, line: index + 1, sentence: sentence)
  }

  /// Returns the indices, from 0, of lines whose code satisfies `isMeant`.
  func codeLines(where isMeant: (String) -> Bool) -> [Int] {
    code.indices.filter { isMeant(code[$0]) }
  }

  /// Whether the line before `index`, or the line itself, has a comment.
  func isExplained(at index: Int) -> Bool {
    comments[index].contains("//") || (index > 0 && comments[index - 1].contains("//"))
  }
}

private func splitLines(_ bytes: [UInt8]) -> [String] {
  var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  if let last = lines.last, last.isEmpty { lines.removeLast() }
  return lines.map { String(decoding: $0, as: UTF8.self) }
}
