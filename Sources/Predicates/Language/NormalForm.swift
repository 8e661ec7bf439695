// Converts predicates to a normal form, so that equivalent predicates of many subscriptions are stored and
// evaluated once. Only transformations that are correct for missing fields are made: a NOT moves inward
// through AND and OR down to a comparison, whose operator does not change.

import Records

extension Predicate {
  /// Returns an equivalent predicate in normal form: without constants as operands, with NOT only before
  /// single terms, with flat AND and OR whose operands are unique and sorted by cost (`TermRank`).
  package func normalised() -> Predicate {
    normalised(isNegated: false)
  }

  private func normalised(isNegated: Bool) -> Predicate {
    switch self {
    case .constant(let isTrue): return .constant(isTrue != isNegated)
    case .comparison(let comparison):
      // Most comparisons are normal and need no copy.
      if comparison.isNormal { return isNegated ? .not(self) : self }
      let term = comparison.normalised()
      guard isNegated else { return term }
      switch term {
      case .not(let inner): return inner
      case .constant(let isTrue): return .constant(!isTrue)
      default: return .not(term)
      }
    case .words, .distance: return isNegated ? .not(self) : self
    case .not(let operand): return operand.normalised(isNegated: !isNegated)
    case .and(let operands):
      return Self.joined(operands, isNegated: isNegated, isAnd: !isNegated)
    case .or(let operands):
      return Self.joined(operands, isNegated: isNegated, isAnd: isNegated)
    }
  }

  private static func joined(_ operands: [Predicate], isNegated: Bool, isAnd: Bool) -> Predicate {
    var terms: [(rank: TermRank, predicate: Predicate)] = []
    terms.reserveCapacity(operands.count)
    for operand in operands {
      let operand = operand.normalised(isNegated: isNegated)
      switch operand {
      case .constant(isAnd): continue
      case .constant: return operand
      case .and(let inner) where isAnd: terms += inner.map { (TermRank($0), $0) }
      case .or(let inner) where !isAnd: terms += inner.map { (TermRank($0), $0) }
      default: terms.append((TermRank(operand), operand))
      }
    }
    terms.sort { $0.rank < $1.rank }
    var unique: [Predicate] = []
    unique.reserveCapacity(terms.count)
    for (index, term) in terms.enumerated() {
      let isRepeated =
        index > 0 && terms[index - 1].rank == term.rank && unique.last == term.predicate
      if !isRepeated { unique.append(term.predicate) }
    }
    switch unique.count {
    case 0: return .constant(isAnd)
    case 1: return unique[0]
    default: return isAnd ? .and(unique) : .or(unique)
    }
  }
}

extension Comparison {
  fileprivate var isNormal: Bool {
    guard quantifier != .none else { return false }
    switch operand {
    case .nothing, .now: return true
    case .value(let value): return value.isCanonical
    case .values(let values): return relation != .in && values.allSatisfy(\.isCanonical)
    }
  }

  fileprivate func normalised() -> Predicate {
    var comparison = self
    switch operand {
    case .value(let value): comparison.operand = .value(value.canonical)
    case .values(let values) where relation == .in:
      let ranked = values.map { (StructuralHash($0.canonical), $0.canonical) }
      let sorted = ranked.sorted { $0.0 < $1.0 }
      var unique: [Value] = []
      for (_, value) in sorted where unique.last != value { unique.append(value) }
      comparison.operand = .values(unique)
      if unique.isEmpty, quantifier != .all { return .constant(quantifier == .none) }
      if unique.count == 1 {
        comparison.relation = .equal
        comparison.operand = .value(unique[0])
      }
    case .values(let values): comparison.operand = .values(values.map(\.canonical))
    case .nothing, .now: break
    }
    guard quantifier == .none else { return .comparison(comparison) }
    comparison.quantifier = .any
    return .not(.comparison(comparison))
  }
}

extension Value {
  fileprivate var isCanonical: Bool {
    switch self {
    case .boolean, .double, .list: false
    case .string, .int64, .date, .bytes, .location, .reference, .asset, .entries, .unknown: true
    }
  }

  /// The value with numbers that compare as equal in one form: 5 for 5.0 and 1 for TRUE.
  fileprivate var canonical: Value {
    switch self {
    case .boolean(let flag): .int64(flag ? 1 : 0)
    case .double(let number): Int64(exactly: number).map(Value.int64) ?? self
    case .list(let values): .list(values.map(\.canonical))
    case .string, .int64, .date, .bytes, .location, .reference, .asset, .entries, .unknown: self
    }
  }
}
