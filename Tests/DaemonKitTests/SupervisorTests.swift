// What is told is read back from a socket that stands in for systemd's.

import DaemonKit
import Glibc
import Logging
import ServiceLifecycle
import Synchronization
import Testing

// Serialized, because the socket's name stands in the environment of the whole process.
@Suite("B7 readiness and watchdog", .serialized, .timeLimit(.minutes(5)))
struct SupervisorTests {
  private let directory: TemporaryDirectory
  private let descriptor: Int32

  init() throws {
    directory = try TemporaryDirectory()
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = directory.file("notify")
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
    setenv("NOTIFY_SOCKET", path, 1)
  }

  @Test func `what is told arrives as systemd reads it`() {
    let supervisor = Supervisor()
    supervisor.ready(status: "serving\n3 devices")
    #expect(heard() == "READY=1\nSTATUS=serving 3 devices")
    supervisor.status("draining")
    #expect(heard() == "STATUS=draining")
    supervisor.stopping()
    #expect(heard() == "STOPPING=1")
    finish()
  }

  @Test func `the watchdog is fed while the daemon answers, and only then`() async throws {
    setenv("WATCHDOG_USEC", "2000", 1)
    setenv("WATCHDOG_PID", "\(getpid())", 1)
    #expect(Supervisor().watchdogInterval == .milliseconds(2))
    let asked = Atomic(0)
    let watchdog = Watchdog { asked.add(1, ordering: .relaxed).newValue > 3 }
    let group = ServiceGroup(services: [watchdog], logger: Logger(label: "test"))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      // Other tests of this process say that they are ready meanwhile.
      #expect((0..<1000).contains { _ in heard() == "WATCHDOG=1" })
      #expect(asked.load(ordering: .relaxed) > 3)
      await group.triggerGracefulShutdown()
      try await tasks.waitForAll()
    }
    unsetenv("WATCHDOG_USEC")
    finish()
  }

  @Test func `without a service manager nothing is told and nothing fails`() {
    finish()
    Supervisor().ready(status: "serving")
    #expect(Supervisor().watchdogInterval == nil)
  }

  private func finish() {
    unsetenv("NOTIFY_SOCKET")
    close(descriptor)
  }

  private func heard() -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }
}
