// Parses the sides of a comparison: a field, a literal of any kind of value, a list, `%@` or `now()`. Kinds
// of values without a syntax of their own are written like function calls: `date('…')`.

import Records

extension Parser {
  /// Parses one side of a comparison.
  mutating func side() throws(RecordsError) -> Side {
    switch token.kind {
    case .distanceFunction: return try distanceFunction()
    case .escapedWord: return .path(try path())
    case .word:
      switch keyword {
      case nil:
        if let function = try function() { return function }
        return .path(try path())
      case .self:
        try advance()
        return .record
      case .nil, .null:
        try advance()
        return .literal(.nothing)
      case .true, .yes, .false, .no: return .literal(.value(try scalar()))
      case .any, .someOf, .all, .noneOf:
        throw lexer.error(
          "ANY, ALL or NONE must precede the field, once.", at: token.range.lowerBound)
      default: throw unexpected("a field or a value")
      }
    case .sign(UInt8(ascii: "{")): return .literal(.values(try list()))
    case .argument: return .literal(try argumentOperand())
    case .text, .whole, .real: return .literal(.value(try scalar()))
    default: throw unexpected("a field or a value")
    }
  }

  private mutating func path() throws(RecordsError) -> FieldPath {
    let name = try fieldKey()
    let isEscaped = token.kind == .escapedWord
    try advance()
    if token.isSign(UInt8(ascii: ".")) {
      try advance()
      guard token.kind == .word || token.kind == .escapedWord else {
        throw unexpected("the name of an entry's field")
      }
      let part = try fieldKey()
      try advance()
      return .entry(name, part)
    }
    if !isEscaped, name.text.utf8.count >= SystemField.recordID.text.utf8.count,
      let system = SystemField.allCases.first(where: { $0.text == name.text })
    {
      return .system(system)
    }
    return .field(name)
  }

  private func fieldKey() throws(RecordsError) -> FieldKey {
    let text = lexer.text(of: token)
    let name = token.kind == .escapedWord ? String(text.dropFirst()) : text
    do {
      return try FieldKey(name)
    } catch {
      throw lexer.error(error.message, at: token.range.lowerBound)
    }
  }

  /// Parses `now()`, `date('…')` and similar. Returns `nil` if the word is a field name.
  private mutating func function() throws(RecordsError) -> Side? {
    guard lexer.isBeforeParenthesis else { return nil }
    guard lexer.text(of: token).lowercased() == "now" else {
      return .literal(.value(try scalar()))
    }
    try advance()
    try expect("(")
    try expect(")")
    return .literal(.now)
  }

  /// Parses `distanceToLocation:fromLocation:(field, point)`.
  private mutating func distanceFunction() throws(RecordsError) -> Side {
    try advance()
    try expect("(")
    guard token.kind == .word || token.kind == .escapedWord else {
      throw unexpected("a field with a location")
    }
    let start = token
    let path = try path()
    guard case .field = path else {
      throw lexer.error(
        "The first argument must be a field of the record.", at: start.range.lowerBound)
    }
    try expect(",")
    let place = token
    guard case .location(let point) = try scalar() else {
      throw lexer.error(
        "The second argument must be a location.",
        hint: "Write location(59.33, 18.06), or bind a location with %@.",
        at: place.range.lowerBound)
    }
    try expect(")")
    return .distance(path, point)
  }

  private mutating func argumentOperand() throws(RecordsError) -> Comparison.Operand {
    let place = token
    let value = try argument()
    guard case .list(let values) = value else { return .value(value) }
    try checkLength(of: values.count, at: place)
    return .values(values)
  }

  /// Parses `%@` and returns the next argument.
  private mutating func argument() throws(RecordsError) -> Value {
    guard nextArgument < arguments.count else {
      throw lexer.error(
        "There is no argument for this %@; \(arguments.count) were given.",
        at: token.range.lowerBound)
    }
    let value = arguments[nextArgument]
    guard value.isBindable else { throw unbindable }
    nextArgument += 1
    try advance()
    return value
  }

  private var unbindable: RecordsError {
    lexer.error(
      "Argument \(nextArgument + 1) is of a kind that cannot be compared.",
      at: token.range.lowerBound)
  }

  /// Parses a list such as `{1, 2, 3}`.
  private mutating func list() throws(RecordsError) -> [Value] {
    let place = token
    try expect("{")
    var values: [Value] = []
    if try accept("}") { return values }
    repeat {
      let element = token
      guard keyword != .nil, keyword != .null else {
        throw lexer.error(
          "A list cannot contain nil.", hint: "Write `field == nil OR field IN …`.",
          at: token.range.lowerBound)
      }
      let value = try scalar()
      guard value.isScalar else {
        throw lexer.error("Lists cannot be nested.", at: element.range.lowerBound)
      }
      values.append(value)
      try checkLength(of: values.count, at: place)
    } while try accept(",")
    try expect("}")
    return values
  }

  private func checkLength(of count: Int, at place: Token) throws(RecordsError) {
    guard count > PredicateLimits.valuesPerList else { return }
    let message = "Values of a list: more than the limit of \(PredicateLimits.valuesPerList)."
    let error = lexer.error(message, at: place.range.lowerBound)
    throw RecordsError(.limitExceeded, error.message, column: error.column)
  }

  /// Parses one value, a literal or an argument. Function calls are literals if `mayCall` is true.
  private mutating func scalar(mayCall: Bool = true) throws(RecordsError) -> Value {
    switch token.kind {
    case .argument: return try argument()
    case .text(let text): return try advance(returning: .string(text))
    case .whole(let number): return try advance(returning: .int64(number))
    case .real(let number): return try advance(returning: .double(number))
    case .word:
      switch keyword {
      case .true, .yes: return try advance(returning: .boolean(true))
      case .false, .no: return try advance(returning: .boolean(false))
      case nil where mayCall: return try call()
      default: throw unexpected("a value")
      }
    default: throw unexpected("a value")
    }
  }

  private mutating func advance(returning value: Value) throws(RecordsError) -> Value {
    try advance()
    return value
  }

  private mutating func call() throws(RecordsError) -> Value {
    let place = token
    let name = lexer.text(of: token).lowercased()
    try advance()
    guard try accept("(") else {
      throw lexer.error(
        "Expected a value, found “\(lexer.text(of: place).prefix(40))”.",
        hint: "Put texts in quotes.", at: place.range.lowerBound)
    }
    var parts: [Value] = []
    repeat { parts.append(try scalar(mayCall: false)) } while try accept(",")
    try expect(")")
    guard let value = LiteralFunction(rawValue: name)?.value(of: parts) else {
      throw lexer.error(
        LiteralFunction(rawValue: name)?.rule ?? "There is no function “\(name.prefix(40))”.",
        hint: LiteralFunction(rawValue: name) == nil
          ? "The functions are now, date, bytes, location, reference and asset." : "",
        at: place.range.lowerBound)
    }
    return value
  }
}

extension Value {
  /// Whether the value can be an argument: it must have a literal, so that the predicate can be printed.
  fileprivate var isBindable: Bool {
    switch self {
    case .double(let number): number.isFinite
    case .location(let place):
      abs(place.latitudeDegrees) <= 90 && abs(place.longitudeDegrees) <= 180
    case .list(let values): values.allSatisfy { $0.isScalar && $0.isBindable }
    case .entries, .unknown: false
    case .string, .int64, .boolean, .date, .bytes, .reference, .asset: true
    }
  }
}
