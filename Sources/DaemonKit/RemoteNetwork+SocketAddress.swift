import Glibc
import NIOCore
import Records

extension RemoteNetwork {
  /// The network of a socket's address; `nil` for an address that is not of the internet.
  package init?(_ address: SocketAddress) {
    guard let text = address.ipAddress else { return nil }
    var bytes = [UInt8](repeating: 0, count: 16)
    // A link-local address has its interface behind a percent sign.
    let plain = text.prefix { $0 != "%" }
    if inet_pton(AF_INET, String(plain), &bytes) == 1 {
      self.init(ipv4: Array(bytes[..<4]))
    } else if inet_pton(AF_INET6, String(plain), &bytes) == 1 {
      self.init(ipv6: bytes)
    } else {
      return nil
    }
  }
}
