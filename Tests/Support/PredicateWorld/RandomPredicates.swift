import Predicates
import Records

/// Draws predicates of every kind over the fields of `RandomRecords`. They are well typed.
package enum RandomPredicates {
  /// Returns a predicate with at most `depth` levels of AND, OR and NOT.
  package static func predicate(_ generator: inout SeededGenerator, depth: Int = 3) -> Predicate {
    if depth == 0 || generator.percent(35) { return term(&generator) }
    switch generator.below(5) {
    case 0: return .not(predicate(&generator, depth: depth - 1))
    case 1, 2: return .and(operands(&generator, depth))
    default: return .or(operands(&generator, depth))
    }
  }

  private static func operands(_ generator: inout SeededGenerator, _ depth: Int) -> [Predicate] {
    (0..<2 + generator.below(3)).map { _ in predicate(&generator, depth: depth - 1) }
  }

  /// Returns one comparison.
  package static func term(_ generator: inout SeededGenerator) -> Predicate {
    switch generator.below(20) {
    case 0: return .constant(generator.percent(50))
    case 1:
      return .words(generator.one(of: ["anna", "Maria x", "46", "한글 zz", "strasse", "nobody"]))
    case 2:
      return .distance(
        DistanceComparison(
          path: .field("place"), point: generator.one(of: RandomRecords.places),
          relation: generator.one(of: [.less, .lessOrEqual, .greater, .greaterOrEqual]),
          metres: generator.one(of: [0, 2000, 500_000, 5_000_000, 30_000_000])))
    case 3: return .comparison(systemComparison(&generator))
    case 4, 5, 6: return .comparison(elementComparison(&generator))
    default: return .comparison(fieldComparison(&generator))
    }
  }

  private static let keys: [FieldKey] = [
    "name", "city", "note", "age", "score", "born", "place", "parent", "misc", "tags", "absent",
  ]

  private static func fieldComparison(_ generator: inout SeededGenerator) -> Comparison {
    let path = FieldPath.field(generator.one(of: keys))
    switch generator.below(10) {
    case 0:
      return Comparison(path, generator.percent(50) ? .equal : .notEqual, .nothing)
    case 1, 2, 3: return text(path, .whole, &generator)
    case 4:
      return Comparison(
        path, generator.one(of: orderings), .value(RandomRecords.number(&generator)))
    case 5:
      return Comparison(
        path, .between,
        .values([RandomRecords.number(&generator), RandomRecords.number(&generator)]))
    case 6:
      let times = [generator.one(of: RandomRecords.times), generator.one(of: RandomRecords.times)]
      return generator.percent(50)
        ? Comparison(path, .between, .values(times.map(Value.date)))
        : Comparison(path, generator.one(of: orderings), .value(.date(times[0])))
    case 7: return Comparison(path, .in, .values(values(&generator)))
    case 8:
      return Comparison(
        path, generator.percent(50) ? .equal : .notEqual, .value(.list(values(&generator))))
    default:
      return Comparison(
        path, generator.one(of: [.equal, .notEqual, .contains]),
        .value(RandomRecords.scalar(&generator).withoutAction))
    }
  }

  private static func elementComparison(_ generator: inout SeededGenerator) -> Comparison {
    let path = generator.one(of: [
      FieldPath.field("tags"), .entry("phones", "value"), .entry("phones", "label"),
      .entry("tags", "value"), .field("name"),
    ])
    let quantifier = generator.one(of: [Quantifier.any, .any, .all, .none])
    switch generator.below(6) {
    case 0, 1: return text(path, quantifier, &generator)
    case 2:
      return Comparison(path, .in, .values(values(&generator)), quantifier: quantifier)
    case 3:
      guard case .entry = path else { fallthrough }
      return Comparison(
        path, generator.percent(50) ? .equal : .notEqual, .nothing, quantifier: quantifier)
    case 4:
      return Comparison(
        path, generator.one(of: orderings), .value(RandomRecords.number(&generator)),
        quantifier: quantifier)
    default:
      return Comparison(
        path, generator.percent(50) ? .equal : .notEqual,
        .value(RandomRecords.scalar(&generator).withoutAction), quantifier: quantifier)
    }
  }

  private static func systemComparison(_ generator: inout SeededGenerator) -> Comparison {
    let field = generator.one(of: SystemField.allCases)
    if field.isDate {
      return Comparison(
        .system(field), generator.one(of: orderings + [.equal]),
        .value(.date(generator.one(of: RandomRecords.times))))
    }
    let name =
      field == .recordID
      ? generator.one(of: RandomRecords.names)
      : RecordName(stored: AccountID(UInt128(generator.below(4) + 1)).description)
    return Comparison(
      .system(field), generator.percent(70) ? .equal : .notEqual,
      .value(.reference(Reference(record: name, action: .none))))
  }

  private static func text(
    _ path: FieldPath, _ quantifier: Quantifier, _ generator: inout SeededGenerator
  ) -> Comparison {
    let whole = generator.one(of: RandomRecords.texts)
    let letters = Array(whole.unicodeScalars)
    let start = generator.below(letters.count + 1)
    let end = start + generator.below(letters.count - start + 1)
    let piece = String(String.UnicodeScalarView(letters[start..<end]))
    let options = TextOptions(rawValue: UInt8(generator.below(4)))
    let relation = generator.one(of: [
      Relation.equal, .equal, .notEqual, .beginsWith, .endsWith, .contains, .like, .less,
      .greaterOrEqual, .between, .in,
    ])
    let operand: Comparison.Operand =
      switch relation {
      case .between: .values([.string(piece), .string(whole)])
      case .in: .values([.string(whole), .string(generator.one(of: RandomRecords.texts))])
      case .like:
        .value(.string(generator.one(of: ["*\(piece)*", "\(piece)*", "*?\(piece)", whole, "*"])))
      case .contains, .beginsWith, .endsWith: .value(.string(piece))
      default: .value(.string(whole))
      }
    return Comparison(path, relation, operand, quantifier: quantifier, options: options)
  }

  private static let orderings: [Relation] = [.less, .lessOrEqual, .greater, .greaterOrEqual]

  private static func values(_ generator: inout SeededGenerator) -> [Value] {
    (0..<generator.below(4)).map { _ in RandomRecords.scalar(&generator).withoutAction }
  }
}

extension Value {
  fileprivate var withoutAction: Value {
    guard case .reference(let reference) = self else { return self }
    return .reference(Reference(record: reference.record, action: .none))
  }
}
