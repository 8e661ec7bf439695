/// The table of the files that an edit passes through, in docs/architecture.md. A row names a file under `Sources`
/// and, in code spans, functions of that file.
struct EditPathRule {
  /// The page with the table.
  static let page = "docs/architecture.md"
  /// The maximum number of files.
  static let filesMaximum = 36
  /// How often the table may return to a target that an earlier row has left.
  static let returnsMaximum = 8

  /// A row of the table.
  struct Row {
    /// The row's line on the page, from 1.
    let line: Int
    /// The file, from the package's root.
    let path: String
    /// The functions in the other code spans.
    let functions: [String]

    /// The target of the file.
    var target: Substring { path.split(separator: "/").dropFirst().first ?? "" }
  }

  /// The rows, in their order.
  let rows: [Row]

  /// Reads the rows of `page`: the lines of the section about the path whose first code span is a Swift file.
  init(_ page: String) {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    let start = lines.firstIndex { $0.hasPrefix("## The path of one edit") } ?? lines.endIndex
    let section = lines[start...].dropFirst().prefix { !$0.hasPrefix("## ") }
    rows = section.indices.compactMap { index in
      guard section[index].hasPrefix("|") else { return nil }
      let parts = section[index].split(separator: "`", omittingEmptySubsequences: false)
      let spans = parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
      guard let file = spans.first, file.hasSuffix(".swift") else { return nil }
      return Row(line: index + 1, path: "Sources/" + file, functions: Array(spans.dropFirst()))
    }
  }

  /// Finds rows that do not agree with `files`, files that are named twice, and a table that is too long.
  func findings(in files: [SourceFile]) -> [Finding] {
    let known = Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
    return rows.flatMap { disagreements(of: $0, with: known[$0.path]) } + repetitions + excess
  }

  /// The number of rows whose target an earlier row has left.
  var returns: Int {
    var left: Set<Substring> = []
    var count = 0
    for (former, row) in zip(rows, rows.dropFirst()) where row.target != former.target {
      left.insert(former.target)
      if left.contains(row.target) { count += 1 }
    }
    return count
  }

  private func disagreements(of row: Row, with file: SourceFile?) -> [Finding] {
    guard let file else { return [finding(row, "There is no file \(row.path).")] }
    guard !row.functions.isEmpty else { return [finding(row, "The row names no function.")] }
    let declared = Set(FunctionSpan.all(in: file).map(\.name))
    return row.functions.filter { !declared.contains($0) }.map {
      finding(row, "\(row.path) has no function “\($0)”.")
    }
  }

  private var repetitions: [Finding] {
    var seen: Set<String> = []
    return rows.filter { !seen.insert($0.path).inserted }.map {
      finding($0, "\($0.path) is named twice.")
    }
  }

  private var excess: [Finding] {
    guard let last = rows.last else {
      return [
        Finding(path: Self.page, line: 1, sentence: "The table of one edit's path is missing.")
      ]
    }
    var found: [Finding] = []
    if rows.count > Self.filesMaximum {
      found.append(
        finding(last, "The path has \(rows.count) files; the limit is \(Self.filesMaximum)."))
    }
    if returns > Self.returnsMaximum {
      found.append(
        finding(
          last, "The path returns to \(returns) targets; the limit is \(Self.returnsMaximum)."))
    }
    return found
  }

  private func finding(_ row: Row, _ sentence: String) -> Finding {
    Finding(path: Self.page, line: row.line, sentence: sentence)
  }
}
