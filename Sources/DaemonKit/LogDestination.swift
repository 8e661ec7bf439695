import FoundationEssentials
import Logging

/// The destination of a daemon's log.
package enum LogDestination {
  /// Directs all loggers of the process to the journal if stderr is connected to it, else to stderr. Call it
  /// once, before the first logger is created.
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
