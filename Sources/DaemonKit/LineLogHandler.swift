import Glibc
import Logging
import Records

/// A log handler that writes events to stderr as lines of text, for a daemon started by a shell or in a
/// container.
///
/// A line contains time, level and message, then `key=value` pairs. It is written with one system call, so
/// lines of several threads do not mix.
package struct LineLogHandler: LogHandler {
  /// The minimum level of logged events.
  package var logLevel = Logger.Level.info
  /// The metadata added to every event of the logger.
  package var metadata = Logger.Metadata()
  /// A provider of metadata from the context of each event.
  package var metadataProvider: Logger.MetadataProvider?
  private let label: String

  /// Creates a handler for the logger `label`.
  package init(label: String) {
    self.label = label
  }

  /// The value of a metadata key.
  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes an event as one line. Errors are ignored.
  package func log(event: LogEvent) {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let now = Timestamp(
      microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    let line = Array("\(self.line(for: event, at: now))\n".utf8)
    line.withUnsafeBytes { bytes in
      // A failed write is ignored: there is no other place to report it.
      _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
  }

  /// Returns the line for an event, without a line end.
  func line(for event: LogEvent, at time: Timestamp) -> String {
    var line = "\(time) \(event.level) \(Self.clean("\(event.message)"))"
    if let error = event.error { line += " error=\(Self.quoted("\(error)"))" }
    let extra = LogFields(metadataProvider?.get(), metadata, event.metadata)
    for (key, value) in extra.all { line += " \(key)=\(Self.quoted(value))" }
    return line
  }

  private static func clean(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }

  private static func quoted(_ text: String) -> String {
    let isPlain = !text.isEmpty && !text.contains { $0.isWhitespace || $0 == "\"" || $0 == "=" }
    if isPlain { return text }
    let escaped = clean(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}
