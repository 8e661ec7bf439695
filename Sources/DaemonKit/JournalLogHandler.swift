// Log events as structured entries of systemd's journal: `journalctl ZONE=…` finds what a text search
// cannot. Metadata keys become field names, which are upper case and may not begin with `_`.

import CSystemd
import Glibc
import Logging

/// Sends log events to the journal.
package struct JournalLogHandler: LogHandler {
  /// Events below this level are not logged.
  package var logLevel = Logger.Level.info
  /// What every event of the logger says beside its own.
  package var metadata = Logger.Metadata()
  /// Says more about each event, from where it happens.
  package var metadataProvider: Logger.MetadataProvider?
  private let program: String
  private let label: String

  /// A handler for the logger `label` of `program`.
  package init(program: String, label: String) {
    self.program = program
    self.label = label
  }

  /// Whether stderr goes to the journal, in which case entries are better sent there directly.
  package static func isAvailable(environment: [String: String]) -> Bool {
    var status = stat()
    guard let stream = environment["JOURNAL_STREAM"], fstat(STDERR_FILENO, &status) == 0 else {
      return false
    }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  /// One value of `metadata`.
  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Sends one event; never fails and never waits for long.
  package func log(event: LogEvent) {
    send(fields(of: event))
  }

  /// The entry's fields, each as `NAME=value`.
  func fields(of event: LogEvent) -> [String] {
    var fields = [
      "MESSAGE=\(event.message)", "PRIORITY=\(event.level.priority)",
      "SYSLOG_IDENTIFIER=\(program)", "LOGGER=\(label)", "CODE_FILE=\(event.file)",
      "CODE_LINE=\(event.line)", "CODE_FUNC=\(event.function)",
    ]
    if let error = event.error { fields.append("ERROR=\(error)") }
    let extra = LogFields(metadataProvider?.get(), metadata, event.metadata)
    for (key, value) in extra.all { fields.append("\(Self.fieldName(key))=\(value)") }
    return fields
  }

  // The journal takes A–Z, 0–9 and `_`, not at the start, 64 at most.
  static func fieldName(_ key: String) -> String {
    var name = ""
    for byte in key.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"):
        name.unicodeScalars.append(Unicode.Scalar(byte - 32))
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        name.unicodeScalars.append(Unicode.Scalar(byte))
      default: name.append("_")
      }
    }
    let rest = name.drop { $0 == "_" || $0.isNumber }
    return rest.isEmpty ? "FIELD" : String(rest.prefix(64))
  }

  private func send(_ fields: [String]) {
    var bytes = fields.flatMap(\.utf8)
    bytes.withUnsafeMutableBytes { buffer in
      var start = 0
      let vectors = fields.map { field in
        let length = field.utf8.count
        defer { start += length }
        return iovec(iov_base: buffer.baseAddress.map { $0 + start }, iov_len: length)
      }
      // A journal that takes nothing is no reason to stop serving.
      _ = sd_journal_sendv(vectors, Int32(vectors.count))
    }
  }
}
