import Glibc

/// The addresses by which this machine can be reached, which differ from one network to another.
///
/// The loopback interface is left out, because it never changes. So are interfaces without a carrier and link-local
/// addresses.
package struct NetworkState: Hashable, Sendable {
  /// An address of an interface.
  package struct Address: Hashable, Sendable {
    /// The interface's name.
    package let interface: String
    /// The address as text, for example `192.0.2.7`.
    package let text: String

    package init(interface: String, text: String) {
      self.interface = interface
      self.text = text
    }
  }

  /// `IFF_LOWER_UP` of netdevice(7): the interface has a carrier.
  ///
  /// NB: not `IFF_RUNNING`. The kernel reports that up to a second after a link is up that was down shortly before. A
  /// connection can be made in this time, and lost again without a difference of the flag.
  private static let hasCarrier = 1 << 16

  /// The addresses of all interfaces with a carrier.
  package let addresses: Set<Address>

  package init(addresses: Set<Address>) {
    self.addresses = addresses
  }

  /// The state now; without addresses if the system does not report any.
  package static func current() -> NetworkState {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return NetworkState(addresses: []) }
    defer { freeifaddrs(first) }
    var addresses: Set<Address> = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      let flags = Int(entry.ifa_flags)
      guard flags & hasCarrier != 0, flags & IFF_LOOPBACK == 0,
        let text = entry.ifa_addr.flatMap(text(of:)), !isLinkLocal(text)
      else { continue }
      addresses.insert(Address(interface: String(cString: entry.ifa_name), text: text))
    }
    return NetworkState(addresses: addresses)
  }

  /// Whether the address is valid on one link only. Each interface has one, also those of containers, which come and go.
  private static func isLinkLocal(_ text: String) -> Bool {
    text.hasPrefix("fe80:") || text.hasPrefix("169.254.")
  }

  /// The text of an IPv4 or IPv6 address; `nil` for other families.
  private static func text(of address: UnsafeMutablePointer<sockaddr>) -> String? {
    let length: Int
    switch CInt(address.pointee.sa_family) {
    case AF_INET: length = MemoryLayout<sockaddr_in>.size
    case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
    default: return nil
    }
    var bytes = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard
      getnameinfo(
        address, socklen_t(length), &bytes, socklen_t(bytes.count), nil, 0, NI_NUMERICHOST) == 0
    else { return nil }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
