// A comparison of texts in a filter (RFC 6352, section 10.5.4).

import Foundation

/// A condition on a text.
package struct TextMatch: Hashable, Sendable {
  private enum Position: String, Hashable, Sendable {
    case equals, contains
    case startsWith = "starts-with"
    case endsWith = "ends-with"
  }

  /// The names of the collations, as a book reports them.
  package static let collations = ["i;unicode-casemap", "i;ascii-casemap", "i;octet"]

  /// Words in lower case that every text contains that meets the condition; `nil` if none is known. Only letters and
  /// digits of ASCII, of which a search has no other spellings.
  let necessaryWords: Set<String>?
  private let folded: [UInt8]
  private let collation: String
  private let position: Position
  private let isNegated: Bool

  /// Reads a `CARDDAV:text-match`.
  /// - Throws: 403 with `supported-collation` for another collation.
  init(_ element: XMLTree) throws(DAVError) {
    let collation = element.attributes["collation"] ?? "default"
    self.collation = collation == "default" ? Self.collations[0] : collation
    guard Self.collations.contains(self.collation) else {
      throw DAVError(
        .forbidden, "This server compares texts by \(Self.collations.joined(separator: ", ")).",
        condition: XMLTree(.card("supported-collation")))
    }
    guard let position = Position(rawValue: element.attributes["match-type"] ?? "contains") else {
      throw CardFilter.unsupported
    }
    self.position = position
    isNegated = element.attributes["negate-condition"] == "yes"
    necessaryWords = isNegated ? nil : Self.words(of: element.text)
    folded = Self.folded(element.text, self.collation)
  }

  /// Whether `text` meets the condition.
  func matches(_ text: String) -> Bool {
    let text = Self.folded(text, collation)
    let isMatch =
      switch position {
      case .equals: text == folded
      case .contains: Self.contains(text, folded)
      case .startsWith: text.starts(with: folded)
      case .endsWith: text.reversed().starts(with: folded.reversed())
      }
    return isMatch != isNegated
  }

  /// Whether a text contains another. A query compares thousands of short texts, for which the general search takes
  /// several times as long.
  private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    guard let first = part.first else { return true }
    guard text.count >= part.count else { return false }
    return (0...text.count - part.count).contains { start in
      text[start] == first && text[start..<start + part.count].elementsEqual(part)
    }
  }

  private static func words(of text: String) -> Set<String>? {
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map { String($0) }
    return words.isEmpty ? nil : Set(words)
  }

  private static func folded(_ text: String, _ collation: String) -> [UInt8] {
    switch collation {
    // RFC 5051 compares titlecase mappings in a decomposed form; uppercase gives the same order of equality. In ASCII both
    // foldings are the same.
    case collations[0] where !text.utf8.allSatisfy { $0 < 0x80 }:
      Array(text.uppercased().decomposedStringWithCanonicalMapping.utf8)
    case collations[0], collations[1]:
      text.utf8.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 - 32 : $0 }
    default: Array(text.utf8)
    }
  }
}
