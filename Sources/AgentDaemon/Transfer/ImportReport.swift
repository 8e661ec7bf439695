// The report of an import, written while it runs: one JSON object in each line, for each contact and for
// problems between contacts, and the totals at the end. A report without its last line is incomplete.

import AgentAPI
import ContactCards
import DeviceStore
import Hummingbird
import Records

/// The lines of a report, and the totals.
struct ImportReport: Sendable {
  private var bytes: [UInt8] = []
  private var summary = ImportLine.Summary()
  /// The number for undoing the import; `nil` if it changed nothing.
  var action: Int64? {
    get { summary.action }
    set { summary.action = newValue }
  }

  /// Creates a report on the file with this name.
  init(file: String) {
    summary.file = file
  }

  /// Returns the bytes written since the last call.
  mutating func takeBytes() -> ByteBuffer? {
    guard !bytes.isEmpty else { return nil }
    defer { bytes = [] }
    return ByteBuffer(bytes: bytes)
  }

  /// Adds a contact's line.
  mutating func add(_ outcome: ImportOutcome) {
    let isGroup = outcome.contact.isGroup
    summary.count(outcome.kind, isGroup: isGroup)
    let findings = outcome.contact.findings
    if outcome.kind != .failed {
      if findings.contains(where: { $0.outcome == .kept }) { summary.flagged += 1 }
      if findings.contains(where: { $0.outcome == .lost }) { summary.damaged += 1 }
    }
    write(
      ImportLine(
        contact: ImportLine.Contact(
          file: summary.file, line: outcome.contact.line, name: outcome.contact.name,
          outcome: outcome.kind.rawValue, id: outcome.record?.publicID.text, isGroup: isGroup,
          findings: findings.map { ImportLine.Finding($0) })))
  }

  /// Adds the line for a problem that belongs to no contact. An item that is not a contact is counted.
  mutating func add(_ finding: CardFinding) {
    if finding.outcome == .failed { summary.failed += 1 }
    var line = ImportLine.Finding(finding)
    line.file = summary.file
    write(ImportLine(finding: line))
  }

  /// Adds the last line. `madeGroups` are the titles of the groups that the import created, or would create.
  /// - Parameter columns: The columns of a table; empty for another file.
  mutating func end(isDryRun: Bool, madeGroups: [String], columns: [TableColumn]) {
    summary.dryRun = isDryRun
    if isDryRun { summary.columns = columns.map { ImportLine.Column($0) } }
    summary.madeGroups = madeGroups
    write(ImportLine(summary: summary))
  }

  /// Adds the last line of a failed import.
  mutating func fail(_ error: RecordsError) {
    write(ImportLine(error: ErrorView.Content(error)))
  }

  private mutating func write(_ line: ImportLine) {
    bytes += OrderedJSON.certainBytes(of: line)
    bytes.append(UInt8(ascii: "\n"))
  }
}

extension ImportLine.Finding {
  fileprivate init(_ finding: CardFinding) {
    self.init(
      line: finding.line, property: finding.property, outcome: finding.outcome.rawValue,
      message: finding.message)
  }
}

extension ImportLine.Column {
  fileprivate init(_ column: TableColumn) {
    self.init(name: column.name, becomes: column.meaning, samples: column.samples)
  }
}

extension ImportLine.Summary {
  fileprivate mutating func count(_ kind: ImportOutcome.Kind, isGroup: Bool) {
    switch kind {
    case .failed: failed += 1
    case _ where isGroup: groups += 1
    case .added: added += 1
    case .updated: updated += 1
    case .unchanged: unchanged += 1
    case .skipped: skipped += 1
    }
  }
}
