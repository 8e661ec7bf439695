// The code of a device invitation, which people read from one screen and type on another. It has Crockford's
// base32 letters, without those that look like digits, and two check letters, so that a typing error is
// reported on the device and costs no attempt.

import Records

/// The secret of a device invitation: 128 random bits. It never travels; both sides prove that they know it.
package struct InvitationCode: Hashable, Sendable {
  /// The 128 bits.
  package let value: UInt128

  /// The number of letters and digits of a code, without separators.
  package static let lettersCount = 28
  private static let secretLettersCount = 26
  private static let groupLettersCount = 4
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

  package init(_ value: UInt128) {
    self.value = value
  }

  /// Generates a code. `generator` must be cryptographically secure.
  package static func random(using generator: inout some RandomNumberGenerator) -> Self {
    Self(UInt128(generator.next()) << 64 | UInt128(generator.next()))
  }

  /// Parses a code. Letter case, spaces and hyphens do not matter; O is read as 0, and I and L as 1.
  /// - Throws: `invalidArguments` with the reason `malformedCode`.
  package init(text: String) throws(RecordsError) {
    let letters = text.uppercased().filter { $0 != "-" && !$0.isWhitespace }
    guard letters.count == Self.lettersCount else {
      throw Self.malformed(
        "An invitation has \(Self.lettersCount) letters and digits; this one has \(letters.count).")
    }
    var digits: [Int] = []
    for letter in letters {
      guard let digit = Self.digit(of: letter) else {
        throw Self.malformed("An invitation cannot contain “\(letter)”.")
      }
      digits.append(digit)
    }
    let secret = digits.prefix(Self.secretLettersCount)
    // 26 letters have 130 bits; the first two are zero.
    guard secret[0] < 8, Self.checkDigits(of: secret) == Array(digits.suffix(2)) else {
      throw Self.malformed("The invitation has a typing error.")
    }
    value = secret.reduce(0) { $0 << 5 | UInt128($1) }
  }

  /// The code in groups of four, with hyphens.
  package var text: String {
    let secret = (0..<Self.secretLettersCount).map { index in
      Int(truncatingIfNeeded: value >> UInt128(5 * (Self.secretLettersCount - 1 - index))) & 31
    }
    let letters = (secret + Self.checkDigits(of: secret[...])).map { Self.alphabet[$0] }
    let groups = stride(from: 0, to: letters.count, by: Self.groupLettersCount).map { start in
      String(letters[start..<start + Self.groupLettersCount])
    }
    return groups.joined(separator: "-")
  }

  /// The 16 bytes, most significant first.
  package var bytes: [UInt8] {
    (0..<16).map { UInt8(truncatingIfNeeded: value >> UInt128(120 - 8 * $0)) }
  }

  private static func digit(of letter: Character) -> Int? {
    switch letter {
    case "O": 0
    case "I", "L": 1
    default: alphabet.firstIndex(of: letter)
    }
  }

  /// Two digits that change if one letter is wrong or two neighbours are exchanged: the sum of the digits
  /// with rising weights, modulo the prime 1,021.
  private static func checkDigits(of digits: ArraySlice<Int>) -> [Int] {
    let sum = digits.enumerated().reduce(0) { ($0 + ($1.offset + 1) * ($1.element + 1)) % 1021 }
    return [sum >> 5, sum & 31]
  }

  private static func malformed(_ sentence: String) -> RecordsError {
    RecordsError(
      .invalidArguments, sentence, hint: "Compare it with the device that shows it.",
      field: "invitation", reason: "malformedCode")
  }
}

extension InvitationCode: CustomStringConvertible {
  /// A constant instead of the code, because descriptions appear in logs.
  package var description: String { "an invitation's code" }
}
