/// The part of an address by which remote clients are counted and limited.
///
/// It is the whole of an IPv4 address, and the first 64 bits of an IPv6 address, because one subscriber has
/// all addresses that begin with them (RFC 6177).
package struct RemoteNetwork: Hashable, Sendable, CustomStringConvertible {
  /// The network as text.
  package let description: String

  /// Creates the network of an IPv4 address.
  package init(ipv4 bytes: [UInt8]) {
    precondition(bytes.count == 4, "An IPv4 address has 4 bytes.")
    self.init(description: bytes.map { "\($0)" }.joined(separator: "."))
  }

  /// Creates the network of an IPv6 address. An IPv4 address that is mapped into IPv6 (RFC 4291, 2.5.5.2) is
  /// treated as the IPv4 address.
  package init(ipv6 bytes: [UInt8]) {
    precondition(bytes.count == 16, "An IPv6 address has 16 bytes.")
    guard bytes[..<10].contains(where: { $0 != 0 }) || bytes[10..<12] != [0xFF, 0xFF] else {
      self.init(ipv4: Array(bytes[12...]))
      return
    }
    let groups = stride(from: 0, to: 8, by: 2).map { index in
      String(UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]), radix: 16)
    }
    self.init(description: groups.joined(separator: ":") + "::/64")
  }

  private init(description: String) {
    self.description = description
  }
}
