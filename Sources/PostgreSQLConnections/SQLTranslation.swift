// The stores write SQL with SQLite's parameters. PostgreSQL numbers its parameters in another way and chooses the
// order of joins itself.

/// SQL in SQLite's style, as PostgreSQL reads it.
struct SQLTranslation: Equatable {
  /// The SQL with `$1`, `$2` and so on, without comments.
  private(set) var text = ""
  /// Whether the statement is a query, which changes nothing.
  var isQuery: Bool { text.hasPrefix("SELECT") }
  /// The highest number of a parameter.
  private(set) var parameterCount = 0

  /// Translates `sql`: parameters are `?` in order, or `?1`, `?2` and so on; a `CROSS JOIN`, with which SQLite fixes
  /// the order of a join, becomes a plain one. What stands in quotes stays as it is.
  init(_ sql: String) {
    var rest = Array(sql.utf8)[...]
    var output: [UInt8] = []
    output.reserveCapacity(rest.count + 16)
    while let first = rest.first {
      switch first {
      case Self.quote, Self.doubleQuote:
        output += Self.quoted(from: &rest)
      case UInt8(ascii: "?"):
        output += parameter(from: &rest)
      case _ where Self.isStartOfComment(rest):
        // Both databases have comments, but only PostgreSQL's can contain others.
        Self.skipComment(in: &rest)
        output.append(UInt8(ascii: " "))
      case _ where Self.isPartOfWord(first):
        output += Self.word(from: &rest)
      default:
        output.append(rest.removeFirst())
      }
    }
    text = String(decoding: output, as: UTF8.self)
  }

  private static let quote = UInt8(ascii: "'")
  private static let doubleQuote = UInt8(ascii: "\"")

  /// A doubled quote inside the quotes is taken for two quoted texts, which comes to the same.
  private static func quoted(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let end = rest.dropFirst().firstIndex(of: rest[rest.startIndex]) ?? rest.endIndex - 1
    defer { rest = rest[(end + 1)...] }
    return rest[...end]
  }

  /// A parameter without a number has the number after the highest so far.
  private mutating func parameter(from rest: inout ArraySlice<UInt8>) -> [UInt8] {
    rest.removeFirst()
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    rest.removeFirst(digits.count)
    let number = Int(String(decoding: digits, as: UTF8.self)) ?? parameterCount + 1
    parameterCount = max(parameterCount, number)
    return Array("$\(number)".utf8)
  }

  private static func isStartOfComment(_ rest: ArraySlice<UInt8>) -> Bool {
    rest.starts(with: "--".utf8) || rest.starts(with: "/*".utf8)
  }

  private static func skipComment(in rest: inout ArraySlice<UInt8>) {
    guard rest.starts(with: "/*".utf8) else {
      rest = rest.drop { $0 != UInt8(ascii: "\n") }
      return
    }
    rest.removeFirst(2)
    while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest.removeFirst() }
    rest = rest.dropFirst(2)
  }

  private static func word(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let word = rest.prefix(while: isPartOfWord)
    rest.removeFirst(word.count)
    guard isWord(word, "cross") else { return word }
    let next = rest.drop(while: isSpace)
    guard isWord(next.prefix(while: isPartOfWord), "join") else { return word }
    rest = next
    return []
  }

  private static func isWord(_ word: ArraySlice<UInt8>, _ lowercase: String) -> Bool {
    word.elementsEqual(lowercase.utf8) { $0 | 0x20 == $1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (9...13).contains(byte)
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
