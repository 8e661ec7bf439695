// What a daemon tells the service manager: that it is ready, what it does, that it stops, and that it
// is alive. Where there is none (a shell started it) nothing is told and nothing fails.

import CSystemd
import ServiceLifecycle

/// The service manager, as seen by its service.
package struct Supervisor: Sendable {
  /// Reaches the one named by `$NOTIFY_SOCKET`, if any.
  package init() {}

  /// Everything is up: whoever waits for the unit may go on.
  package func ready(status: String) { tell("READY=1\nSTATUS=\(oneLine(status))") }

  /// What is being done, in a few words; shown by `systemctl status`.
  package func status(_ text: String) { tell("STATUS=\(oneLine(text))") }

  /// Settings are being read again; `ready` follows.
  package func reloading() { tell("RELOADING=1") }

  /// The service drains and will be gone soon.
  package func stopping() { tell("STOPPING=1") }

  /// The service is alive.
  package func feedWatchdog() { tell("WATCHDOG=1") }

  /// How long the service manager waits for a sign of life; `nil` when it does not.
  package var watchdogInterval: Duration? {
    var microseconds: UInt64 = 0
    guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
    return .microseconds(Int64(clamping: microseconds))
  }

  // A manager that cannot be told is no reason to stop serving.
  private func tell(_ message: String) { _ = sd_notify(0, message) }

  private func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}

/// Feeds the watchdog for as long as the daemon answers itself.
package struct Watchdog: Service {
  private let supervisor: Supervisor
  private let isAlive: @Sendable () async -> Bool

  /// A watchdog that asks `isAlive` before each sign of life. The question must pass through what
  /// can get stuck – an event loop, the storage thread –, so that a daemon that hangs is restarted.
  package init(
    supervisor: Supervisor = Supervisor(), isAlive: @escaping @Sendable () async -> Bool
  ) {
    self.supervisor = supervisor
    self.isAlive = isAlive
  }

  /// Feeds twice in each interval until shutdown; returns then. Without a watchdog it only waits.
  package func run() async {
    guard let interval = supervisor.watchdogInterval else {
      try? await gracefulShutdown()
      return
    }
    await cancelWhenGracefulShutdown {
      repeat {
        if await isAlive() { supervisor.feedWatchdog() }
      } while (try? await Task.sleep(for: interval / 2)) != nil
    }
  }
}
