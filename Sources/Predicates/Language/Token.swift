import Records

/// A word, literal or sign in the text of a predicate.
struct Token {
  /// The kind of token, with its value.
  let kind: Kind
  /// The range of the token in the bytes of the text.
  let range: Range<Int>
  /// The keyword with the token's spelling, if it is a word and there is one.
  var keyword: Keyword?

  enum Kind: Equatable {
    /// A name or a keyword, depending on the parser's state.
    case word
    /// A name after `#`, which is never a keyword.
    case escapedWord
    /// A quoted text, without quotes and escapes.
    case text(String)
    /// An integer.
    case whole(Int64)
    /// A number with a point or an exponent.
    case real(Double)
    /// `%@`, the place of an argument.
    case argument
    /// `distanceToLocation:fromLocation:`.
    case distanceFunction
    /// `== = != <> < <= =< > >= =>`.
    case relation(Relation)
    /// `&&`, `||`, `!`.
    case and, or, not
    /// `( ) { } [ ] , .`
    case sign(UInt8)
    /// The end of the text.
    case end
  }
}

// These use patterns, because `==` would also compare texts and numbers.
extension Token {
  /// Returns whether the token is this sign.
  func isSign(_ byte: UInt8) -> Bool {
    if case .sign(byte) = kind { true } else { false }
  }

  /// Whether the token is AND or `&&`.
  var isAnd: Bool {
    if case .and = kind { true } else { keyword == .and }
  }

  /// Whether the token is OR or `||`.
  var isOr: Bool {
    if case .or = kind { true } else { keyword == .or }
  }

  /// Whether the token is NOT or `!`.
  var isNot: Bool {
    if case .not = kind { true } else { keyword == .not }
  }
}
