import BrokerLinks
import Records
import Testing

@Suite("R1 where a broker is")
struct BrokerEndpointTests {
  @Test(arguments: [
    ("/run/b.sock", "/run/b.sock"), ("unix:/run/b.sock", "/run/b.sock"),
    ("ssh://server", "ssh://server"), ("ssh://alice@server", "ssh://alice@server"),
    ("ssh://alice@server:2222/run/b.sock", "ssh://alice@server:2222/run/b.sock"),
    ("ssh://[fe80::1%eth0]:22", "ssh://[fe80::1%eth0]:22"), ("ssh://[::1]", "ssh://[::1]"),
    ("ssh://alice@server/", "ssh://alice@server"), ("ssh://a@b@server", "ssh://a@b@server"),
    ("ssh://räksmörgås.se", "ssh://räksmörgås.se"),
  ])
  func `an address is read`(text: String, description: String) throws {
    #expect(try BrokerEndpoint(text).description == description)
  }

  @Test func `a destination has a user, a host, a port and a path`() throws {
    let destination = try SSHDestination(url: "ssh://alice@[::1]:2222/run/b.sock")
    #expect(destination.user == "alice")
    #expect(destination.host == "::1")
    #expect(destination.port == 2222)
    #expect(destination.socketPath == "/run/b.sock")
    #expect(destination.login == "alice@::1")
  }

  @Test(arguments: [
    "", "ssh://", "ssh://@server", "ssh://alice@", "ssh://-oProxyCommand=x", "ssh://-x@server",
    "ssh://alice@-server", "ssh://a b@server", "ssh://ser ver", "ssh://server:0", "ssh://server:",
    "ssh://server:65536", "ssh://server:x", "ssh://::1", "ssh://[::1", "ssh://[::1]x",
    "ssh://alice:secret@server", "ssh://server;reboot", "ssh://$(reboot)", "ssh://se\nrver",
    "ssh://server/a\u{7}b", "http://server", "tcp://server:1",
  ])
  func `what is no address is refused with a sentence`(text: String) {
    let error = #expect(throws: RecordsError.self) { try BrokerEndpoint(text) }
    #expect(error?.code == .invalidArguments)
    #expect(error?.message.isEmpty == false)
  }

  @Test func `several addresses are separated by commas, at most eight`() throws {
    let endpoints = try BrokerEndpoint.list("/run/b.sock, ssh://server")
    #expect(endpoints.map(\.description) == ["/run/b.sock", "ssh://server"])
    #expect(BrokerEndpoint.text(of: endpoints) == "/run/b.sock, ssh://server")
    #expect(throws: RecordsError.self) { try BrokerEndpoint.list("/a,,/b") }
    let many = Array(repeating: "/a", count: 9).joined(separator: ",")
    #expect(throws: RecordsError.self) { try BrokerEndpoint.list(many) }
  }
}
