// Sort keys: byte strings whose order is the order of a language. A key is created when a name changes, so
// databases and lists need not know any language. Keys of different library versions cannot be compared. Code
// that stores keys must therefore store `version` with them and recreate the keys when it changes.

import CICU

/// Creates the sort keys of one language.
package final class Collator: Sendable {
  /// The language.
  package let language: Language
  /// The version of the keys: the library, its tables and the rules of the language. Languages without rules
  /// of their own have the same version.
  package let version: String

  // The library does not change a collator after setup, and several threads may create keys at the same time.
  // Only `init` sets it up.
  private nonisolated(unsafe) let collator: OpaquePointer?

  /// Creates the collator of `language`; without rules for it, that of no particular language.
  package init(_ language: Language) {
    collator = icu_open_collator(language.identifier)
    self.language = language
    var library: [UInt8] = [0, 0, 0, 0]
    icu_get_version(&library)
    var tables: [UInt8] = [0, 0, 0, 0]
    if collator != nil { icu_get_collator_version(collator, &tables) }
    let numbers = (library + tables).map { String($0) }.joined(separator: ".")
    let rules = collator.flatMap { icu_get_rules_locale($0) }
    version = "\(numbers) \(rules.map { String(cString: $0) } ?? "")"
  }

  deinit {
    icu_close_collator(collator)
  }

  /// Returns the sort key of a text with `parts`, the leading one first. Parts are compared one after
  /// another: a shorter first part precedes a longer one regardless of the second parts, and accents in the
  /// first part count less than letters in the second. Takes about a microsecond.
  package func key(_ parts: [String]) -> [UInt8] {
    // U+FFFE sorts before all other characters and separates parts at every level.
    var text: [UInt16] = []
    text.reserveCapacity(64)
    for (index, part) in parts.enumerated() {
      if index > 0 { text.append(0xFFFE) }
      text.append(contentsOf: part.utf16.prefix(Self.partUnitsMaximum))
    }
    return key(text)
  }

  /// Returns the primary key of a text, which ignores accents and case.
  func primary(_ text: String) -> [UInt8] {
    let key = key(Array(text.utf16))
    return Array(key.prefix { $0 != 1 })
  }

  // The maximum number of units of a part that are compared. Later ones do not matter in a list that people
  // read.
  private static let partUnitsMaximum = 128

  private func key(_ text: [UInt16]) -> [UInt8] {
    guard let collator else { return text.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } }
    let count = Int32(text.count)
    let capacity = 64 + 4 * text.count
    var needed = 0
    let key = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
      needed = Int(
        icu_get_sort_key(collator, text, count, buffer.baseAddress, Int32(buffer.count)))
      // The last byte of a key is always zero.
      filled = max(0, min(needed, buffer.count) - 1)
    }
    guard needed > capacity else { return key }
    return [UInt8](unsafeUninitializedCapacity: needed) { buffer, filled in
      let count = icu_get_sort_key(
        collator, text, count, buffer.baseAddress, Int32(buffer.count))
      filled = max(0, min(Int(count), buffer.count) - 1)
    }
  }

  /// Returns the strings of several characters for which the language has rules.
  func contractions() -> [String] {
    guard let collator, let set = icu_copy_contractions(collator) else { return [] }
    defer { icu_close_set(set) }
    return CharacterSet.strings(of: set)
  }
}

/// Sets of characters and strings of the library.
enum CharacterSet {
  /// Returns the members of `set`, with ranges expanded.
  static func strings(of set: OpaquePointer) -> [String] {
    var strings: [String] = []
    var buffer = [UInt16](repeating: 0, count: 32)
    for index in 0..<icu_get_item_count(set) {
      var (first, last): (UInt32, UInt32) = (0, 0)
      let count = icu_get_item(set, index, &first, &last, &buffer, Int32(buffer.count))
      if count == 0 {
        strings += (first...last).compactMap { Unicode.Scalar($0).map { String($0) } }
      } else if count > 0, count <= buffer.count {
        strings.append(String(decoding: buffer[..<Int(count)], as: UTF16.self))
      }
    }
    return strings
  }
}
