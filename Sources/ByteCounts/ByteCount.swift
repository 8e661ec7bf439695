// Sizes in sentences for people, in decimal units with at most three digits, as disks and downloads are
// described. JSON contains plain numbers of bytes.

/// A number of bytes that a sentence names.
package struct ByteCount: Hashable, Sendable, CustomStringConvertible {
  private static let units: [(name: String, bytes: Int)] = [
    ("KB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000),
  ]

  private let bytes: Int

  package init(_ bytes: Int) {
    self.bytes = bytes
  }

  /// The size, rounded up: “12.4 MB”, “999 bytes”. A size above a limit thus never reads like the limit.
  package var description: String { text(roundedUp: true) }

  /// The size as a limit, rounded down: a file of the named size is within it.
  package var limit: String { text(roundedUp: false) }

  private func text(roundedUp isUp: Bool) -> String {
    guard bytes >= 1_000 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
    for unit in Self.units {
      let isLast = unit.name == Self.units.last?.name
      let hundredths = Self.hundredths(of: bytes, unit.bytes, isUp)
      // NB: 999,999 bytes rounded up are not 1000 KB, but 1 MB.
      if hundredths < 100_000 || isLast { return "\(Self.decimal(hundredths)) \(unit.name)" }
    }
    return "\(bytes) bytes"
  }

  /// Returns the size in hundredths of a unit, rounded to three digits.
  private static func hundredths(of bytes: Int, _ unit: Int, _ isUp: Bool) -> Int {
    let factor = bytes >= 100 * unit ? 100 : bytes >= 10 * unit ? 10 : 1
    let (quotient, rest) = bytes.quotientAndRemainder(dividingBy: unit / 100 * factor)
    return (quotient + (isUp && rest > 0 ? 1 : 0)) * factor
  }

  /// Returns 1240 as `12.4`.
  private static func decimal(_ hundredths: Int) -> String {
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    let digits = rest < 10 ? "0\(rest)" : "\(rest)"
    return rest == 0 ? "\(whole)" : "\(whole)." + (digits.hasSuffix("0") ? "\(rest / 10)" : digits)
  }
}
