import Glibc
import NIOCore
import Records

/// The proxies that name the client of each connection they pass on.
package struct TrustedProxies: Sendable {
  /// Their addresses, 4 or 16 bytes each.
  private let addresses: Set<[UInt8]>

  /// No proxies.
  package static let none = TrustedProxies(addresses: [])

  private init(addresses: Set<[UInt8]>) { self.addresses = addresses }

  /// Reads the addresses of a setting, separated by commas or blanks.
  /// - Throws: `configuration` for anything but an address.
  package init(_ text: String, key: String) throws(DaemonError) {
    var addresses: Set<[UInt8]> = []
    for word in text.split(whereSeparator: { ", \t".contains($0) }) {
      guard let address = Self.bytes(of: String(word)) else {
        throw DaemonError(
          .configuration, "The setting “\(key)” has “\(word)”, which is not an address.",
          hint: "Write the IPv4 or IPv6 addresses from which the proxy connects.")
      }
      addresses.insert(address)
    }
    self.addresses = addresses
  }

  /// Whether connections from this address begin with a header that names the client.
  func contains(_ address: SocketAddress?) -> Bool {
    guard !addresses.isEmpty, let text = address?.ipAddress else { return false }
    return Self.bytes(of: text).map(addresses.contains) ?? false
  }

  /// The bytes of an address; those of an IPv4 address that is mapped into IPv6 are the four of the IPv4 address.
  private static func bytes(of text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes[..<4]) }
    guard inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
    let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10..<12] == [0xFF, 0xFF]
    return isMapped ? Array(bytes[12...]) : bytes
  }
}
