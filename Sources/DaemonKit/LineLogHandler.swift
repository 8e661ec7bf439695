// Log events as lines on stderr, for a daemon that a shell or a container started: time, level,
// message, then key=value. One write an event, so that lines of several threads do not mix.

import Glibc
import Logging
import Records

/// Writes log events to stderr.
package struct LineLogHandler: LogHandler {
  /// Events below this level are not logged.
  package var logLevel = Logger.Level.info
  /// What every event of the logger says beside its own.
  package var metadata = Logger.Metadata()
  /// Says more about each event, from where it happens.
  package var metadataProvider: Logger.MetadataProvider?
  private let label: String

  /// A handler for the logger `label`.
  package init(label: String) {
    self.label = label
  }

  /// One value of `metadata`.
  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes one event as one line; never fails.
  package func log(event: LogEvent) {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let now = Timestamp(
      microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    let line = Array("\(self.line(for: event, at: now))\n".utf8)
    line.withUnsafeBytes { bytes in
      // Nothing can be done about a stderr that takes nothing.
      _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
  }

  /// The line for an event at a moment.
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
