import Records
import Testing

@testable import DaemonKit

@Suite("H2 headers of proxies")
struct ProxyHeaderTests {
  private static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 81, 85, 73, 84, 10]
  private static let four = RemoteNetwork(ipv4: [192, 0, 2, 7])
  private static let six = RemoteNetwork(
    ipv6: [0x20, 1, 13, 0xB8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9])

  private static func binary(_ command: UInt8, _ family: UInt8, _ rest: [UInt8]) -> [UInt8] {
    signature + [command, family, UInt8(rest.count >> 8), UInt8(rest.count & 255)] + rest
  }

  private static let valid: [([UInt8], RemoteNetwork?)] = [
    (Array("PROXY TCP4 192.0.2.7 192.0.2.1 4000 7433\r\n".utf8), four),
    (Array("PROXY TCP6 2001:db8:0:1::9 2001:db8::1 4000 7433\r\n".utf8), six),
    (Array("PROXY UNKNOWN\r\n".utf8), nil),
    (Array("PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n".utf8), nil),
    (binary(0x21, 0x11, [192, 0, 2, 7, 192, 0, 2, 1, 15, 160, 29, 9]), four),
    // With an addition of the proxy.
    (binary(0x21, 0x11, [192, 0, 2, 7, 192, 0, 2, 1, 15, 160, 29, 9, 4, 0, 1, 7]), four),
    (
      binary(
        0x21, 0x21,
        [0x20, 1, 13, 0xB8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9] + [UInt8](repeating: 1, count: 20)),
      six
    ),
    (binary(0x20, 0x00, []), nil), (binary(0x21, 0x00, [1, 2]), nil),
  ]

  @Test func `names the client, also if it comes byte by byte with the client's bytes behind it`() {
    for (bytes, client) in Self.valid {
      for count in 0..<bytes.count {
        #expect(ProxyHeader.read(Array(bytes[..<count])) == .incomplete, "\(bytes) \(count)")
      }
      let complete = ProxyHeader.Reading.complete(
        ProxyHeader(client: client, byteCount: bytes.count))
      #expect(ProxyHeader.read(bytes) == complete)
      #expect(ProxyHeader.read(bytes + [22, 3, 1]) == complete)
    }
  }

  @Test(
    arguments: [
      Array("\u{16}\u{3}\u{1}".utf8), Array("GET / HTTP/1.1\r\n".utf8),
      Array("PROXY TCP4 192.0.2.7 192.0.2.1 4000\r\n".utf8),
      Array("PROXY TCP4 192.0.2.256 192.0.2.1 4000 7433\r\n".utf8),
      Array("PROXY TCP4 2001:db8::1 2001:db8::2 4000 7433\r\n".utf8),
      Array("PROXY TCP4 192.0.2.7 192.0.2.1 4000 7433\n".utf8),
      Array("PROXY ".utf8) + [UInt8](repeating: 65, count: 200),
      binary(0x22, 0x11, [UInt8](repeating: 0, count: 12)),
      binary(0x31, 0x11, [UInt8](repeating: 0, count: 12)),
      binary(0x21, 0x11, [1, 2, 3]), binary(0x21, 0x31, [UInt8](repeating: 0, count: 216)),
      binary(0x21, 0x11, [UInt8](repeating: 0, count: 3000)),
    ] as [[UInt8]])
  func `anything else is no header`(bytes: [UInt8]) {
    #expect(ProxyHeader.read(bytes) == .invalid)
  }

  @Test func `random bytes never end the reader`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let start = [Self.signature, Array("PROXY ".utf8), []].randomElement() ?? []
      let rest = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      if case .complete(let header) = ProxyHeader.read(start + rest) {
        #expect(header.byteCount <= start.count + rest.count)
      }
    }
  }

  @Test func `the setting takes addresses and nothing else`() throws {
    _ = try TrustedProxies("192.0.2.1, 2001:db8::1", key: "proxy")
    #expect(throws: DaemonError.self) {
      try TrustedProxies("proxy.example.org", key: "proxy")
    }
  }
}
