import DaemonKit
import Testing

@Suite("R1 addresses to listen on")
struct ListenAddressTests {
  @Test func `hosts, IPv6 addresses in brackets and several addresses are read`() throws {
    let text = "[::]:7433, 192.0.2.1:80,server"
    let addresses = try ListenAddress.list(text, standardPort: 7433, key: "listen")
    #expect(addresses.map(\.host) == ["::", "192.0.2.1", "server"])
    #expect(addresses.map(\.port) == [7433, 80, 7433])
    #expect(addresses.map(\.description) == ["[::]:7433", "192.0.2.1:80", "server:7433"])
  }

  @Test(arguments: ["", ":7433", "::1", "server:0", "server:99999", "a b", "-x:1", "a,,b"])
  func `others are refused with the name of the setting`(text: String) {
    let error = #expect(throws: DaemonError.self) {
      try ListenAddress.list(text, standardPort: 7433, key: "listen")
    }
    #expect(error?.message.contains("“listen”") == true)
  }
}
