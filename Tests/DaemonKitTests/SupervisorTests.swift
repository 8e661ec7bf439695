// What is told is read back from a socket that stands in for systemd's.

import DaemonKit
import Glibc
import Processes
import Testing

@Suite("B7 readiness", .timeLimit(.minutes(5)))
struct SupervisorTests {
  @Test func `what is told arrives as systemd reads it`() throws {
    let manager = try ServiceManagerSocket()
    let supervisor = Supervisor(environment: ["NOTIFY_SOCKET": manager.path])
    supervisor.ready(status: "serving\n3 devices")
    #expect(manager.heard() == "READY=1\nSTATUS=serving 3 devices")
    supervisor.status("draining")
    #expect(manager.heard() == "STATUS=draining")
    supervisor.reloading()
    #expect(manager.heard() == "RELOADING=1")
    supervisor.stopping()
    #expect(manager.heard() == "STOPPING=1")
    #expect(manager.heard() == nil)
  }

  @Test func `a socket without a file is reached by its name`() throws {
    let manager = try ServiceManagerSocket(isAbstract: true)
    Supervisor(environment: ["NOTIFY_SOCKET": manager.path]).feedWatchdog()
    #expect(manager.heard() == "WATCHDOG=1")
  }

  @Test func `a service manager that does not read holds nobody up`() throws {
    let manager = try ServiceManagerSocket()
    let supervisor = Supervisor(environment: ["NOTIFY_SOCKET": manager.path])
    for number in 1...2_000 { supervisor.status("\(number)") }
    #expect(manager.heard() == "STATUS=1")
    while manager.heard() != nil {}
    supervisor.ready(status: "serving")
    #expect(manager.heard() == "READY=1\nSTATUS=serving")
  }

  @Test(arguments: [
    "", "relative", "vsock:2:1234", "/" + String(repeating: "x", count: 200), "/none",
  ])
  func `where nobody is, nothing is told and nothing fails`(path: String) {
    Supervisor(environment: ["NOTIFY_SOCKET": path]).ready(status: "serving")
    Supervisor(environment: [:]).ready(status: "serving")
  }

  @Test func `the watchdog is this process's, or whose it is not said to be`() {
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
