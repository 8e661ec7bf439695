// What a service manager passes. The descriptors are real sockets.

import DaemonKit
import Glibc
import Testing

@Suite("R6 passed sockets")
struct PassedSocketsTests {
  private func socket(_ family: Int32, listens: Bool = true) -> Int32 {
    let descriptor = Glibc.socket(family, Int32(SOCK_STREAM.rawValue), 0)
    if listens { _ = listen(descriptor, 1) }
    return descriptor
  }

  @Test func `sockets named tls are for other machines, and the others for this one`() throws {
    let directory = try TemporaryDirectory()
    let local = try ListeningSocket.bind(path: directory.path + "/s")
    let remote = [socket(AF_INET), socket(AF_INET6)]
    defer { for descriptor in remote + [local.descriptor] { close(descriptor) } }
    let passed = try PassedSockets([
      ("tls", remote[0]), ("contacts-broker.socket", local.descriptor), ("tls", remote[1]),
    ])
    #expect(passed.local?.descriptor == local.descriptor)
    #expect(passed.remote == remote)
    #expect(remote.allSatisfy { fcntl($0, F_GETFL) & O_NONBLOCK != 0 })
    #expect(try PassedSockets([]).local == nil)
  }

  @Test func `a socket of the wrong kind, and two for this machine, are refused`() throws {
    let tcp = socket(AF_INET)
    let silent = socket(AF_INET, listens: false)
    defer { for descriptor in [tcp, silent] { close(descriptor) } }
    let wrong = [[("", tcp)], [("tls", silent)], [("a", tcp), ("b", tcp)]]
    for sockets in wrong {
      let error = #expect(throws: DaemonError.self) {
        try PassedSockets(sockets.map { (name: $0.0, descriptor: $0.1) })
      }
      #expect(error?.exit == .configuration)
    }
  }
}
