/// The recorded number of faults that are too many to correct in one commit. `ratchet.txt` has a line for
/// each kind and area. The tests require exactly these numbers: a new fault fails them, and so does a number
/// that could be lower.
struct Ratchet {
  /// The file with the counts, from the package's root.
  static let path = "Tests/TidyTests/ratchet.txt"

  private var counts: [String: Int] = [:]

  /// Reads lines with a kind, an area and a count; `#` begins a comment.
  init(_ text: String) {
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ")
      guard words.count == 3, let count = Int(words[2]) else { continue }
      counts["\(words[0]) \(words[1])"] = count
    }
  }

  /// Returns the differences between the recorded counts of `kind` and `found`, the faults of each area.
  func differences(_ kind: String, found: [String: [Finding]]) -> [Finding] {
    let recorded = counts.keys.filter { $0.hasPrefix(kind + " ") }.map {
      String($0.dropFirst(kind.count + 1))
    }
    return Set(recorded).union(found.keys).sorted().compactMap { area in
      difference(kind, area, found[area] ?? [])
    }
  }

  private func difference(_ kind: String, _ area: String, _ found: [Finding]) -> Finding? {
    let maximum = counts["\(kind) \(area)"] ?? 0
    if found.count < maximum {
      let sentence = "\(kind) \(area): \(found.count) are left of \(maximum). Lower the number."
      return Finding(path: Self.path, line: 1, sentence: sentence)
    }
    guard found.count > maximum, let last = found.last else { return nil }
    let sentence = "\(last.sentence) \(area) has \(found.count) such faults; at most \(maximum)."
    return Finding(path: last.path, line: last.line, sentence: sentence)
  }
}
