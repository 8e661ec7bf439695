// Sort keys: bytes whose plain order is the order of a language. They are made once, when a name
// changes, so that neither a database nor a list has to know any language. Keys of two versions of
// the library do not mix; whoever keeps keys keeps `version` beside them and makes them anew when
// it is another.

import _FoundationICU

/// Makes the sort keys of one language.
package final class Collator: Sendable {
  /// The language.
  package let language: Language
  /// What keys made now can be compared with: the library, its tables, whose rules they follow.
  /// Languages without rules of their own have the same.
  package let version: String

  // The library never changes a collator after it was set up, and may be asked by several threads
  // for keys at a time; it is set up in `init` only.
  private nonisolated(unsafe) let collator: OpaquePointer?

  /// The order of `language`; of no language in particular where it has no rules of its own.
  package init(_ language: Language) {
    var status = U_ZERO_ERROR
    collator = swift_ucol_open(language.identifier, &status)
    // “Unit 9” comes before “Unit 10”.
    swift_ucol_setAttribute(collator, UCOL_NUMERIC_COLLATION, UCOL_ON, &status)
    self.language = language
    var library: [UInt8] = [0, 0, 0, 0]
    swift_u_getVersion(&library)
    var tables: [UInt8] = [0, 0, 0, 0]
    if collator != nil { swift_ucol_getVersion(collator, &tables) }
    let numbers = (library + tables).map { String($0) }.joined(separator: ".")
    let rules = collator.flatMap { swift_ucol_getLocaleByType($0, ULOC_ACTUAL_LOCALE, &status) }
    version = "\(numbers) \(rules.map { String(cString: $0) } ?? "")"
  }

  deinit {
    swift_ucol_close(collator)
  }

  /// The key of a text that has `parts`, the leading one first. Parts count one after another: a
  /// shorter first part comes before a longer one whatever the second parts are, and accents in
  /// the first part count for less than letters in the second. About a microsecond.
  package func key(_ parts: [String]) -> [UInt8] {
    // U+FFFE is the one character that sorts before all others and separates parts on every level.
    var text: [UInt16] = []
    text.reserveCapacity(64)
    for (index, part) in parts.enumerated() {
      if index > 0 { text.append(0xFFFE) }
      text.append(contentsOf: part.utf16.prefix(Self.partUnitsMaximum))
    }
    return key(text)
  }

  /// What of a text's key tells its letters, accents and case apart from nothing.
  func primary(_ text: String) -> [UInt8] {
    let key = key(Array(text.utf16))
    return Array(key.prefix { $0 != 1 })
  }

  // What comes behind does not change where a name stands for anybody who reads the list.
  private static let partUnitsMaximum = 128

  private func key(_ text: [UInt16]) -> [UInt8] {
    guard let collator else { return text.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } }
    let count = Int32(text.count)
    let capacity = 64 + 4 * text.count
    var needed = 0
    let key = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
      needed = Int(
        swift_ucol_getSortKey(collator, text, count, buffer.baseAddress, Int32(buffer.count)))
      // The last byte is a zero that ends every key.
      filled = max(0, min(needed, buffer.count) - 1)
    }
    guard needed > capacity else { return key }
    return [UInt8](unsafeUninitializedCapacity: needed) { buffer, filled in
      let count = swift_ucol_getSortKey(
        collator, text, count, buffer.baseAddress, Int32(buffer.count))
      filled = max(0, min(Int(count), buffer.count) - 1)
    }
  }

  /// The strings of several characters that the language sorts by rules of their own.
  func contractions() -> [String] {
    guard let collator, let set = swift_uset_openEmpty() else { return [] }
    defer { swift_uset_close(set) }
    var status = U_ZERO_ERROR
    swift_ucol_getContractionsAndExpansions(collator, set, nil, 0, &status)
    return CharacterSet.strings(of: set)
  }
}

/// Sets of characters and strings, as the library hands them out.
enum CharacterSet {
  /// The members of `set`, ranges written out.
  static func strings(of set: OpaquePointer) -> [String] {
    var strings: [String] = []
    var buffer = [UInt16](repeating: 0, count: 32)
    for index in 0..<swift_uset_getItemCount(set) {
      var (first, last): (UChar32, UChar32) = (0, 0)
      var status = U_ZERO_ERROR
      let count = swift_uset_getItem(
        set, index, &first, &last, &buffer, Int32(buffer.count), &status)
      if count == 0 {
        strings += (first...last).compactMap { Unicode.Scalar(UInt32($0)).map { String($0) } }
      } else if count > 0, count <= buffer.count {
        strings.append(String(decoding: buffer[..<Int(count)], as: UTF16.self))
      }
    }
    return strings
  }
}
