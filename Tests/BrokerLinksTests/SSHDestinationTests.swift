import Records
import Testing

@testable import BrokerLinks

@Suite("R1 what ssh is asked")
struct SSHDestinationTests {
  @Test func `the destination follows two hyphens and the command follows it`() throws {
    let destination = try SSHDestination(url: "ssh://alice@server:2222")
    let arguments = destination.arguments
    #expect(arguments.suffix(3) == ["--", "alice@server", "contacts-broker connect"])
    #expect(arguments.contains("BatchMode=yes"))
    #expect(arguments.firstIndex(of: "-p").map { arguments[$0 + 1] } == "2222")
  }

  @Test func `the path of the socket is one word for the server's shell`() throws {
    let destination = try SSHDestination(url: "ssh://server/it's a $(path)")
    #expect(
      destination.remoteCommand == "contacts-broker connect --socket '/it'\\''s a $(path)'")
  }
}
