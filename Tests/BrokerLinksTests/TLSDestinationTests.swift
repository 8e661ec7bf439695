import Records
import Testing

@testable import BrokerLinks

@Suite("R1 tls addresses")
struct TLSDestinationTests {
  @Test(
    arguments: [
      ("tls://server", "server", 7433, "tls://server"),
      ("tls://server/", "server", 7433, "tls://server"),
      ("tls://192.0.2.1:80", "192.0.2.1", 80, "tls://192.0.2.1:80"),
      ("tls://[2001:db8::1]:7433", "2001:db8::1", 7433, "tls://[2001:db8::1]"),
    ])
  func `host and port are read, and written back`(
    text: String, host: String, port: Int, description: String
  ) throws {
    let destination = try TLSDestination(url: text)
    #expect(destination.host == host && destination.port == port)
    #expect(destination.description == description)
    guard case .tls(destination) = try BrokerEndpoint(text) else {
      Issue.record("\(try BrokerEndpoint(text))")
      return
    }
  }

  @Test(
    arguments: ["tls://", "tls://:7433", "tls://server:0", "tls://a b", "tls://-x", "tls://u@h"])
  func `other texts are refused with the right form`(text: String) {
    let error = #expect(throws: RecordsError.self) { try BrokerEndpoint(text) }
    #expect(error?.code == .invalidArguments && error?.hint.contains("tls://HOST") == true)
  }
}
