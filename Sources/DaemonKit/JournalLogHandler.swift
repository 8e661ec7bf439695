import CSystemd
import Glibc
import Logging

/// A log handler that sends events to systemd's journal as structured entries, so that `journalctl ZONE=…`
/// finds them.
package struct JournalLogHandler: LogHandler {
  /// The minimum level of logged events.
  package var logLevel = Logger.Level.info
  /// The metadata added to every event of the logger.
  package var metadata = Logger.Metadata()
  /// A provider of metadata from the context of each event.
  package var metadataProvider: Logger.MetadataProvider?
  private let program: String
  private let label: String

  /// Creates a handler for the logger `label` of `program`.
  package init(program: String, label: String) {
    self.program = program
    self.label = label
  }

  /// Whether stderr is connected to the journal (systemd.exec(5), `JOURNAL_STREAM`). Structured entries can
  /// then be sent to the journal directly.
  package static func isAvailable(environment: [String: String]) -> Bool {
    var status = stat()
    guard let stream = environment["JOURNAL_STREAM"], fstat(STDERR_FILENO, &status) == 0 else {
      return false
    }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  /// The value of a metadata key.
  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Sends an event to the journal. Errors are ignored.
  package func log(event: LogEvent) {
    send(fields(of: event))
  }

  /// Returns the fields of an event's journal entry, each as `NAME=value`.
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

  // The journal accepts up to 64 characters A–Z, 0–9 and `_`, beginning with a letter.
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
      // Errors are ignored: the daemon continues without a log.
      _ = sd_journal_sendv(vectors, Int32(vectors.count))
    }
  }
}
