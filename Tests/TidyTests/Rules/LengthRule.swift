// How long files and functions may be. What is too long today stands in a ratchet that may only
// shrink: a new name cannot be added without this file showing it.

/// One noun a file, one idea a function.
enum LengthRule {
  /// The lines no file may exceed.
  static let fileLines = 600
  /// The lines that 9 of 10 files keep to.
  static let mostFilesLines = 300
  /// The lines of the file in the middle.
  static let medianFileLines = 150
  /// The lines no function may exceed, its signature included.
  static let functionLines = 70

  /// Functions that are longer, `path:name`, with their present length. Only ever shorter.
  static let ratchet: [String: Int] = [:]

  /// Files that are too long, each by itself.
  static func longFiles(in files: [SourceFile]) -> [Finding] {
    files.filter { $0.lines.count > fileLines }.map {
      $0.finding(
        at: fileLines, "The file has \($0.lines.count) lines; at most \(fileLines): split it.")
    }
  }

  /// What is wrong with the lengths of all files taken together.
  static func distribution(of files: [SourceFile]) -> [String] {
    let sorted = files.sorted { $0.lines.count < $1.lines.count }
    guard let last = sorted.last else { return [] }
    var sentences: [String] = []
    let median = sorted[(sorted.count - 1) / 2]
    if median.lines.count > medianFileLines {
      sentences.append(
        "Half of the files have \(median.lines.count) lines or more; at most \(medianFileLines).")
    }
    let ninth = sorted[(sorted.count - 1) * 9 / 10]
    if ninth.lines.count > mostFilesLines {
      sentences.append(
        """
        More than one file of ten is above \(mostFilesLines) lines; \
        the longest is \(last.path) with \(last.lines.count).
        """)
    }
    return sentences
  }

  /// Functions that are longer than they may be, and ratchet entries that can shrink.
  static func longFunctions(
    in files: [SourceFile], ratchet: [String: Int] = ratchet
  ) -> [Finding] {
    var findings: [Finding] = []
    var unseen = ratchet
    for file in files {
      for function in FunctionSpan.all(in: file) {
        let key = "\(file.path):\(function.name)"
        let bound = ratchet[key] ?? functionLines
        if function.lineCount > functionLines, unseen.removeValue(forKey: key) != nil,
          function.lineCount < bound
        {
          findings.append(
            file.finding(
              at: function.start,
              "\(function.name) has shrunk to \(function.lineCount) lines: lower its ratchet."))
        }
        guard function.lineCount > bound else { continue }
        findings.append(
          file.finding(
            at: function.start,
            "\(function.name) has \(function.lineCount) lines; at most \(bound): split it."))
      }
    }
    return findings
      + unseen.keys.sorted().map {
        Finding(path: $0, line: 0, sentence: "is short now or gone: take it off the ratchet.")
      }
  }
}
