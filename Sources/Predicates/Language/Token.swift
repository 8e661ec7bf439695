// A piece of a predicate's text, with where it stands.

import Records

/// One word, literal or sign.
struct Token {
  /// What it is.
  let kind: Kind
  /// The bytes of the text it covers.
  let range: Range<Int>

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
