import PredicateWorld
import Records
import Testing

@Suite("K1 hosts and ports")
struct HostAndPortTests {
  private func reason(_ text: String) -> String? {
    do throws(HostAndPort.Malformed) {
      _ = try HostAndPort(text)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func `a host with and without a port is parsed from its text`() throws {
    for host in ["a", "broker.example", "127.0.0.1", "::1", "fe80::1%eth0", "å.example", "a_b-c"] {
      for port in [nil, 1, 22, 8443, 65_535] {
        let address = HostAndPort(host: host, port: port)
        // An IPv6 address without a port needs its brackets as well.
        #expect(address.description.hasPrefix(host.contains(":") ? "[\(host)]" : host))
        #expect(try HostAndPort(address.description) == address)
        #expect(try HostAndPort(address.description[...]) == address)
      }
    }
    #expect(try HostAndPort("[broker]:5").description == "broker:5")
  }

  @Test(arguments: ["", "0", "65536", "-1", "+80", " 80", "8a", "٣", "99999999999999999999"])
  func `a port is a number from 1 to 65535, in digits alone`(port: String) {
    #expect(reason("broker:\(port)") == "its port must be a number from 1 to 65535")
    #expect(reason("[::1]:\(port)") == "its port must be a number from 1 to 65535")
  }

  @Test(
    arguments: [
      ("", "it has no host"), (":80", "it has no host"), ("[]", "it has no host"),
      ("[]:80", "it has no host"), ("::1", "an IPv6 address needs brackets, as in [::1]"),
      ("a:1:2", "an IPv6 address needs brackets, as in [::1]"),
      ("[::1]80", "its host is malformed"), ("[::1]]:80", "its host is malformed"),
      ("-oProxyCommand=x", "its host has characters that no host name has"),
      ("-v", "its host has characters that no host name has"),
      ("a b", "its host has characters that no host name has"),
      ("a\n", "its host has characters that no host name has"),
      ("a;b", "its host has characters that no host name has"),
      ("a/b:80", "its host has characters that no host name has"),
      ("[::1", "an IPv6 address needs brackets, as in [::1]"),
    ])
  func `a malformed address says what is wrong`(text: String, expected: String) {
    #expect(reason(text) == expected)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `what is parsed from any text has one text and is harmless in a command`(seed: UInt64) {
    var random = RandomValues(seed: seed)
    let pieces = ["a", "1", ":", "[", "]", "-", ".", "%", " ", "$", "`", "é", "80", "::"]
    let text = (0..<random.generator.below(7)).map { _ in random.generator.one(of: pieces) }
      .joined()
    guard let address = try? HostAndPort(text) else { return }
    #expect((try? HostAndPort(address.description)) == address, "seed \(seed): \(text)")
    #expect(!address.host.isEmpty && !address.host.hasPrefix("-"), "seed \(seed): \(text)")
    #expect(address.host.allSatisfy { !" $`[]".contains($0) }, "seed \(seed): \(text)")
  }
}
