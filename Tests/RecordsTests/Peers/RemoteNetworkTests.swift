import Records
import Testing

@Suite("R6 networks of other machines")
struct RemoteNetworkTests {
  @Test func `an IPv6 network is the first 64 bits, and a mapped IPv4 address is that address`() {
    let first: [UInt8] = [0x20, 0x01, 0x0D, 0xB8, 0, 1, 0, 2]
    let one = RemoteNetwork(ipv6: first + [0, 0, 0, 0, 0, 0, 0, 1])
    #expect(one == RemoteNetwork(ipv6: first + [9, 9, 9, 9, 9, 9, 9, 9]))
    #expect(one.description == "2001:db8:1:2::/64")
    let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF, 192, 0, 2, 7]
    #expect(RemoteNetwork(ipv6: mapped) == RemoteNetwork(ipv4: [192, 0, 2, 7]))
    #expect(RemoteNetwork(ipv4: [192, 0, 2, 7]).description == "192.0.2.7")
  }
}
