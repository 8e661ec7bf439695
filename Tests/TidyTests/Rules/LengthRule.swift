/// The maximum lengths of files and functions. A ratchet lists the exceptions; they may only shrink, and a
/// new one must be added here.
enum LengthRule {
  /// The maximum number of lines of a file.
  static let fileLines = 600
  /// The number of lines that 9 of 10 files keep to.
  static let mostFilesLines = 300
  /// The maximum median number of lines.
  static let medianFileLines = 150
  /// The maximum number of lines of a function, its signature included.
  static let functionLines = 70

  /// Longer functions as `path:name`, with their lengths, which may only fall.
  static let ratchet: [String: Int] = [:]

  /// Finds files that are too long.
  static func longFiles(in files: [SourceFile]) -> [Finding] {
    files.filter { $0.lines.count > fileLines }.map {
      $0.finding(
        at: fileLines, "The file has \($0.lines.count) lines; at most \(fileLines): split it.")
    }
  }

  /// Returns the faults of the distribution of lengths.
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

  /// Finds functions that are too long, and ratchet entries that can shrink.
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
