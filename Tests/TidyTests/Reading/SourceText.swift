// Splits Swift into code, comments and string literals without a parser. Each layer is the whole text with
// everything else blanked, so line numbers and columns are unchanged. It knows nested comments, raw,
// multi-line and interpolated strings, extended regex literals and raw identifiers, which is all the rules
// need.

/// The three layers of a Swift file.
struct SourceText {
  /// Everything except comments, literals and the contents of raw identifiers.
  private(set) var code: [UInt8] = []
  /// Comments with their slashes.
  private(set) var comments: [UInt8] = []
  /// The contents of string literals.
  private(set) var strings: [UInt8] = []

  private let text: [UInt8]
  private var index = 0

  /// Splits `text`.
  init(_ text: String) {
    self.text = Array(text.utf8)
    code.reserveCapacity(self.text.count)
    comments.reserveCapacity(self.text.count)
    strings.reserveCapacity(self.text.count)
    while index < self.text.count { step() }
  }

  private static let beginnings: [UInt8] = Array("/\"#`".utf8)

  private enum Layer { case code, comment, string, nothing }

  private mutating func step() {
    // Nine in ten bytes begin nothing. The tests read every file byte by byte, without optimization.
    guard Self.beginnings.contains(text[index]) else {
      take(1, as: .code)
      return
    }
    if starts("//") {
      takeLineComment()
    } else if starts("/*") {
      takeBlockComment()
    } else if let hashes = hashes(before: "\"") {
      takeString(hashes: hashes)
    } else if let hashes = hashes(before: "/"), hashes > 0 {
      takeRegex(hashes: hashes)
    } else if starts("`") {
      takeRawIdentifier()
    } else {
      take(1, as: .code)
    }
  }

  private mutating func takeLineComment() {
    while index < text.count, text[index] != newline { take(1, as: .comment) }
  }

  private mutating func takeBlockComment() {
    var depth = 0
    repeat {
      if starts("/*") {
        depth += 1
        take(2, as: .comment)
      } else if starts("*/") {
        depth -= 1
        take(2, as: .comment)
      } else {
        take(1, as: .comment)
      }
    } while depth > 0 && index < text.count
  }

  private mutating func takeString(hashes: Int) {
    let pounds = String(repeating: "#", count: hashes)
    take(hashes, as: .nothing)
    let quote = starts("\"\"\"") ? "\"\"\"" : "\""
    take(quote.utf8.count, as: .nothing)
    let (end, escape, interpolation) = (quote + pounds, "\\" + pounds, "\\" + pounds + "(")
    while index < text.count {
      guard text[index] == UInt8(ascii: "\"") || text[index] == UInt8(ascii: "\\") else {
        take(1, as: .string)
        continue
      }
      if starts(end) { break }
      if starts(interpolation) {
        takeInterpolation(hashes: hashes)
      } else if starts(escape) {
        take(2 + hashes, as: .string)
      } else {
        take(1, as: .string)
      }
    }
    take(quote.utf8.count + hashes, as: .nothing)
  }

  private mutating func takeInterpolation(hashes: Int) {
    take(2 + hashes, as: .nothing)
    var depth = 1
    while depth > 0, index < text.count {
      if let hashes = self.hashes(before: "\"") {
        takeString(hashes: hashes)
        continue
      }
      if starts("(") { depth += 1 }
      if starts(")") { depth -= 1 }
      take(1, as: .nothing)
    }
  }

  private mutating func takeRegex(hashes: Int) {
    take(hashes + 1, as: .nothing)
    let end = "/" + String(repeating: "#", count: hashes)
    while index < text.count, !starts(end) { take(1, as: .nothing) }
    take(hashes + 1, as: .nothing)
  }

  private mutating func takeRawIdentifier() {
    take(1, as: .code)
    while index < text.count, text[index] != newline, !starts("`") {
      code.append(UInt8(ascii: "_"))
      comments.append(UInt8(ascii: " "))
      strings.append(UInt8(ascii: " "))
      index += 1
    }
    take(1, as: .code)
  }

  /// Returns the number of `#` here before `character`, or `nil` if another character follows.
  private func hashes(before character: String) -> Int? {
    var count = 0
    while index + count < text.count, text[index + count] == UInt8(ascii: "#") { count += 1 }
    return starts(character, after: count) ? count : nil
  }

  private func starts(_ prefix: String, after offset: Int = 0) -> Bool {
    var position = index + offset
    for byte in prefix.utf8 {
      guard position < text.count, text[position] == byte else { return false }
      position += 1
    }
    return true
  }

  private mutating func take(_ count: Int, as layer: Layer) {
    for _ in 0..<count where index < text.count {
      let byte = text[index]
      let blank = byte == newline ? newline : UInt8(ascii: " ")
      code.append(layer == .code ? byte : blank)
      comments.append(layer == .comment ? byte : blank)
      strings.append(layer == .string ? byte : blank)
      index += 1
    }
  }
}

private let newline = UInt8(ascii: "\n")
