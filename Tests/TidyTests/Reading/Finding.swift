// What a rule has to say about a place in the sources. Written as compilers write it, so that an
// editor can jump there.

import Testing

/// A sentence about a line of a file.
struct Finding: Hashable, CustomStringConvertible {
  /// The file, from the package's root.
  let path: String
  /// The line, counted from 1.
  let line: Int
  /// What is wrong and what to do about it.
  let sentence: String

  var description: String { "\(path):\(line): \(sentence)" }
}

/// Reports each finding as an issue of its own.
func expectNone(_ findings: [Finding], sourceLocation: SourceLocation = #_sourceLocation) {
  for finding in findings {
    Issue.record(Comment(rawValue: finding.description), sourceLocation: sourceLocation)
  }
}
