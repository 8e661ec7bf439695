/// Splits texts into words for `self CONTAINS`. A word is a run of letters, numbers and marks, by their
/// Unicode general category.
package enum WordSplitter {
  /// Returns the words of `text`, folded without case and accents, in order and with repetitions.
  package static func words(of text: String) -> [[UInt8]] {
    let folded = TextFold.folded(text, [.caseInsensitive, .diacriticInsensitive])
    var words: [[UInt8]] = []
    folded.withUnsafeBufferPointer { bytes in
      forEachWord(in: bytes) { word in
        words.append(Array(word))
        return true
      }
    }
    return words
  }

  /// Calls `body` with each word of a folded text, until it returns false.
  @inline(__always)
  package static func forEachWord(
    in folded: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Bool
  ) {
    var start: Int?
    var index = 0
    while index < folded.count {
      let length: Int
      let isInWord: Bool
      if folded[index] < 0x80 {
        length = 1
        isInWord = isWordByte(folded[index])
      } else {
        length = max(1, min(scalarLength(folded[index]), folded.count - index))
        isInWord = isWordScalar(folded, at: index, length: length)
      }
      if isInWord, start == nil { start = index }
      if !isInWord, let from = start {
        guard body(UnsafeBufferPointer(rebasing: folded[from..<index])) else { return }
        start = nil
      }
      index += length
    }
    if let from = start { _ = body(UnsafeBufferPointer(rebasing: folded[from...])) }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
  }

  private static func isWordScalar(
    _ bytes: UnsafeBufferPointer<UInt8>, at index: Int, length: Int
  ) -> Bool {
    let slice = UnsafeBufferPointer(rebasing: bytes[index..<index + length])
    let text = String(decoding: slice, as: UTF8.self)
    guard let scalar = text.unicodeScalars.first else { return false }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark:
      return true
    default:
      return false
    }
  }

  private static func scalarLength(_ lead: UInt8) -> Int {
    lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
  }
}
