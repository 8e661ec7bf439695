// A daemon that hangs is worse than one that ended: nothing starts it again. So it shows that it is
// alive, by a question that passes through everything that could get stuck.

import ServiceLifecycle

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
