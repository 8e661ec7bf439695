// The secret of a link: 128 random bits that lead in. Whoever has them may use them, so they are
// never logged and never kept on the broker.

/// The secret of a link.
package struct ShareSecret: Hashable, Sendable {
  /// The 128 bits.
  package let value: UInt128

  /// The secret with these bits.
  package init(_ value: UInt128) {
    self.value = value
  }

  /// Draws a new one from `generator`, which must be fit for secrets.
  package static func random(using generator: inout some RandomNumberGenerator) -> Self {
    Self(UInt128(generator.next()) << 64 | UInt128(generator.next()))
  }

  /// The 16 bytes, the highest first: what digests are made of.
  package var bytes: [UInt8] {
    (0..<16).map { UInt8(truncatingIfNeeded: value >> UInt128(120 - 8 * $0)) }
  }

  /// Reads 16 bytes; `nil` for another number of them.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    value = bytes.reduce(0) { $0 << 8 | UInt128($1) }
  }
}

extension ShareSecret: CustomStringConvertible {
  /// Not the secret: descriptions end in logs.
  package var description: String { "a link's secret" }
}
