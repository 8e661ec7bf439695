import ServiceLifecycle

/// A service that feeds systemd's watchdog while the daemon is alive, so that systemd restarts a daemon that
/// hangs.
package struct Watchdog: Service {
  private let supervisor: Supervisor
  private let isAlive: @Sendable () async -> Bool

  /// Creates a watchdog that calls `isAlive` before each message. `isAlive` must pass through the parts that
  /// can hang, such as an event loop and the storage thread.
  package init(
    supervisor: Supervisor = Supervisor(), isAlive: @escaping @Sendable () async -> Bool
  ) {
    self.supervisor = supervisor
    self.isAlive = isAlive
  }

  /// Feeds the watchdog twice in each interval until shutdown. Without a watchdog it waits for shutdown.
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
