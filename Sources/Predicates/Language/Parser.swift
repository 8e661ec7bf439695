// Parses tokens to a tree, by recursive descent of limited depth. AND binds tighter than OR, and NOT tighter
// than both, as in NSPredicate. This file has the Boolean expressions and the errors. Comparisons are
// parsed in `Parser+Terms.swift` and `Parser+Operands.swift` and checked in `TypeCheck.swift`.

import Records

extension Predicate {
  /// Parses a predicate. Each `%@` is replaced by the next of `arguments`, as a value.
  /// - Throws: `invalidArguments` or `limitExceeded`, with the column of the error (in characters, from
  ///   1), the expected syntax and, for a misspelled keyword, the correct one.
  package init(_ text: String, arguments: [Value] = []) throws(RecordsError) {
    let bytes = Array(text.utf8)
    guard bytes.count <= PredicateLimits.textBytes else {
      throw .limit("Bytes of a predicate", limit: PredicateLimits.textBytes, actual: bytes.count)
    }
    var parser = try Parser(Lexer(bytes), arguments: arguments)
    self = try parser.predicate()
  }
}

/// A parser of one predicate.
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

  /// Parses the complete text.
  mutating func predicate() throws(RecordsError) -> Predicate {
    let result = try alternatives()
    guard token.kind == .end else {
      throw unexpected("AND, OR or the end", among: [.and, .or])
    }
    guard nextArgument == arguments.count else {
      throw lexer.error(
        "\(arguments.count) arguments were given for \(nextArgument) %@.",
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
    case .truePredicate: return try advance(returning: .constant(true))
    case .falsePredicate: return try advance(returning: .constant(false))
    default: return try term()
    }
  }

  /// Consumes the current token and parses with `body`, one level deeper.
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

  private mutating func advance(returning predicate: Predicate) throws(RecordsError) -> Predicate {
    try advance()
    return predicate
  }

  private var isAnd: Bool { token.isAnd }
  private var isOr: Bool { token.isOr }
}

extension Parser {
  /// The keyword of the current token, if it is one.
  var keyword: Keyword? { token.keyword }

  /// Reads the next token.
  mutating func advance() throws(RecordsError) {
    token = try lexer.next()
  }

  /// Consumes a sign, or throws if another token is current.
  mutating func expect(_ sign: Unicode.Scalar) throws(RecordsError) {
    guard token.isSign(UInt8(ascii: sign)) else { throw unexpected("“\(sign)”") }
    try advance()
  }

  /// Consumes a sign if it is the current token. Returns whether it was.
  mutating func accept(_ sign: Unicode.Scalar) throws(RecordsError) -> Bool {
    guard token.isSign(UInt8(ascii: sign)) else { return false }
    try advance()
    return true
  }

  /// Returns the error for a current token other than `expected`. If it looks like one of `keywords`, the
  /// hint suggests that keyword.
  func unexpected(_ expected: String, among keywords: [Keyword] = []) -> RecordsError {
    guard token.kind != .end else {
      return lexer.error(
        "Expected \(expected), found the end of the text.", at: token.range.lowerBound)
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
    let place = lexer.error("\(what): more than the limit of \(limit).", at: token.range.lowerBound)
    return RecordsError(.limitExceeded, place.message, column: place.column)
  }
}
