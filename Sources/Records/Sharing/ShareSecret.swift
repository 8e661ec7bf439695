/// The secret of a share link: 128 random bits. Possession grants access, so secrets are never
/// logged and never stored by the broker.
package struct ShareSecret: Hashable, Sendable {
  /// The 128 bits.
  package let value: UInt128

  package init(_ value: UInt128) {
    self.value = value
  }

  /// Generates a secret. `generator` must be cryptographically secure.
  package static func random(using generator: inout some RandomNumberGenerator) -> Self {
    Self(UInt128(generator.next()) << 64 | UInt128(generator.next()))
  }

  /// The secret's 16 bytes, most significant first, from which its digest is computed.
  package var bytes: [UInt8] {
    (0..<16).map { UInt8(truncatingIfNeeded: value >> UInt128(120 - 8 * $0)) }
  }

  /// Creates a secret from 16 bytes; returns `nil` for any other count.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    value = bytes.reduce(0) { $0 << 8 | UInt128($1) }
  }
}

extension ShareSecret: CustomStringConvertible {
  /// A constant instead of the secret, because descriptions appear in logs.
  package var description: String { "a link's secret" }
}
