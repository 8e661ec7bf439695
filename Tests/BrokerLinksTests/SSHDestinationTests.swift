import Records
import Testing

@testable import BrokerLinks

@Suite("R1 what ssh is asked")
struct SSHDestinationTests {
  @Test func `the destination follows two hyphens and the command follows it`() throws {
    let destination = try SSHDestination(url: "ssh://alice@server:2222")
    let arguments = destination.arguments
    #expect(arguments.suffix(3) == ["--", "alice@server", "contacts-broker connect"])
    #expect(arguments.firstIndex(of: "-p").map { arguments[$0 + 1] } == "2222")
  }

  @Test func `ssh asks no question, notices a dead connection, and runs nothing of the user's`()
    throws
  {
    let arguments = try SSHDestination(url: "ssh://server").arguments
    #expect(arguments.first == "-T")
    let options = zip(arguments, arguments.dropFirst()).filter { $0.0 == "-o" }.map(\.1)
    #expect(
      Set(options) == [
        "BatchMode=yes", "ServerAliveInterval=15", "ServerAliveCountMax=3", "ConnectTimeout=10",
        "ControlPath=none", "ClearAllForwardings=yes", "PermitLocalCommand=no",
        "RemoteCommand=none", "EscapeChar=none",
      ])
    #expect(!arguments.contains("-p"))
    #expect(arguments.count == 1 + 2 * options.count + 3)
  }

  @Test func `the path of the socket is one word for the server's shell`() throws {
    let destination = try SSHDestination(url: "ssh://server/it's a $(path)")
    #expect(
      destination.remoteCommand == "contacts-broker connect --socket '/it'\\''s a $(path)'")
  }
}
