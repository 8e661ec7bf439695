// The watchdog is fed only while the daemon answers.

import DaemonKit
import Logging
import Processes
import ServiceLifecycle
import Synchronization
import Testing

@Suite("B7 watchdog", .timeLimit(.minutes(5)))
struct WatchdogTests {
  @Test func `the watchdog is fed only while the daemon is alive`() async throws {
    let manager = try ServiceManagerSocket()
    let supervisor = Supervisor(
      environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "2000"])
    let asked = Atomic(0)
    let watchdog = Watchdog(supervisor: supervisor) {
      asked.add(1, ordering: .relaxed).newValue > 3
    }
    let group = ServiceGroup(services: [watchdog], logger: Logger(label: "test"))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      let received = try await Patience.wait(for: "a sign of life") { manager.received() }
      #expect(received == "WATCHDOG=1")
      #expect(asked.load(ordering: .relaxed) > 3)
      await group.triggerGracefulShutdown()
      try await tasks.waitForAll()
    }
  }
}
