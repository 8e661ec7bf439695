// Parses one comparison. The field can be on either side, but the tree always has it on the left. Exchanging
// the sides, unlike negating the relation, does not affect missing fields.

import Records

extension Parser {
  /// One side of a comparison.
  enum Side {
    case path(FieldPath)
    case literal(Comparison.Operand)
    case distance(FieldPath, Location)
    case record

    /// Whether the side has no elements, so that it cannot have a quantifier.
    fileprivate var isWhole: Bool {
      switch self {
      case .distance, .record: true
      case .path, .literal: false
      }
    }
  }

  /// Parses a comparison, `self CONTAINS …` or a distance.
  mutating func term() throws(RecordsError) -> Predicate {
    let firstToken = token
    var quantifier = Quantifier.whole
    if let stated = keyword?.quantifier {
      quantifier = stated
      try advance()
    }
    let leftToken = token
    let left = try side()
    let relationToken = token
    let (relation, options, optionsToken) = try relation()
    let rightToken = token
    let right = try side()
    if left.isWhole || right.isWhole, quantifier != .whole {
      throw lexer.error(
        "ANY, ALL and NONE apply to lists and entries only.", hint: "Use NOT to negate.",
        at: firstToken.range.lowerBound)
    }
    switch (left, right) {
    case (.path(let path), .literal(let operand)):
      let comparison = Comparison(
        path, relation, operand, quantifier: quantifier, options: options)
      return .comparison(
        try checked(
          comparison, at: (leftToken, relationToken, optionsToken ?? relationToken, rightToken)))
    case (.literal(let operand), .path(let path)):
      guard let mirrored = relation.mirrored else {
        throw lexer.error(
          "The field must be on the left of \(relation.text).", at: relationToken.range.lowerBound)
      }
      let comparison = Comparison(
        path, mirrored, operand, quantifier: quantifier, options: options)
      return .comparison(
        try checked(
          comparison, at: (rightToken, relationToken, optionsToken ?? relationToken, leftToken)))
    case (.record, .literal(let operand)):
      return try words(operand, relation, at: (relationToken, rightToken))
    case (.distance(let path, let point), .literal(let operand)):
      return try distance(
        path, point, relation, operand, at: (relationToken, optionsToken, rightToken))
    case (.literal(let operand), .distance(let path, let point)):
      let mirrored = relation.mirrored ?? relation
      return try distance(
        path, point, mirrored, operand, at: (relationToken, optionsToken, leftToken))
    case (.literal, .literal):
      throw lexer.error(
        "One side of a comparison must be a field.", hint: "Write field names without quotes.",
        at: leftToken.range.lowerBound)
    default:
      throw lexer.error(
        "A field can only be compared with a literal or %@, not with another field.",
        hint: "Put texts in quotes.", at: rightToken.range.lowerBound)
    }
  }

  /// Parses a relation and its options. Returns them and the options' token.
  private mutating func relation() throws(RecordsError) -> (Relation, TextOptions, Token?) {
    let found: Relation
    if case .relation(let relation) = token.kind {
      found = relation
    } else if let relation = keyword?.relation {
      found = relation
    } else if keyword == .matches {
      throw lexer.error(
        "Regular expressions are not supported.", hint: "LIKE supports * and ?.",
        at: token.range.lowerBound)
    } else {
      throw unexpected(
        "a comparison such as == or IN",
        among: [.between, .in, .contains, .beginsWith, .endsWith, .like])
    }
    try advance()
    let bracket = token
    guard try accept("[") else { return (found, [], nil) }
    return (found, try optionLetters(), bracket)
  }

  private mutating func optionLetters() throws(RecordsError) -> TextOptions {
    let letters = lexer.text(of: token)
    var options = TextOptions()
    for letter in token.kind == .word ? letters.lowercased() : "?" {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      default: throw unexpected("c, d or cd (to ignore case, accents or both)")
      }
    }
    try advance()
    try expect("]")
    return options
  }

  private func words(
    _ operand: Comparison.Operand, _ relation: Relation, at tokens: (relation: Token, right: Token)
  ) throws(RecordsError) -> Predicate {
    guard relation == .contains else {
      throw lexer.error(
        "self can only be used with CONTAINS.", at: tokens.relation.range.lowerBound)
    }
    guard case .value(.string(let text)) = operand, !WordSplitter.words(of: text).isEmpty else {
      throw lexer.error(
        "self CONTAINS requires a text with at least one word.",
        at: tokens.right.range.lowerBound)
    }
    return .words(text)
  }

  private func distance(
    _ path: FieldPath, _ point: Location, _ relation: Relation, _ operand: Comparison.Operand,
    at tokens: (relation: Token, options: Token?, right: Token)
  ) throws(RecordsError) -> Predicate {
    guard relation.isOrdering, relation != .between else {
      throw lexer.error(
        "A distance can only be compared with <, <=, > or >=.", at: tokens.relation.range.lowerBound
      )
    }
    if let options = tokens.options {
      throw lexer.error(
        "A distance does not accept [c] or [d].", at: options.range.lowerBound)
    }
    let metres: Double? =
      switch operand {
      case .value(.int64(let number)): Double(number)
      case .value(.double(let number)): number
      default: nil
      }
    guard let metres, metres.isFinite, metres >= 0 else {
      throw lexer.error(
        "A distance must be a number of metres, 0 or greater.", at: tokens.right.range.lowerBound)
    }
    return .distance(
      DistanceComparison(path: path, point: point, relation: relation, metres: metres))
  }

  private func checked(
    _ comparison: Comparison,
    at tokens: (path: Token, relation: Token, options: Token, operand: Token)
  ) throws(RecordsError) -> Comparison {
    var comparison = comparison
    guard let finding = comparison.resolveTypes() else { return comparison }
    let token =
      switch finding.place {
      case .path: tokens.path
      case .relation: tokens.relation
      case .options: tokens.options
      case .operand: tokens.operand
      }
    throw lexer.error(finding.message, hint: finding.hint, at: token.range.lowerBound)
  }
}
