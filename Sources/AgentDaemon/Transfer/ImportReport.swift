// The report of an import, written while it runs: one JSON object in each line, for each contact and for
// problems between contacts, and the totals at the end. A report without its last line is incomplete.

import ContactCards
import DeviceStore
import Hummingbird
import Records

/// The lines of a report, and the totals.
struct ImportReport: Sendable {
  private var json = JSONWriter()
  private var sums: [ImportOutcome.Kind: Int64] = [:]
  private var groups: Int64 = 0
  private var flagged: Int64 = 0
  private var damaged: Int64 = 0
  /// The number for undoing the import; `nil` if it changed nothing.
  var action: Int64?
  /// The file name in the request.
  private let file: String

  /// Creates a report on the file with this name.
  init(file: String) {
    self.file = file
  }

  /// Returns the bytes written since the last call.
  mutating func takeBytes() -> ByteBuffer? {
    guard !json.bytes.isEmpty else { return nil }
    defer { json = JSONWriter() }
    return ByteBuffer(bytes: json.bytes)
  }

  /// Adds a contact's line.
  mutating func add(_ outcome: ImportOutcome) {
    if outcome.contact.isGroup, outcome.kind != .failed {
      groups += 1
    } else {
      sums[outcome.kind, default: 0] += 1
    }
    let findings = outcome.contact.findings
    if outcome.kind != .failed {
      if findings.contains(where: { $0.outcome == .kept }) { flagged += 1 }
      if findings.contains(where: { $0.outcome == .lost }) { damaged += 1 }
    }
    line("contact") { [file] json in
      json.key("file")
      json.value(file)
      json.key("line")
      json.value(Int64(outcome.contact.line))
      json.key("name")
      json.value(outcome.contact.name)
      json.key("outcome")
      json.value(outcome.kind.rawValue)
      json.key("id")
      json.value(outcome.record?.publicID.text)
      if outcome.contact.isGroup {
        json.key("isGroup")
        json.value(true)
      }
      json.key("findings")
      json.list(findings) { json, finding in
        json.object { json in Self.write(finding, to: &json) }
      }
    }
  }

  /// Adds the line for a problem that belongs to no contact. An item that is not a contact is counted.
  mutating func add(_ finding: CardFinding) {
    if finding.outcome == .failed { sums[.failed, default: 0] += 1 }
    line("finding") { [file] json in
      json.key("file")
      json.value(file)
      Self.write(finding, to: &json)
    }
  }

  /// Adds the last line.
  mutating func end(isDryRun: Bool) {
    let sums = sums
    let (groups, flagged, damaged) = (groups, flagged, damaged)
    line("summary") { [file, action] json in
      json.schema()
      json.key("file")
      json.value(file)
      json.key("dryRun")
      json.value(isDryRun)
      for kind in [ImportOutcome.Kind.added, .updated, .unchanged, .skipped, .failed] {
        json.key(named: kind.rawValue)
        json.value(sums[kind] ?? 0)
      }
      json.key("groups")
      json.value(groups)
      json.key("action")
      json.value(action)
      json.key("flagged")
      json.value(flagged)
      json.key("damaged")
      json.value(damaged)
    }
  }

  /// Adds the last line of a failed import.
  mutating func fail(_ error: RecordsError) {
    line("error") { json in
      json.key("code")
      json.value(error.code.rawValue)
      json.key("message")
      json.value(error.message)
      json.key("hint")
      json.value(error.hint)
    }
  }

  private mutating func line(_ kind: StaticString, _ body: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    writer.object { json in
      json.key(kind)
      json.object(body)
    }
    json.append(line: writer.bytes)
  }

  private static func write(_ finding: CardFinding, to json: inout JSONWriter) {
    json.key("line")
    json.value(Int64(finding.line))
    json.key("property")
    json.value(finding.property)
    json.key("outcome")
    json.value(finding.outcome.rawValue)
    json.key("message")
    json.value(finding.message)
  }
}
