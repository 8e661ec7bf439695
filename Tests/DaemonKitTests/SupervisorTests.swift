// The messages to the service manager, read from a socket in place of systemd's.

import DaemonKit
import Glibc
import Processes
import Testing

@Suite("B7 readiness", .timeLimit(.minutes(5)))
struct SupervisorTests {
  @Test func `messages arrive in systemd's format`() throws {
    let manager = try ServiceManagerSocket()
    let supervisor = Supervisor(environment: ["NOTIFY_SOCKET": manager.path])
    supervisor.ready(status: "serving\n3 devices")
    #expect(manager.received() == "READY=1\nSTATUS=serving 3 devices")
    supervisor.status("draining")
    #expect(manager.received() == "STATUS=draining")
    supervisor.reloading()
    #expect(manager.received() == "RELOADING=1")
    supervisor.stopping()
    #expect(manager.received() == "STOPPING=1")
    #expect(manager.received() == nil)
  }

  @Test func `R6 a stored socket reaches the manager, and is the next process's`() throws {
    let manager = try ServiceManagerSocket()
    let socket = try LoopbackSocket(port: 0)
    Supervisor(environment: ["NOTIFY_SOCKET": manager.path]).store(socket.descriptor)
    close(socket.descriptor)
    let (text, descriptor) = try #require(manager.receivedDescriptor())
    #expect(text == "FDSTORE=1\nFDNAME=stored")
    let passed = try PassedSockets([("stored", descriptor)])
    #expect(passed.local == nil && passed.remote == [])
    let stored = try #require(passed.stored)
    let next = try #require(LoopbackSocket(stored: stored))
    defer { close(next.descriptor) }
    #expect(next.port == socket.port)
  }

  @Test func `another descriptor than a socket of this machine is not continued`() throws {
    let silent = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #expect(LoopbackSocket(stored: silent) == nil)
    #expect(LoopbackSocket(stored: open("/dev/null", O_RDONLY)) == nil)
    let all = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    _ = listen(all, 1)
    #expect(LoopbackSocket(stored: all) == nil)
  }

  @Test func `an abstract socket is reached by its name`() throws {
    let manager = try ServiceManagerSocket(isAbstract: true)
    Supervisor(environment: ["NOTIFY_SOCKET": manager.path]).feedWatchdog()
    #expect(manager.received() == "WATCHDOG=1")
  }

  @Test func `a service manager that does not read blocks no caller for long`() throws {
    let manager = try ServiceManagerSocket()
    let supervisor = Supervisor(environment: ["NOTIFY_SOCKET": manager.path])
    for number in 1...2_000 { supervisor.status("\(number)") }
    #expect(manager.received() == "STATUS=1")
    while manager.received() != nil {}
    supervisor.ready(status: "serving")
    #expect(manager.received() == "READY=1\nSTATUS=serving")
  }

  @Test(arguments: [
    "", "relative", "vsock:2:1234", "/" + String(repeating: "x", count: 200), "/none",
  ])
  func `without a service manager no message is sent and no call fails`(path: String) {
    Supervisor(environment: ["NOTIFY_SOCKET": path]).ready(status: "serving")
    Supervisor(environment: [:]).ready(status: "serving")
  }

  @Test func `the watchdog counts if its process id is this process's or is missing`() {
    func interval(_ environment: [String: String]) -> Duration? {
      Supervisor(environment: environment).watchdogInterval
    }
    #expect(interval([:]) == nil)
    #expect(interval(["WATCHDOG_USEC": "2000"]) == .milliseconds(2))
    #expect(interval(["WATCHDOG_USEC": "2000", "WATCHDOG_PID": "\(getpid())"]) == .milliseconds(2))
    #expect(interval(["WATCHDOG_USEC": "2000", "WATCHDOG_PID": "1"]) == nil)
    for word in ["", "0", "-1", "soon"] { #expect(interval(["WATCHDOG_USEC": word]) == nil) }
  }
}
