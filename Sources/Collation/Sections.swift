// The section headings of sorted names. Each language defines the letters of its indexes (Swedish: A to Z, Å,
// Ä, Ö; Czech: CH after H). The order that sorts the names also determines where each letter begins, so a
// heading never appears twice. Names in other scripts have the letters of those scripts as headings. Chinese
// characters share one heading, unless the language reads them. Names that begin with no letter are last,
// under “#”.

import CICU

/// The section headings of one language.
package struct Sections: Sendable {
  /// The number of a heading. Lists are sorted by it first, so the numbers are in the order of the headings.
  package typealias Place = UInt32

  /// The heading of names that begin with no letter; after all others.
  package static let otherPlace = Place.max
  /// The first number for scripts without an index, to which the letter is added: each letter is a heading.
  private static let letterPlace: Place = 0x0100_0000
  /// The heading of Chinese characters in languages that do not read them.
  private static let hanPlace: Place = 0x0200_0000

  private struct Heading: Sendable {
    let label: String
    let script: Int32
    let key: [UInt8]
    var place: Place
  }

  /// The version of the headings. Instances of the same version, with collators of one version, give every
  /// name the same heading.
  package let version: String

  private let collator: Collator
  private let headings: [Heading]
  private let labels: [Place: String]
  private let readsHan: Bool

  /// Creates the headings of the collator's language. Takes some ten milliseconds, so create them once.
  package init(_ collator: Collator) {
    self.collator = collator
    let code = collator.language.code
    readsHan = ["zh", "yue", "ko"].contains(code)
    var found = Self.readings(collator)
    let own = Self.index(of: collator.language.identifier)
    for label in own + Self.foreign.flatMap(Self.index).filter({ $0.unicodeScalars.count == 1 }) {
      guard let script = label.unicodeScalars.first.map(Self.script), script != Self.han else {
        // Where characters are indexes of their own, the marks of `readings` are more exact.
        continue
      }
      found.append(Heading(label: label, script: script, key: collator.primary(label), place: 0))
    }
    let ordered = found.enumerated().sorted { left, right in
      left.element.key == right.element.key
        ? left.offset < right.offset
        : left.element.key.lexicographicallyPrecedes(right.element.key)
    }.map(\.element)
    headings = Self.numbered(ordered)
    labels = Dictionary(headings.map { ($0.place, $0.label) }) { first, _ in first }
    version = Self.fingerprint(headings) + (readsHan ? " han" : "")
  }

  /// Returns the heading of a name that begins with `text`, and `text` as it is sorted: without the marks
  /// before its first letter or digit.
  package func place(of text: String) -> (place: Place, text: String) {
    let scalars = text.unicodeScalars
    guard let start = scalars.firstIndex(where: Self.counts) else {
      return (Self.otherPlace, text)
    }
    let kept = start == scalars.startIndex ? text : String(scalars[start...])
    return (place(of: kept, beginningWith: scalars[start]), kept)
  }

  /// Returns the text of a heading.
  package func label(of place: Place) -> String {
    if place == Self.otherPlace { return "#" }
    if place == Self.hanPlace { return "漢" }
    if place > Self.letterPlace {
      return Unicode.Scalar(place - Self.letterPlace).map { String($0) } ?? "#"
    }
    return labels[place] ?? "#"
  }

  private func place(of text: String, beginningWith scalar: Unicode.Scalar) -> Place {
    let script = Self.script(scalar)
    guard script > Self.inherited else { return Self.otherPlace }
    let key = collator.primary(String(text.unicodeScalars.prefix(Self.scalarsLookedAt)))
    if let heading = heading(before: key) {
      let isRead = script == Self.han && readsHan
      if heading.script == script || isRead { return heading.place }
    }
    if script == Self.han { return Self.hanPlace }
    return Self.letterPlace + Self.base(of: scalar).value
  }

  // No language has an index letter of more scalars.
  private static let scalarsLookedAt = 4

  private func heading(before key: [UInt8]) -> Heading? {
    var (low, high) = (0, headings.count)
    while low < high {
      let middle = (low + high) / 2
      if key.lexicographicallyPrecedes(headings[middle].key) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low > 0 ? headings[low - 1] : nil
  }
}

// MARK: Making them

extension Sections {
  /// Languages whose letters are the headings of names in other scripts than the list's own.
  private static let foreign = [
    "en", "el", "ru", "uk", "be", "sr_Cyrl", "mk", "ka", "hy", "he", "ar", "fa", "ur", "am", "hi",
    "bn", "pa", "gu", "ta", "te", "kn", "ml", "si", "th", "lo", "ko", "ja",
  ]

  private static let inherited = ICU_SCRIPT_INHERITED
  private static let han = ICU_SCRIPT_HAN

  /// Returns the index letters of a language.
  private static func index(of language: String) -> [String] {
    guard let set = icu_copy_index_letters(language) else { return [] }
    defer { icu_close_set(set) }
    return CharacterSet.strings(of: set)
  }

  /// Returns where Chinese characters with the same reading or number of strokes begin. Orders with such
  /// groups mark the beginning of each with U+FDD0 and the letter, or U+2800 and the number of strokes.
  private static func readings(_ collator: Collator) -> [Heading] {
    guard collator.language.code == "zh" else { return [] }
    return collator.contractions().compactMap { mark in
      let scalars = Array(mark.unicodeScalars)
      guard scalars.count == 2, scalars[0].value == 0xFDD0 else { return nil }
      let strokes = Int(scalars[1].value) - 0x2800
      let isCount = (1...255).contains(strokes)
      guard isCount || scalars[1].isASCII else { return nil }
      let label = isCount ? "\(strokes)劃" : String(scalars[1]).uppercased()
      return Heading(label: label, script: han, key: collator.primary(mark), place: 0)
    }
  }

  /// Returns the headings with their numbers. Of two that begin at the same position the first remains; two
  /// with the same letter, such as Latin A and characters with a reading in A, have the same number.
  private static func numbered(_ ordered: [Heading]) -> [Heading] {
    var places: [String: Place] = [:]
    var result: [Heading] = []
    for var heading in ordered where result.last?.key != heading.key {
      heading.place = places[heading.label] ?? Place(places.count + 1)
      places[heading.label] = heading.place
      result.append(heading)
    }
    return result
  }

  private static func fingerprint(_ headings: [Heading]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for heading in headings {
      for byte in Array(heading.label.utf8) + [0] + heading.key + [0] {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
      }
    }
    return String(hash, radix: 16)
  }

  /// Whether a name can be looked up by this scalar: a letter or a digit.
  private static func counts(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  /// Returns the script of a scalar; the two Japanese syllabaries count as one.
  private static func script(_ scalar: Unicode.Scalar) -> Int32 {
    let script = icu_get_script(scalar.value)
    return script == ICU_SCRIPT_KATAKANA ? ICU_SCRIPT_HIRAGANA : script
  }

  /// Returns a letter in upper case without accents.
  private static func base(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    let capital = scalar.properties.uppercaseMapping.unicodeScalars.first ?? scalar
    var parts = [UInt16](repeating: 0, count: 16)
    let count = icu_decompose_scalar(capital.value, &parts, Int32(parts.count))
    guard count > 0 else { return capital }
    return String(decoding: parts[..<Int(count)], as: UTF16.self).unicodeScalars.first ?? capital
  }
}
