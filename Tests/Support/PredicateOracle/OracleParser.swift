// Reads predicates by recursive descent, as docs/predicates.md describes the language. The oracle accepts
// well-formed predicates only; it does not explain errors, which is the product's task.

/// A parser of a predicate's text.
package struct OracleParser {
  private let tokens: [OracleToken]
  private let arguments: [OracleValue]
  private var index = 0
  private var argumentIndex = 0

  private static let signs: [String: OracleSign] = [
    "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual,
    "=<": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
    "BETWEEN": .between, "IN": .isIn, "CONTAINS": .contains, "BEGINSWITH": .begins,
    "ENDSWITH": .ends, "LIKE": .like,
  ]

  private static let quantifiers: [String: OracleQuantifier] = [
    "ANY": .any, "SOME": .any, "ALL": .all, "NONE": .none,
  ]

  private init(_ text: String, _ arguments: [OracleValue]) throws {
    tokens = try OracleToken.all(in: text)
    self.arguments = arguments
  }

  /// Parses `text`, whose `%@` placeholders refer to `arguments`.
  package static func parse(
    _ text: String, arguments: [OracleValue] = []
  ) throws -> OraclePredicate {
    var parser = try OracleParser(text, arguments)
    let predicate = try parser.either()
    guard parser.index == parser.tokens.count, parser.argumentIndex == arguments.count else {
      throw OracleError("unexpected text at token \(parser.index)")
    }
    return predicate
  }

  private mutating func either() throws -> OraclePredicate {
    var predicate = try both()
    while takeKeyword("OR") || take("||") { predicate = .either(predicate, try both()) }
    return predicate
  }

  private mutating func both() throws -> OraclePredicate {
    var predicate = try factor()
    while takeKeyword("AND") || take("&&") { predicate = .both(predicate, try factor()) }
    return predicate
  }

  private mutating func factor() throws -> OraclePredicate {
    if takeKeyword("NOT") || take("!") { return .not(try factor()) }
    if takeKeyword("TRUEPREDICATE") { return .constant(true) }
    if takeKeyword("FALSEPREDICATE") { return .constant(false) }
    guard take("(") else { return try term() }
    let predicate = try either()
    try expect(")")
    return predicate
  }

  private mutating func term() throws -> OraclePredicate {
    if takeKeyword("self") {
      guard takeKeyword("CONTAINS"), case .text(let words) = try value() else {
        throw OracleError("words expected")
      }
      return .words(words)
    }
    if isAtDistance { return try distance(metres: nil) }
    let start = (index, argumentIndex)
    if let metres = try? value(), let turned = try? sign(), isAtDistance {
      return try distance(metres: (metres, turned))
    }
    (index, argumentIndex) = start
    return .comparison(try comparison())
  }

  private var isAtDistance: Bool {
    tokens.count > index + 1 && tokens[index] == .word("distanceToLocation")
      && tokens[index + 1] == .mark(":")
  }

  /// Parses a distance, which may also follow the metres and their operator.
  private mutating func distance(
    metres left: (OracleValue, OracleSign)?
  ) throws -> OraclePredicate {
    index += 1
    try expect(":")
    guard case .word("fromLocation")? = peek else { throw OracleError("fromLocation expected") }
    index += 1
    try expect(":")
    try expect("(")
    let field = try field()
    try expect(",")
    let place = try value()
    try expect(")")
    guard let (metres, turned) = left else {
      return .distance(field, from: place, try sign(), metres: try value())
    }
    return .distance(field, from: place, turned.turned, metres: metres)
  }

  private mutating func comparison() throws -> OracleComparison {
    var quantifier = OracleQuantifier.whole
    if case .word(let word)? = peek, let found = Self.quantifiers[word.uppercased()] {
      index += 1
      quantifier = found
    }
    let isReversed = !isAtField
    let left = isReversed ? try operand() : nil
    let early = isReversed ? nil : try field()
    let sign = try sign()
    let (ignoresCase, ignoresMarks) = try options()
    let field = if let early { early } else { try self.field() }
    let operand = if let left { left } else { try self.operand() }
    return OracleComparison(
      quantifier: quantifier, field: field, sign: sign, isReversed: isReversed,
      ignoresCase: ignoresCase, ignoresMarks: ignoresMarks,
      operand: Self.fitting(operand, to: field))
  }

  /// Converts a text to a reference for fields that name accounts or records.
  private static func fitting(
    _ operand: OracleOperand, to field: OracleField
  ) -> OracleOperand {
    guard case .system = field, case .value(let value) = operand else { return operand }
    switch value {
    case .text(let name): return .value(.reference(name))
    case .list(let values):
      return .value(
        .list(values.map { if case .text(let name) = $0 { .reference(name) } else { $0 } }))
    default: return operand
    }
  }

  private mutating func sign() throws -> OracleSign {
    let written: String
    switch peek {
    case .mark(let mark)?: written = mark
    case .word(let word)?: written = word.uppercased()
    default: written = ""
    }
    guard let sign = Self.signs[written] else { throw OracleError("a sign expected") }
    index += 1
    return sign
  }

  private mutating func options() throws -> (ignoresCase: Bool, ignoresMarks: Bool) {
    guard take("[") else { return (false, false) }
    guard case .word(let letters)? = peek else { throw OracleError("c or d expected") }
    index += 1
    try expect("]")
    let lower = letters.lowercased()
    return (lower.contains("c"), lower.contains("d"))
  }
}

// Fields, operands and single tokens.
extension OracleParser {
  private var peek: OracleToken? { index < tokens.count ? tokens[index] : nil }

  private mutating func take(_ mark: String) -> Bool {
    guard peek == .mark(mark) else { return false }
    index += 1
    return true
  }

  private mutating func expect(_ mark: String) throws {
    guard take(mark) else { throw OracleError("\(mark) expected at token \(index)") }
  }

  private mutating func takeKeyword(_ keyword: String) -> Bool {
    guard case .word(let word)? = peek, word.uppercased() == keyword.uppercased() else {
      return false
    }
    index += 1
    return true
  }

  private var isAtField: Bool {
    switch peek {
    case .name?: return true
    case .word(let word)?:
      let isCall = index + 1 < tokens.count && tokens[index + 1] == .mark("(")
      return !isCall && !["TRUE", "FALSE", "YES", "NO", "NIL", "NULL"].contains(word.uppercased())
    default: return false
    }
  }

  private mutating func field() throws -> OracleField {
    let name: String
    switch peek {
    case .name(let written)?: name = written
    case .word(let word)? where OracleRecord.systemNames.contains(word):
      index += 1
      return .system(word)
    case .word(let word)?: name = word
    default: throw OracleError("a field expected")
    }
    index += 1
    guard take(".") else { return .own(name) }
    switch peek {
    case .word(let part)?, .name(let part)?:
      index += 1
      return .part(name, part)
    default: throw OracleError("a part expected")
    }
  }

  private mutating func operand() throws -> OracleOperand {
    if takeKeyword("nil") || takeKeyword("NULL") { return .absence }
    if case .word("now")? = peek {
      index += 1
      try expect("(")
      try expect(")")
      return .now
    }
    return .value(try value())
  }

  private mutating func value() throws -> OracleValue {
    guard let token = peek else { throw OracleError("a value expected") }
    index += 1
    switch token {
    case .text(let scalars): return .text(String(String.UnicodeScalarView(try scalars.map(scalar))))
    case .number(let digits): return try OracleLiteral.number(digits)
    case .mark("-"):
      guard case .number(let digits)? = peek else { throw OracleError("digits expected") }
      index += 1
      return try OracleLiteral.number("-" + digits)
    case .mark("%@"):
      argumentIndex += 1
      guard argumentIndex <= arguments.count else { throw OracleError("no argument is left") }
      return arguments[argumentIndex - 1]
    case .mark("{"): return .list(try values(until: "}"))
    case .word(let word):
      switch word.uppercased() {
      case "TRUE", "YES": return .boolean(true)
      case "FALSE", "NO": return .boolean(false)
      default:
        try expect("(")
        return try OracleLiteral.call(word, try values(until: ")"))
      }
    default: throw OracleError("a value expected at token \(index)")
    }
  }

  private func scalar(_ value: UInt32) throws -> Unicode.Scalar {
    guard let scalar = Unicode.Scalar(value) else { throw OracleError("half a pair") }
    return scalar
  }

  private mutating func values(until end: String) throws -> [OracleValue] {
    var values: [OracleValue] = []
    while !take(end) {
      if !values.isEmpty { try expect(",") }
      values.append(try value())
    }
    return values
  }
}
