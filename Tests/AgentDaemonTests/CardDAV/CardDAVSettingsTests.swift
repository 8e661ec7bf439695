import DaemonKit
import Testing

@testable import AgentDaemon

@Suite("D4 where CardDAV is served")
struct CardDAVSettingsTests {
  private func settings(_ values: [String: String]) throws -> CardDAVSettings {
    try CardDAVSettings(
      Settings(
        program: "contactsd", keys: CardDAVSettings.keys, flags: values, file: "/dev/null",
        environment: [:]))
  }

  @Test func `addresses of this machine, of others and of a proxy are distinguished`() throws {
    let files = ["certificate": "/c.pem", "key": "/k.pem"]
    let found = try settings(
      ["dav": "127.0.0.1:7435, [::]:7436, /run/dav.sock, book.example.org"]
        .merging(files) { $1 })
    #expect(
      found.addresses == [
        .loopback(port: 7435), .tls(ListenAddress(host: "::", port: 7436)),
        .unixSocket(path: "/run/dav.sock"),
        .tls(ListenAddress(host: "book.example.org", port: 7435)),
      ])
    #expect(try settings([:]) == CardDAVSettings())
  }

  @Test(arguments: [
    ["dav": "0.0.0.0:7435"], ["dav": "127.0.0.1:0"], ["dav": "127.0.0.1:7435,"],
    ["certificate": "/c.pem"], ["key": "/k.pem"],
    ["dav": "book.example.org:99999", "certificate": "/c.pem", "key": "/k.pem"],
  ])
  func `settings that cannot be met are refused with their name`(values: [String: String]) throws {
    let error = #expect(throws: DaemonError.self) { try settings(values) }
    #expect(error?.exit == .configuration)
    #expect(error?.message.contains("“") == true)
  }
}
