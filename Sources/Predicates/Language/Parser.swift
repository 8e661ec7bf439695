// Tokens → tree, by recursive descent whose depth is bounded. AND binds tighter than OR, NOT than
// both, as in NSPredicate. Operands are read in `OperandParsing.swift`, what may be compared with
// what is decided in `Typing.swift`; here is the shape of the language and the words for its errors.

import Records

extension Predicate {
  /// Reads a predicate; each `%@` stands for the next of `arguments`, as a value.
  /// - Throws: `invalidArguments` or `limitExceeded`, with the column (from 1, in characters) at
  ///   which the text goes wrong, what was expected there and, for a near miss, what was meant.
  package init(_ text: String, arguments: [Value] = []) throws(RecordsError) {
    let bytes = Array(text.utf8)
    guard bytes.count <= PredicateLimits.textBytes else {
      throw .limit("Bytes of a predicate", limit: PredicateLimits.textBytes, actual: bytes.count)
    }
    var parser = try Parser(Lexer(bytes), arguments: arguments)
    self = try parser.predicate()
  }
}

/// Reads one predicate.
struct Parser {
  var lexer: Lexer
  var token: Token
  let arguments: [Value]
  var nextArgument = 0
  private var depth = 0
  private var terms = 0

  init(_ lexer: Lexer, arguments: [Value]) throws(RecordsError) {
    self.lexer = lexer
    self.arguments = arguments
    token = try self.lexer.next()
  }

  /// The whole text.
  mutating func predicate() throws(RecordsError) -> Predicate {
    let result = try alternatives()
    guard token.kind == .end else {
      throw unexpected("AND, OR or the end", among: [.and, .or])
    }
    guard nextArgument == arguments.count else {
      throw lexer.error(
        "\(arguments.count) arguments were given and \(nextArgument) %@ use them.",
        at: lexer.bytes.count)
    }
    return result
  }

  private mutating func alternatives() throws(RecordsError) -> Predicate {
    let first = try conjunction()
    guard isOr else { return first }
    var operands = [first]
    while isOr {
      try advance()
      operands.append(try conjunction())
    }
    return .or(operands)
  }

  private mutating func conjunction() throws(RecordsError) -> Predicate {
    let first = try negation()
    guard isAnd else { return first }
    var operands: [Predicate] = []
    operands.reserveCapacity(4)
    operands.append(first)
    while isAnd {
      try advance()
      operands.append(try negation())
    }
    return .and(operands)
  }

  private mutating func negation() throws(RecordsError) -> Predicate {
    guard token.isNot else { return try primary() }
    return try nested { (parser) throws(RecordsError) in .not(try parser.negation()) }
  }

  private mutating func primary() throws(RecordsError) -> Predicate {
    if token.isSign(UInt8(ascii: "(")) {
      return try nested { (parser) throws(RecordsError) in
        let inner = try parser.alternatives()
        try parser.expect(")")
        return inner
      }
    }
    terms += 1
    guard terms <= PredicateLimits.terms else {
      throw limit("Comparisons of a predicate", PredicateLimits.terms)
    }
    switch keyword {
    case .truePredicate: return try taking(.constant(true))
    case .falsePredicate: return try taking(.constant(false))
    default: return try term()
    }
  }

  /// Steps over the present token into something deeper.
  private mutating func nested(
    _ body: (inout Parser) throws(RecordsError) -> Predicate
  ) throws(RecordsError) -> Predicate {
    depth += 1
    defer { depth -= 1 }
    guard depth <= PredicateLimits.depth else {
      throw limit("Depth of a predicate", PredicateLimits.depth)
    }
    try advance()
    return try body(&self)
  }

  private mutating func taking(_ predicate: Predicate) throws(RecordsError) -> Predicate {
    try advance()
    return predicate
  }

  private var isAnd: Bool { token.isAnd }
  private var isOr: Bool { token.isOr }
}

extension Parser {
  /// The keyword that the present token is.
  var keyword: Keyword? { token.keyword }

  /// Goes on to the next token.
  mutating func advance() throws(RecordsError) {
    token = try lexer.next()
  }

  /// Steps over a sign that has to stand here.
  mutating func expect(_ sign: Unicode.Scalar) throws(RecordsError) {
    guard token.isSign(UInt8(ascii: sign)) else { throw unexpected("“\(sign)”") }
    try advance()
  }

  /// Steps over a sign if it stands here.
  mutating func takes(_ sign: Unicode.Scalar) throws(RecordsError) -> Bool {
    guard token.isSign(UInt8(ascii: sign)) else { return false }
    try advance()
    return true
  }

  /// The error of something else standing here than `expected`, one of `keywords` perhaps.
  func unexpected(_ expected: String, among keywords: [Keyword] = []) -> RecordsError {
    guard token.kind != .end else {
      return lexer.error("Expected \(expected), and the text ends.", at: token.range.lowerBound)
    }
    let found = lexer.text(of: token)
    var hint = ""
    if token.kind == .word, let meant = Keyword.near(found, among: keywords) {
      hint = "Did you mean \(meant.text)?"
    }
    return lexer.error(
      "Expected \(expected), found “\(found.prefix(40))”.", hint: hint, at: token.range.lowerBound)
  }

  private func limit(_ what: String, _ limit: Int) -> RecordsError {
    let place = lexer.error("\(what): at most \(limit).", at: token.range.lowerBound)
    return RecordsError(.limitExceeded, place.message, column: place.column)
  }
}
