// Checks the types of comparisons as far as the predicate alone determines them. Records have no schema, so
// the kind of a field is unknown, but those of literals, options and system fields are known. A type that
// differs only in a record makes the comparison false and is never an error.

import Records

extension Comparison {
  /// A type error in a comparison.
  struct TypeFinding: Equatable {
    enum Place { case path, relation, options, operand }
    let place: Place
    let message: String
    var hint = ""
  }

  /// Converts the operand to the form that the relation requires. Returns the first type error, if any.
  mutating func resolveTypes() -> TypeFinding? {
    if let finding = resolveShape() ?? pathFinding ?? resolveSystemField() { return finding }
    return operandFinding ?? optionsFinding
  }

  private mutating func resolveShape() -> TypeFinding? {
    switch (relation, operand) {
    case (.in, .values(let values)):
      operand = .values(values.map(\.comparable))
    case (.in, _):
      return TypeFinding(
        place: .operand,
        message: "IN requires a list, such as {'a', 'b'}, or %@ with a list as its argument.")
    case (.between, .values(let values)) where values.count == 2:
      operand = .values(values.map(\.comparable))
    case (.between, _):
      return TypeFinding(place: .operand, message: "BETWEEN requires two bounds, such as {1, 5}.")
    case (.equal, .values(let values)) where quantifier == .whole,
      (.notEqual, .values(let values)) where quantifier == .whole:
      operand = .value(.list(values.map(\.comparable)))
    case (_, .values):
      return TypeFinding(
        place: .operand, message: "\(relation.text) requires one value, not a list.",
        hint: "Use IN to test for any of several values, or == to compare complete lists.")
    case (_, .value(.reference(let reference))):
      operand = .value(Value.reference(reference).comparable)
    case (_, .value(.list(let values))):
      operand = .value(.list(values.map(\.comparable)))
    case (_, .value), (_, .nothing), (_, .now): break
    }
    return nil
  }

  private var pathFinding: TypeFinding? {
    switch path {
    case .entry(let field, let part) where quantifier == .whole:
      return TypeFinding(
        place: .path, message: "\(field).\(part) has a value in each entry, not one value.",
        hint: "Write ANY, ALL or NONE before it.")
    case .system(let field) where quantifier != .whole:
      return TypeFinding(place: .path, message: "\(field.text) is one value, not a list.")
    case .field, .entry, .system: return nil
    }
  }

  /// Checks a comparison of a system field, whose kind is known, and converts a text to a reference.
  private mutating func resolveSystemField() -> TypeFinding? {
    guard case .system(let field) = path else { return nil }
    if field.isDate {
      let isDate =
        switch operand {
        case .nothing, .now: true
        case .value(let value): value.comparisonClass == .date
        case .values(let values): values.allSatisfy { $0.comparisonClass == .date }
        }
      return isDate
        ? nil
        : TypeFinding(
          place: .operand, message: "\(field.text) is a date, and the other side is not.",
          hint: "Compare it with date('2026-11-21T00:00:00Z'), or bind a date with %@.")
    }
    let isPossible = [.equal, .notEqual, .in].contains(relation)
    guard isPossible else {
      return TypeFinding(
        place: .relation,
        message: "\(field.text) is a reference and can only be compared with ==, != or IN."
      )
    }
    switch operand {
    case .nothing: return nil
    case .value(let value):
      guard let reference = value.asReference else { break }
      operand = .value(reference)
      return nil
    case .values(let values):
      let references = values.compactMap(\.asReference)
      guard references.count == values.count else { break }
      operand = .values(references)
      return nil
    case .now: break
    }
    return TypeFinding(
      place: .operand, message: "\(field.text) is a reference, and the other side is not.",
      hint: "Compare it with reference('name') or 'name'.")
  }

  private var operandFinding: TypeFinding? {
    switch operand {
    case .nothing: return nothingFinding
    case .now:
      let isPossible = relation == .equal || relation == .notEqual || relation.isOrdering
      return isPossible
        ? nil
        : TypeFinding(
          place: .operand, message: "\(relation.text) does not accept now(), which is a date.")
    case .value(let value): return finding(of: value)
    case .values(let values): return finding(of: values)
    }
  }

  private var nothingFinding: TypeFinding? {
    guard relation == .equal || relation == .notEqual else {
      return TypeFinding(place: .relation, message: "nil can only be compared with == or !=.")
    }
    if case .entry = path { return nil }
    return quantifier == .whole
      ? nil : TypeFinding(place: .operand, message: "The elements of a list are never nil.")
  }

  private func finding(of value: Value) -> TypeFinding? {
    let found = value.comparisonClass
    if found == .list, !(quantifier == .whole && [.equal, .notEqual].contains(relation)) {
      return TypeFinding(
        place: .operand, message: "\(relation.text) requires one value, not a list.")
    }
    let needsText =
      switch relation {
      case .beginsWith, .endsWith, .like: true
      case .contains: quantifier != .whole
      default: false
      }
    if needsText, found != .text {
      return TypeFinding(place: .operand, message: "\(relation.text) requires a text.")
    }
    if relation.isOrdering, !found.isOrdered || value.isBoolean {
      return TypeFinding(
        place: .relation, message: "Only numbers, dates and texts have an order.")
    }
    return nil
  }

  private func finding(of values: [Value]) -> TypeFinding? {
    guard values.allSatisfy(\.isScalar) else {
      return TypeFinding(place: .operand, message: "Lists cannot be nested.")
    }
    guard relation == .between else { return nil }
    let found = values.first?.comparisonClass ?? .none
    guard found.isOrdered, values.allSatisfy({ $0.comparisonClass == found && !$0.isBoolean })
    else {
      return TypeFinding(
        place: .operand,
        message: "The bounds of BETWEEN must be two numbers, two dates or two texts.")
    }
    return nil
  }

  private var optionsFinding: TypeFinding? {
    guard !options.isEmpty else { return nil }
    let isText =
      switch operand {
      case .value(.list(let values)), .values(let values):
        values.contains { $0.comparisonClass == .text }
      case .value(let value): value.comparisonClass == .text
      case .nothing, .now: false
      }
    return isText
      ? nil
      : TypeFinding(
        place: .options, message: "[\(options.letters)] can only be used to compare texts.")
  }
}

/// A class of values that can be compared with each other.
package enum ComparisonClass: UInt8, Hashable, Sendable {
  /// Values that cannot be compared.
  case none
  /// Texts.
  case text
  /// Integers, doubles, and booleans as 0 and 1.
  case number
  /// Dates.
  case date
  /// Bytes.
  case bytes
  /// Locations.
  case location
  /// References, compared by record name.
  case reference
  /// Assets, compared by digest and size.
  case asset
  /// Complete lists.
  case list

  /// Whether the values of the class have an order.
  var isOrdered: Bool { self == .text || self == .number || self == .date }
}

extension Value {
  /// The class of values that the value can be compared with.
  package var comparisonClass: ComparisonClass {
    switch self {
    case .string: .text
    case .int64, .double, .boolean: .number
    case .date: .date
    case .bytes: .bytes
    case .location: .location
    case .reference: .reference
    case .asset: .asset
    case .list: .list
    case .entries, .unknown: .none
    }
  }

  fileprivate var isBoolean: Bool {
    if case .boolean = self { true } else { false }
  }

  /// The value without the actions of references, which comparisons ignore.
  fileprivate var comparable: Value {
    switch self {
    case .reference(let reference):
      .reference(Reference(record: reference.record, action: .none))
    case .list(let values): .list(values.map(\.comparable))
    case .string, .int64, .double, .boolean, .date, .bytes, .location, .asset, .entries, .unknown:
      self
    }
  }

  /// The value if it is a reference, or the reference that a text names; `nil` for other values.
  fileprivate var asReference: Value? {
    switch self {
    case .reference: self
    case .string(let text):
      (try? RecordName(text)).map { .reference(Reference(record: $0, action: .none)) }
    default: nil
    }
  }
}
