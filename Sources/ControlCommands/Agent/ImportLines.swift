// The report of an import from the agent: one JSON object in each line, of one of several kinds.

import Records

/// One line of the report.
struct ImportLine: Decodable, Sendable {
  /// The outcome for one contact of the file.
  struct Contact: Decodable, Sendable {
    let file: String
    let line: Int
    let name: String
    let outcome: String
    let findings: [Finding]
  }

  /// One problem.
  struct Finding: Decodable, Sendable {
    let line: Int
    let property: String
    let outcome: String
    let message: String
  }

  /// The totals of one file.
  struct Summary: Decodable, Sendable {
    var added = 0
    var updated = 0
    var unchanged = 0
    var skipped = 0
    var failed = 0
    var groups = 0
    var flagged = 0
    var damaged = 0
    /// The number for undoing the import; `nil` if nothing changed.
    var action: Int64?

    /// Whether the file contained no contact and no group.
    var isEmpty: Bool { added + updated + unchanged + skipped + failed + groups == 0 }

    /// Adds another file's totals.
    mutating func add(_ other: Summary) {
      added += other.added
      updated += other.updated
      unchanged += other.unchanged
      skipped += other.skipped
      failed += other.failed
      groups += other.groups
      flagged += other.flagged
      damaged += other.damaged
    }
  }

  let contact: Contact?
  let finding: Finding?
  let summary: Summary?
  let error: ErrorView.Content?
}

/// Splits a stream of bytes into lines.
struct LineCutter: Sendable {
  private static let lineBytesMax = 4 << 20
  private var line: [UInt8] = []

  /// Reads bytes and returns the lines that they complete.
  /// - Throws: `limitExceeded` for a line without an end.
  mutating func take(_ bytes: some Collection<UInt8>) throws(ControlFailure) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      line += rest[..<end]
      lines.append(line)
      line = []
      rest = rest[rest.index(after: end)...]
    }
    line += rest
    guard line.count <= Self.lineBytesMax else {
      throw .error(.limitExceeded, "contactsd sent a line that is too long to read.")
    }
    return lines
  }
}
