// The words of a text as searches compare them: without case, diacritics and punctuation. A word that is not
// in plain Latin letters is added a second time in Latin letters – Łukasz is found by “lukasz”, Иван by
// “ivan”, 李 by “li” – and a word with an apostrophe or a hyphen also without it (O'Brien, “obrien”). Chinese
// text has no blanks, so each character is a word. The result does not depend on the machine's language.

import CICU
import Synchronization

/// Splits texts into comparable words.
package final class Words: Sendable {
  /// The shared instance. Its tables take some megabytes.
  package static let shared = Words()

  /// The version of the words. Words of different versions cannot be compared.
  package static var version: String {
    var library: [UInt8] = [0, 0, 0, 0]
    icu_get_version(&library)
    return library.map { String($0) }.joined(separator: ".") + " words 1"
  }

  // A cache of transliterations, because address books repeat many names. It is emptied when it is full.
  fileprivate struct Memory {
    var latin: [String: [String]] = [:]
    var transliterator: OpaquePointer?
  }

  private static let rememberedWordsMaximum = 8192
  /// The maximum number of scalars of a word that are transliterated. The library's rules cost the square of
  /// a word's length; longer words are several ones written without blanks.
  private static let wordScalarsMaximum = 64
  private let memory = Mutex(Memory())

  private init() {}

  /// Returns the folded words of `text` in order, without additional forms. Queries are read this way.
  package func folded(_ text: String) -> [String] {
    if let words = Self.plain(text) { return words }
    return Self.withFolded(text, Self.split)
  }

  /// Appends all words by which `text` is found to `result`, each followed by a blank: the folded words in
  /// order, then the transliterated ones and those without apostrophe or hyphen.
  package func append(_ text: String, to result: inout String) {
    guard !text.isEmpty, !Self.appendPlain(text, to: &result) else { return }
    let words = folded(text)
    for word in words { result.append(word, withBlank: ()) }
    var latin: [String] = []
    for word in words where !word.utf8.allSatisfy({ $0 < 0x80 }) { latin += self.latin(of: word) }
    for word in latin { result.append(word, withBlank: ()) }
    if latin.count > 1, words.contains(where: Self.isHan) {
      result.append(latin.joined(), withBlank: ())
    }
    for word in Self.joined(text) { result.append(word, withBlank: ()) }
  }

  /// Returns a folded word in Latin letters without diacritics; empty if it has none. May be several words.
  package func latin(of word: String) -> [String] {
    let word =
      word.utf8.count <= Self.wordScalarsMaximum
      ? word : String(word.unicodeScalars.prefix(Self.wordScalarsMaximum))
    return memory.withLock { memory in
      if let known = memory.latin[word] { return known }
      let latin = Self.plain(memory.transliterated(word)) ?? []
      if memory.latin.count >= Self.rememberedWordsMaximum { memory.latin = [:] }
      memory.latin[word] = latin
      return latin
    }
  }

  /// Whether a folded word is written in Latin letters, with or without diacritics.
  package static func isLatin(_ word: String) -> Bool {
    word.unicodeScalars.allSatisfy { scalar in
      switch icu_get_script(scalar.value) {
      case ICU_SCRIPT_LATIN, ICU_SCRIPT_COMMON, ICU_SCRIPT_INHERITED: true
      default: false
      }
    }
  }

  private static func isHan(_ word: String) -> Bool {
    guard let scalar = word.unicodeScalars.first else { return false }
    return scalar.properties.isIdeographic
  }

  /// Returns the words of an ASCII text; `nil` for other texts. Nearly all texts are ASCII.
  private static func plain(_ text: String) -> [String]? {
    var text = text
    return text.withUTF8 { bytes -> [String]? in
      guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
      var words: [String] = []
      var start = 0
      while start < bytes.count {
        guard isWordByte(bytes[start]) else {
          start += 1
          continue
        }
        var end = start
        while end < bytes.count, isWordByte(bytes[end]) { end += 1 }
        words.append(
          String(unsafeUninitializedCapacity: end - start) { buffer in
            for index in start..<end { buffer[index - start] = lowercase(bytes[index]) }
            return end - start
          })
        start = end
      }
      return words
    }
  }

  /// Appends the words of an ASCII text without apostrophes and hyphens, whose words have no other form.
  /// - Returns: Whether the text is of this kind.
  private static func appendPlain(_ text: String, to result: inout String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      guard bytes.allSatisfy({ $0 < 0x80 && $0 != 0x27 && $0 != 0x2D }) else { return false }
      result += String(unsafeUninitializedCapacity: bytes.count + 1) { buffer in
        var count = 0
        var isInWord = false
        for byte in bytes {
          let isPart = isWordByte(byte)
          if isPart || isInWord {
            buffer[count] = isPart ? lowercase(byte) : UInt8(ascii: " ")
            count += 1
          }
          isInWord = isPart
        }
        if isInWord {
          buffer[count] = UInt8(ascii: " ")
          count += 1
        }
        return count
      }
      return true
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

// MARK: What is not ASCII

extension Words {
  /// Calls `body` with the text in canonical decomposition, without differences of case and width.
  private static func withFolded<Result>(
    _ text: String, _ body: (UnsafeBufferPointer<UInt16>) -> Result
  ) -> Result {
    let units = Array(text.utf16)
    // Case folding makes up to three units of one, decomposition up to eighteen.
    return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 3 * units.count) { cased in
      let count = icu_fold_case(
        units, Int32(units.count), cased.baseAddress, Int32(cased.count))
      let capacity = 18 * Int(max(0, count)) + 8
      return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: capacity) { decomposed in
        let length =
          count < 0
          ? 0
          : icu_decompose(
            cased.baseAddress, count, decomposed.baseAddress, Int32(decomposed.count))
        return body(UnsafeBufferPointer(rebasing: decomposed[..<Int(max(0, length))]))
      }
    }
  }

  /// Splits folded text at everything that is not part of a word, and removes diacritics. Korean syllables
  /// stay decomposed into letters, so that the beginning of a syllable finds it.
  private static func split(_ units: UnsafeBufferPointer<UInt16>) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    func end() {
      guard !word.isEmpty else { return }
      words.append(String(decoding: word, as: UTF8.self))
      word.removeAll(keepingCapacity: true)
    }
    var decoder = UTF16()
    var iterator = units.makeIterator()
    while true {
      let scalar: Unicode.Scalar
      switch decoder.decode(&iterator) {
      case .scalarValue(let value): scalar = value
      case .error: scalar = "\u{FFFD}"
      case .emptyInput:
        end()
        return words
      }
      switch kind(of: scalar) {
      case .accent: continue
      case .part: word += UTF8.encode(scalar).unsafelyUnwrapped
      case .whole:
        end()
        words.append(String(scalar))
      case .gap: end()
      }
    }
  }

  /// What a scalar of folded text means for words.
  enum Kind { case part, whole, accent, gap }

  static func kind(of scalar: Unicode.Scalar) -> Kind {
    switch scalar.value {
    case 0x30...0x39, 0x61...0x7A: return .part
    case 0..<0x80: return .gap
    case 0x300...0x36F, 0x591...0x5BD, 0x5BF...0x5C7, 0x64B...0x65F, 0x670, 0x1AB0...0x1AFF,
      0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F, 0x200C...0x200F:
      return .accent
    // Letters of the commonest scripts, because looking up properties takes most of the time.
    case 0x3B1...0x3C9, 0x430...0x45F, 0x5D0...0x5EA, 0x621...0x63A, 0x641...0x64A, 0xE01...0xE3A,
      0x1100...0x11FF, 0x3041...0x3096, 0x30A1...0x30FA:
      return .part
    case 0x4E00...0x9FA5: return .whole
    default: break
    }
    return kindByProperties(of: scalar)
  }

  static func kindByProperties(of scalar: Unicode.Scalar) -> Kind {
    let properties = scalar.properties
    if properties.isIdeographic { return .whole }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .decimalNumber, .letterNumber:
      return .part
    default: return .gap
    }
  }

  /// Whether a scalar is an apostrophe or a hyphen.
  private static func isJoint(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x27, 0x2019, 0x2D, 0x2010: true
    default: false
    }
  }

  /// Returns the words of a text that contain an apostrophe or a hyphen, without it.
  private static func joined(_ text: String) -> [String] {
    guard text.unicodeScalars.contains(where: isJoint) else { return [] }
    return pieces(of: text).compactMap { piece in
      guard piece.contains(where: isJoint), piece.contains(where: isLetter) else { return nil }
      // NB: a filtered substring is a substring, to which each scalar is appended by itself.
      var kept = ""
      kept.unicodeScalars.append(contentsOf: piece.lazy.filter { !isJoint($0) })
      let words = shared.folded(kept)
      return words.count == 1 ? words[0] : nil
    }
  }

  /// Splits a text at blank characters. Before U+0300 each scalar is a character (of a carriage return and a line feed, both
  /// are blank), and characters need not be found first, which takes most of the time.
  static func pieces(of text: String) -> [Substring.UnicodeScalarView] {
    let firstByteFromU0300: UInt8 = 0xCC
    guard text.utf8.allSatisfy({ $0 < firstByteFromU0300 }) else {
      return text.split(whereSeparator: \.isWhitespace).map(\.unicodeScalars)
    }
    return text.unicodeScalars.split { scalar in
      scalar.isASCII
        ? scalar == " " || ("\t"..."\r").contains(scalar) : scalar.properties.isWhitespace
    }
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.isASCII else { return scalar.properties.isAlphabetic }
    return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }
}

extension Words.Memory {
  /// Returns `word` in Latin letters by the library's rules.
  fileprivate mutating func transliterated(_ word: String) -> String {
    if transliterator == nil {
      let name = Array("Any-NFC; Any-Latin; Latin-ASCII".utf16)
      transliterator = icu_open_transliterator(name, Int32(name.count))
    }
    guard let transliterator else { return "" }
    var units = Array(word.utf16)
    let count = Int32(units.count)
    // The longest transliteration of one character has eight letters.
    units += [UInt16](repeating: 0, count: 8 * units.count + 16)
    let length = icu_transliterate(transliterator, &units, count, Int32(units.count))
    guard length >= 0 else { return "" }
    return String(decoding: units[..<Int(length)], as: UTF16.self)
  }
}

extension String {
  /// Appends a word and a blank.
  fileprivate mutating func append(_ word: String, withBlank: Void) {
    append(word)
    append(" ")
  }
}
