// A piece of a predicate's text, with where it stands.

import Records

/// One word, literal or sign.
struct Token {
  /// What it is.
  let kind: Kind
  /// The bytes of the text it covers.
  let range: Range<Int>
  /// The keyword that it is, where it is a word.
  var keyword: Keyword?

  enum Kind: Equatable {
    /// A name or a keyword, to be told apart by whoever expects one or the other.
    case word
    /// A name behind `#`, which is never a keyword.
    case escapedWord
    /// A quoted text, unescaped.
    case text(String)
    /// A whole number.
    case whole(Int64)
    /// A number with a point or an exponent.
    case real(Double)
    /// `%@`, to be bound.
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

// By pattern, not by `==`, which would compare texts and numbers too.
extension Token {
  /// Whether it is this sign.
  func isSign(_ byte: UInt8) -> Bool {
    if case .sign(byte) = kind { true } else { false }
  }

  /// Whether it joins two conditions that must both hold.
  var isAnd: Bool {
    if case .and = kind { true } else { keyword == .and }
  }

  /// Whether it joins two conditions of which one must hold.
  var isOr: Bool {
    if case .or = kind { true } else { keyword == .or }
  }

  /// Whether it turns a condition into its opposite.
  var isNot: Bool {
    if case .not = kind { true } else { keyword == .not }
  }
}
