// Phone numbers in a comparable form. One number is written +46 70 174 06 10, 0046701740610, 070-174 06 10
// and (0)70 1740610. Punctuation and trunk prefixes are ignored. The remaining digits differ by the country
// code only, so numbers are compared from their ends. The numbering plan (ITU-T E.164) defines the country
// codes.

/// The digits of one written phone number.
package struct PhoneDigits: Hashable, Sendable {
  /// The significant digits: with the country code if it was written, without leading zeros.
  package let full: String
  /// The digits without a country code, if one was written; otherwise equal to `full`.
  package let national: String

  /// Parses a written number. Both properties are empty if it has no digits.
  package init(_ written: String) {
    let hasParenthesis = written.utf8.contains(UInt8(ascii: "("))
    let written = hasParenthesis ? written.replacing("(0)", with: "") : written
    let digits = Self.digits(of: written)
    let kept = String(digits.drop { $0 == "0" })
    let isInternational =
      written.first { !$0.isWhitespace && $0 != "(" } == "+" || digits.hasPrefix("00")
    full = kept
    national =
      isInternational && kept.count > Self.codeDigitsMaximum
      ? String(kept.dropFirst(Self.codeDigits(of: kept)).drop { $0 == "0" }) : kept
  }

  /// Returns the digits of a text in ASCII, from any script.
  package static func digits(of text: String) -> String {
    var digits = ""
    for scalar in text.unicodeScalars {
      if (0x30...0x39).contains(scalar.value) {
        digits.unicodeScalars.append(scalar)
      } else if !scalar.isASCII, scalar.properties.numericType == .decimal,
        let value = scalar.properties.numericValue
      {
        digits.append(String(Int(value)))
      }
    }
    return digits
  }

  /// Whether `text` can only be a phone number or a part of one: digits and separators.
  package static func areAll(_ text: String) -> Bool {
    var count = 0
    for scalar in text.unicodeScalars {
      if scalar.properties.numericType == .decimal {
        count += 1
      } else if !between.contains(scalar) {
        return false
      }
    }
    return count >= fewest
  }

  /// The minimum number of digits; fewer are searched as words only.
  private static let fewest = 3
  private static let between: Set<Unicode.Scalar> = [
    "+", "-", "(", ")", ".", "/", " ", "\t", "\u{A0}", "\u{2010}", "\u{2011}", "\u{2013}",
  ]

  private static let codeDigitsMaximum = 3

  /// Returns the length of the country code at the beginning of `digits`.
  private static func codeDigits(of digits: String) -> Int {
    if digits.hasPrefix("1") || digits.hasPrefix("7") { return 1 }
    return twoDigits.contains(String(digits.prefix(2))) ? 2 : codeDigitsMaximum
  }

  // The country codes of two digits. Except for 1 and 7, all others have three.
  private static let twoDigits: Set<String> = [
    "20", "27", "30", "31", "32", "33", "34", "36", "39", "40", "41", "43", "44", "45", "46", "47",
    "48", "49", "51", "52", "53", "54", "55", "56", "57", "58", "60", "61", "62", "63", "64", "65",
    "66", "81", "82", "84", "86", "90", "91", "92", "93", "94", "95", "98",
  ]
}
