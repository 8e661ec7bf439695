/// Patterns of `LIKE`, as in NSPredicate: `*` matches any text and `?` one code point. A backslash escapes
/// the next character. The matcher backtracks only to the last star, so its time is at most the product
/// of the lengths of text and pattern.
package enum LikePattern {
  /// Returns whether the pattern matches the complete text. Subtracts the work from `steps`; if this falls
  /// below 0, the result has no meaning.
  static func matches(
    _ text: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt8>, steps: inout Int
  ) -> Bool {
    var place = 0
    var wanted = 0
    var star: (pattern: Int, text: Int)?
    while place < text.count {
      steps -= 1
      guard steps >= 0 else { return false }
      if wanted < pattern.count, pattern[wanted] == UInt8(ascii: "*") {
        wanted += 1
        star = (wanted, place)
      } else if let step = step(text, at: place, pattern, at: wanted) {
        place += step.text
        wanted += step.pattern
      } else if let last = star {
        place = last.text + scalarLength(text, at: last.text)
        star = (last.pattern, place)
        wanted = last.pattern
      } else {
        return false
      }
    }
    while wanted < pattern.count, pattern[wanted] == UInt8(ascii: "*") { wanted += 1 }
    return wanted == pattern.count
  }

  /// Returns the prefix that all matching texts have: the pattern before the first `*` or `?`, unescaped.
  package static func literalPrefix(of pattern: [UInt8]) -> [UInt8] {
    var prefix: [UInt8] = []
    var index = 0
    while index < pattern.count {
      switch pattern[index] {
      case UInt8(ascii: "*"), UInt8(ascii: "?"): return prefix
      case UInt8(ascii: "\\") where index + 1 < pattern.count: index += 1
      default: break
      }
      prefix.append(pattern[index])
      index += 1
    }
    return prefix
  }

  /// Returns the bytes to advance in text and pattern if the pattern's next character matches; `nil` if it
  /// does not.
  private static func step(
    _ text: UnsafeBufferPointer<UInt8>, at place: Int,
    _ pattern: UnsafeBufferPointer<UInt8>, at wanted: Int
  ) -> (text: Int, pattern: Int)? {
    guard wanted < pattern.count else { return nil }
    switch pattern[wanted] {
    case UInt8(ascii: "?"): return (scalarLength(text, at: place), 1)
    case UInt8(ascii: "\\") where wanted + 1 < pattern.count:
      return pattern[wanted + 1] == text[place] ? (1, 2) : nil
    case let byte: return byte == text[place] ? (1, 1) : nil
    }
  }

  private static func scalarLength(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Int {
    let lead = text[place]
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
    return min(length, text.count - place)
  }
}
