/// An IPv4 address that leads to this machine only (RFC 1122, section 3.2.1.3: 127.0.0.0/8).
package struct LoopbackAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address as a number, the first byte highest.
  package let number: UInt32

  /// 127.0.0.1, which people know.
  package static let standard = LoopbackAddress(number: 0x7F00_0001)

  private init(number: UInt32) { self.number = number }

  /// Creates the address with this number; `nil` if it leads elsewhere.
  package init?(_ number: UInt32) {
    guard number >> 24 == 127 else { return nil }
    self.init(number: number)
  }

  /// Draws one of sixteen million addresses. Machines give some of 127.0.0.0/16 to services, so none of those is drawn.
  package static func random(using generator: inout some RandomNumberGenerator) -> LoopbackAddress {
    LoopbackAddress(
      number: 0x7F00_0000 | UInt32.random(in: 0x01_0000...0xFF_FFFE, using: &generator))
  }

  package var description: String {
    (0..<4).reversed().map { "\(number >> (8 * $0) & 0xFF)" }.joined(separator: ".")
  }
}
