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

  @Test func `R6 a kept socket reaches the manager, and is the next process's`() throws {
    let manager = try ServiceManagerSocket()
    let supervisor = Supervisor(environment: ["NOTIFY_SOCKET": manager.path])
    let socket = try LoopbackSocket(port: 0)
    KeptSockets(try PassedSockets([]), supervisor: supervisor).keep(socket, as: "page")
    let identity = socket.identity
    close(socket.descriptor)
    let (text, descriptor) = try #require(manager.receivedDescriptor())
    #expect(text == "FDSTORE=1\nFDNAME=stored-page")
    let passed = try PassedSockets([("stored-page", descriptor)])
    #expect(passed.local == nil && passed.remote == [])
    let sockets = KeptSockets(passed, supervisor: supervisor)
    #expect(sockets.take("port-1") == nil)
    let next = try #require(sockets.take("page"))
    defer { close(next.descriptor) }
    #expect(next.port == socket.port && next.identity == identity && identity != nil)
    #expect(sockets.take("page") == nil)
    sockets.releaseOthers()
    #expect(manager.received() == nil)
  }

  @Test func `R6 a kept socket that nothing needs any more is released`() throws {
    let manager = try ServiceManagerSocket()
    let supervisor = Supervisor(environment: ["NOTIFY_SOCKET": manager.path])
    let socket = try LoopbackSocket(port: 0)
    let again = try LoopbackSocket(port: 0)
    // Two of a name, and one that does not listen.
    let passed = try PassedSockets([
      ("stored-port-1", socket.descriptor), ("stored-port-1", again.descriptor),
      ("stored-page", Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)),
    ])
    let sockets = KeptSockets(passed, supervisor: supervisor)
    #expect(sockets.take("page") == nil)
    sockets.releaseOthers()
    #expect(manager.received() == "FDSTOREREMOVE=1\nFDNAME=stored-port-1")
    #expect(throws: (any Error).self) { try LoopbackPort.connect(to: Int(socket.port)) }
    #expect(throws: (any Error).self) { try LoopbackPort.connect(to: Int(again.port)) }
  }

  @Test func `two sockets at one address, one after the other, differ`() throws {
    let first = try LoopbackSocket(port: 0)
    let identity = try #require(first.identity)
    close(first.descriptor)
    let second = try LoopbackSocket(port: first.port)
    defer { close(second.descriptor) }
    #expect(second.identity != nil && second.identity != identity)
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
