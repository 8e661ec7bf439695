// Predicates of every kind over the fields of `RandomRecords`, well typed but otherwise anything.

import Predicates
import Records

/// Draws predicates.
package enum RandomPredicates {
  /// A predicate of at most `depth` levels of AND, OR and NOT.
  package static func predicate(_ dice: inout SeededDice, depth: Int = 3) -> Predicate {
    if depth == 0 || dice.percent(35) { return term(&dice) }
    switch dice.below(5) {
    case 0: return .not(predicate(&dice, depth: depth - 1))
    case 1, 2: return .and(operands(&dice, depth))
    default: return .or(operands(&dice, depth))
    }
  }

  private static func operands(_ dice: inout SeededDice, _ depth: Int) -> [Predicate] {
    (0..<2 + dice.below(3)).map { _ in predicate(&dice, depth: depth - 1) }
  }

  /// One comparison.
  package static func term(_ dice: inout SeededDice) -> Predicate {
    switch dice.below(20) {
    case 0: return .constant(dice.percent(50))
    case 1: return .words(dice.one(of: ["anna", "Maria x", "46", "한글 zz", "strasse", "nobody"]))
    case 2:
      return .distance(
        DistanceComparison(
          path: .field("place"), point: dice.one(of: RandomRecords.places),
          relation: dice.one(of: [.less, .lessOrEqual, .greater, .greaterOrEqual]),
          metres: dice.one(of: [0, 2000, 500_000, 5_000_000, 30_000_000])))
    case 3: return .comparison(systemComparison(&dice))
    case 4, 5, 6: return .comparison(elementComparison(&dice))
    default: return .comparison(fieldComparison(&dice))
    }
  }

  private static let keys: [FieldKey] = [
    "name", "city", "note", "age", "score", "born", "place", "parent", "misc", "tags", "absent",
  ]

  private static func fieldComparison(_ dice: inout SeededDice) -> Comparison {
    let path = FieldPath.field(dice.one(of: keys))
    switch dice.below(10) {
    case 0:
      return Comparison(path, dice.percent(50) ? .equal : .notEqual, .nothing)
    case 1, 2, 3: return text(path, .whole, &dice)
    case 4:
      return Comparison(path, dice.one(of: orderings), .value(RandomRecords.number(&dice)))
    case 5:
      return Comparison(
        path, .between, .values([RandomRecords.number(&dice), RandomRecords.number(&dice)]))
    case 6:
      let times = [dice.one(of: RandomRecords.times), dice.one(of: RandomRecords.times)]
      return dice.percent(50)
        ? Comparison(path, .between, .values(times.map(Value.date)))
        : Comparison(path, dice.one(of: orderings), .value(.date(times[0])))
    case 7: return Comparison(path, .in, .values(values(&dice)))
    case 8:
      return Comparison(path, dice.percent(50) ? .equal : .notEqual, .value(.list(values(&dice))))
    default:
      return Comparison(
        path, dice.one(of: [.equal, .notEqual, .contains]),
        .value(RandomRecords.scalar(&dice).withoutAction))
    }
  }

  private static func elementComparison(_ dice: inout SeededDice) -> Comparison {
    let path = dice.one(of: [
      FieldPath.field("tags"), .entry("phones", "value"), .entry("phones", "label"),
      .entry("tags", "value"), .field("name"),
    ])
    let quantifier = dice.one(of: [Quantifier.any, .any, .all, .none])
    switch dice.below(6) {
    case 0, 1: return text(path, quantifier, &dice)
    case 2:
      return Comparison(path, .in, .values(values(&dice)), quantifier: quantifier)
    case 3:
      guard case .entry = path else { fallthrough }
      return Comparison(
        path, dice.percent(50) ? .equal : .notEqual, .nothing, quantifier: quantifier)
    case 4:
      return Comparison(
        path, dice.one(of: orderings), .value(RandomRecords.number(&dice)), quantifier: quantifier)
    default:
      return Comparison(
        path, dice.percent(50) ? .equal : .notEqual,
        .value(RandomRecords.scalar(&dice).withoutAction), quantifier: quantifier)
    }
  }

  private static func systemComparison(_ dice: inout SeededDice) -> Comparison {
    let field = dice.one(of: SystemField.allCases)
    if field.isDate {
      return Comparison(
        .system(field), dice.one(of: orderings + [.equal]),
        .value(.date(dice.one(of: RandomRecords.times))))
    }
    let name =
      field == .recordID
      ? dice.one(of: RandomRecords.names)
      : RecordName(stored: AccountID(UInt128(dice.below(4) + 1)).description)
    return Comparison(
      .system(field), dice.percent(70) ? .equal : .notEqual,
      .value(.reference(Reference(record: name, action: .none))))
  }

  private static func text(
    _ path: FieldPath, _ quantifier: Quantifier, _ dice: inout SeededDice
  ) -> Comparison {
    let whole = dice.one(of: RandomRecords.texts)
    let letters = Array(whole.unicodeScalars)
    let start = dice.below(letters.count + 1)
    let end = start + dice.below(letters.count - start + 1)
    let piece = String(String.UnicodeScalarView(letters[start..<end]))
    let options = TextOptions(rawValue: UInt8(dice.below(4)))
    let relation = dice.one(of: [
      Relation.equal, .equal, .notEqual, .beginsWith, .endsWith, .contains, .like, .less,
      .greaterOrEqual, .between, .in,
    ])
    let operand: Comparison.Operand =
      switch relation {
      case .between: .values([.string(piece), .string(whole)])
      case .in: .values([.string(whole), .string(dice.one(of: RandomRecords.texts))])
      case .like:
        .value(.string(dice.one(of: ["*\(piece)*", "\(piece)*", "*?\(piece)", whole, "*"])))
      case .contains, .beginsWith, .endsWith: .value(.string(piece))
      default: .value(.string(whole))
      }
    return Comparison(path, relation, operand, quantifier: quantifier, options: options)
  }

  private static let orderings: [Relation] = [.less, .lessOrEqual, .greater, .greaterOrEqual]

  private static func values(_ dice: inout SeededDice) -> [Value] {
    (0..<dice.below(4)).map { _ in RandomRecords.scalar(&dice).withoutAction }
  }
}

extension Value {
  fileprivate var withoutAction: Value {
    guard case .reference(let reference) = self else { return self }
    return .reference(Reference(record: reference.record, action: .none))
  }
}
