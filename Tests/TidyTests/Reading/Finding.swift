import Testing

/// A sentence about a line of a file, printed as compilers do, so that an editor can open the line.
struct Finding: Hashable, CustomStringConvertible {
  /// The file, from the package's root.
  let path: String
  /// The line, counted from 1.
  let line: Int
  /// The fault, and how to correct it.
  let sentence: String

  var description: String { "\(path):\(line): \(sentence)" }
}

/// Reports each finding as an issue of its own.
func expectNone(_ findings: [Finding], sourceLocation: SourceLocation = #_sourceLocation) {
  for finding in findings {
    Issue.record(Comment(rawValue: finding.description), sourceLocation: sourceLocation)
  }
}
