// Where a daemon's log goes is decided once, at its start: to the journal when its stderr leads there,
// else to stderr.

import FoundationEssentials
import Logging

/// The process's log.
package enum LogDestination {
  /// Sends every logger of the process to the journal or to stderr. To be called once, before the
  /// first logger is made.
  package static func choose(
    program: String, level: Logger.Level = .info,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    let isJournal = JournalLogHandler.isAvailable(environment: environment)
    LoggingSystem.bootstrap { label in
      var handler: any LogHandler =
        isJournal
        ? JournalLogHandler(program: program, label: label) : LineLogHandler(label: label)
      handler.logLevel = level
      return handler
    }
  }
}
