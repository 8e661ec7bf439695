import BrokerLinks
import Logging
import Synchronization

/// Logs the output of the shells of ssh servers, once for each server while the agent runs.
final class ShellTextLog: Sendable {
  private let logger: Logger
  private let hosts = Mutex<Set<String>>([])

  init(_ logger: Logger) {
    self.logger = logger
  }

  /// Logs a text, unless one of the same server was logged.
  var report: @Sendable (ShellText) -> Void {
    { [self] found in
      guard hosts.withLock({ $0.insert(found.host).inserted }) else { return }
      logger.notice(
        "the shell on the server prints text",
        metadata: ["host": "\(found.host)", "text": "\(found.text)"])
    }
  }
}
