import Synchronization

/// Limits the log lines that others can cause, so that they can neither fill the disk nor hide other lines.
package final class LineLimit: Sendable {
  private struct Minute {
    var begin: ContinuousClock.Instant
    var written = 0
    var omitted = 0
  }

  private let linesPerMinute: Int
  private let minute: Mutex<Minute>

  /// - Parameter linesPerMinute: The maximum number of lines in a minute.
  package init(linesPerMinute: Int, now: ContinuousClock.Instant = .now) {
    self.linesPerMinute = linesPerMinute
    minute = Mutex(Minute(begin: now))
  }

  /// Counts a line.
  /// - Returns: how many lines were omitted before this one; `nil` if this one must be omitted too.
  package func next(at now: ContinuousClock.Instant = .now) -> Int? {
    minute.withLock { minute in
      if minute.begin.duration(to: now) >= .seconds(60) {
        minute = Minute(begin: now, omitted: minute.omitted)
      }
      guard minute.written < linesPerMinute else {
        minute.omitted += 1
        return nil
      }
      minute.written += 1
      defer { minute.omitted = 0 }
      return minute.omitted
    }
  }
}
