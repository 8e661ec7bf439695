// Evaluates predicates in the simplest way: on decoded values, over the parsed tree, with Foundation's
// folding and trigonometry. It shares no code with the evaluator that it checks, and is deliberately slow.

import Foundation
import Predicates
import Records

/// Evaluates predicates without an index or a compiled program.
package struct PlainEvaluation {
  private let fields: Fields
  private let system: SystemFields
  private let now: Timestamp?

  /// Creates an evaluation on a record with these fields.
  package init(_ fields: Fields, _ system: SystemFields, now: Timestamp? = nil) {
    self.fields = fields
    self.system = system
    self.now = now
  }

  /// Whether `predicate` holds.
  package func holds(_ predicate: Predicates.Predicate) -> Bool {
    switch predicate {
    case .constant(let isTrue): return isTrue
    case .not(let operand): return !holds(operand)
    case .and(let operands): return operands.allSatisfy(holds)
    case .or(let operands): return operands.contains(where: holds)
    case .words(let wanted):
      let wanted = Self.words(wanted)
      return fields.all.contains { field in
        guard case .string(let text) = field.value else { return false }
        return !Self.words(text).isDisjoint(with: wanted)
      }
    case .distance(let test):
      guard case .location(let place)? = value(of: test.path) else { return false }
      let metres = Self.distance(place, test.point)
      switch test.relation {
      case .less: return metres < test.metres
      case .lessOrEqual: return metres <= test.metres
      case .greater: return metres > test.metres
      default: return metres >= test.metres
      }
    case .comparison(let comparison): return holds(comparison)
    }
  }

  private func holds(_ comparison: Comparison) -> Bool {
    guard comparison.quantifier != .whole else {
      return holds(comparison, of: value(of: comparison.path))
    }
    guard let elements = elements(of: comparison.path) else {
      return comparison.quantifier == .none
    }
    let fitting = elements.filter { holds(comparison, of: $0) }
    switch comparison.quantifier {
    case .any: return !fitting.isEmpty
    case .none: return fitting.isEmpty
    default: return fitting.count == elements.count
    }
  }

  private func holds(_ comparison: Comparison, of value: Value?) -> Bool {
    switch comparison.operand {
    case .nothing: return (value == nil) == (comparison.relation == .equal)
    case .now:
      guard let now, let value else { return false }
      return holds(comparison.relation, value, .date(now), [])
    case .value(let other):
      guard let value else { return false }
      return holds(comparison.relation, value, other, comparison.options)
    case .values(let others):
      guard let value else { return false }
      if comparison.relation == .in {
        return others.contains { holds(.equal, value, $0, comparison.options) }
      }
      return holds(.greaterOrEqual, value, others[0], comparison.options)
        && holds(.lessOrEqual, value, others[1], comparison.options)
    }
  }

  private func holds(
    _ relation: Relation, _ value: Value, _ other: Value, _ options: TextOptions
  ) -> Bool {
    switch relation {
    case .equal: return Self.same(value, other, options) == true
    case .notEqual: return Self.same(value, other, options) == false
    case .contains:
      if case .list(let elements) = value {
        return elements.contains { Self.same($0, other, options) == true }
      }
      return texts(value, other, options) {
        $1.isEmpty || $0.range(of: $1, options: .literal) != nil
      }
    case .beginsWith: return texts(value, other, options) { $0.utf8.starts(with: $1.utf8) }
    case .endsWith:
      return texts(value, other, options) { $0.utf8.reversed().starts(with: $1.utf8.reversed()) }
    case .like: return texts(value, other, options, Self.like)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard let order = Self.order(value, other, options) else { return false }
      return switch relation {
      case .less: order < 0
      case .lessOrEqual: order <= 0
      case .greater: order > 0
      default: order >= 0
      }
    case .between, .in: return false
    }
  }

  private func texts(
    _ value: Value, _ other: Value, _ options: TextOptions, _ test: (String, String) -> Bool
  ) -> Bool {
    guard case .string(let left) = value, case .string(let right) = other else { return false }
    return test(Self.folded(left, options), Self.folded(right, options))
  }

  private func value(of path: FieldPath) -> Value? {
    switch path {
    case .field(let key): fields[key]
    case .entry: nil
    case .system(.recordID): .reference(Reference(record: system.name, action: .none))
    case .system(.creationDate): .date(system.created.time)
    case .system(.modificationDate): .date(system.modified.time)
    case .system(.creatorUserRecordID): Self.account(system.created)
    case .system(.lastModifiedUserRecordID): Self.account(system.modified)
    }
  }

  private static func account(_ stamp: Stamp) -> Value {
    let name = RecordName(stored: stamp.origin.account.description)
    return .reference(Reference(record: name, action: .none))
  }

  private func elements(of path: FieldPath) -> [Value?]? {
    switch path {
    case .field(let key):
      guard case .list(let values)? = fields[key] else { return nil }
      return values
    case .entry(let key, let part):
      guard case .entries(let entries)? = fields[key] else { return nil }
      return entries.map { $0.fields[part] }
    case .system: return nil
    }
  }
}

extension PlainEvaluation {
  /// Returns whether two values are equal; `nil` if they cannot be compared.
  private static func same(_ left: Value, _ right: Value, _ options: TextOptions) -> Bool? {
    switch (left, right) {
    case (.string(let one), .string(let other)):
      return Array(folded(one, options).utf8) == Array(folded(other, options).utf8)
    case (.date, .date): return order(left, right, options) == 0
    case (.bytes(let one), .bytes(let other)): return one == other
    case (.location(let one), .location(let other)): return one == other
    case (.asset(let one), .asset(let other)): return one == other
    case (.reference(let one), .reference(let other)):
      return Array(one.record.text.utf8) == Array(other.record.text.utf8)
    case (.list(let one), .list(let other)):
      return one.count == other.count
        && zip(one, other).allSatisfy { same($0, $1, options) == true }
    default: return order(left, right, options).map { $0 == 0 }
    }
  }

  /// Returns a negative number, zero or a positive number; `nil` if the values have no order.
  private static func order(_ left: Value, _ right: Value, _ options: TextOptions) -> Int? {
    if case .string(let one) = left, case .string(let other) = right {
      let (one, other) = (Array(folded(one, options).utf8), Array(folded(other, options).utf8))
      return one == other ? 0 : one.lexicographicallyPrecedes(other) ? -1 : 1
    }
    if case .date(let one) = left, case .date(let other) = right {
      return one == other ? 0 : one < other ? -1 : 1
    }
    guard let one = decimal(left), let other = decimal(right) else { return nil }
    return one == other ? 0 : one < other ? -1 : 1
  }

  // Swift's generic comparison of whole and real numbers is exact.
  private static func decimal(_ value: Value) -> ExactNumber? {
    switch value {
    case .int64(let number): .whole(number)
    case .boolean(let flag): .whole(flag ? 1 : 0)
    case .double(let number): .real(number)
    default: nil
    }
  }

  /// Returns the folded form of a text under `options`, by Foundation. Each letter is folded alone, because
  /// Foundation's case mapping of a whole text treats a final sigma specially.
  package static func folded(_ text: String, _ options: TextOptions) -> String {
    guard !options.isEmpty else { return text }
    var form = text.decomposedStringWithCanonicalMapping
    if options.contains(.caseInsensitive) {
      form =
        form.unicodeScalars.map { scalar in
          scalar == "\u{131}"
            ? String(scalar)
            : String(scalar).lowercased().uppercased().lowercased()
              .replacingOccurrences(of: "ς", with: "σ")
        }.joined().decomposedStringWithCanonicalMapping
    }
    if options.contains(.diacriticInsensitive) {
      let kept = form.unicodeScalars.filter { $0.properties.generalCategory != .nonspacingMark }
      form = String(String.UnicodeScalarView(kept))
    }
    return form
  }

  private static func words(_ text: String) -> Set<[UInt8]> {
    let form = folded(text, [.caseInsensitive, .diacriticInsensitive])
    let isWord = CharacterSet.alphanumerics.union(.nonBaseCharacters)
    return Set(form.components(separatedBy: isWord.inverted).map { Array($0.utf8) })
      .subtracting([[]])
  }

  private static func like(_ text: String, _ pattern: String) -> Bool {
    var wanted: [(scalar: Unicode.Scalar, isLiteral: Bool)] = []
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if scalar == "\\", !isEscaped {
        isEscaped = true
        continue
      }
      wanted.append((scalar, isEscaped))
      isEscaped = false
    }
    if isEscaped { wanted.append(("\\", true)) }
    let scalars = Array(text.unicodeScalars)
    // reachable[i]: the pattern so far matches the first i characters.
    var reachable = (0...scalars.count).map { $0 == 0 }
    for part in wanted {
      var next = [Bool](repeating: false, count: scalars.count + 1)
      for index in next.indices {
        if part.scalar == "*", !part.isLiteral {
          next[index] = reachable[index] || (index > 0 && next[index - 1])
        } else if index > 0, reachable[index - 1] {
          next[index] =
            part.scalar == "?" && !part.isLiteral || part.scalar == scalars[index - 1]
        }
      }
      reachable = next
    }
    return reachable[scalars.count]
  }

  private static func distance(_ one: Location, _ other: Location) -> Double {
    let (latitude, otherLatitude) = (
      one.latitudeDegrees * .pi / 180, other.latitudeDegrees * .pi / 180
    )
    let longitudes = (one.longitudeDegrees - other.longitudeDegrees) * .pi / 180
    let haversine =
      pow(sin((latitude - otherLatitude) / 2), 2) + cos(latitude) * cos(otherLatitude)
      * pow(sin(longitudes / 2), 2)
    return 2 * 6_371_008.8 * asin(min(1, haversine.squareRoot()))
  }
}

/// A whole or a real number, compared by value.
private enum ExactNumber: Comparable {
  case whole(Int64)
  case real(Double)

  static func == (left: Self, right: Self) -> Bool { !(left < right) && !(right < left) }

  static func < (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.whole(let one), .whole(let other)): one < other
    case (.real(let one), .real(let other)): one < other
    case (.whole(let one), .real(let other)):
      Int128(one) < Int128(clamped(other).rounded(.up))
    case (.real(let one), .whole(let other)):
      Int128(clamped(one).rounded(.down)) < Int128(other)
    }
  }

  private static func clamped(_ number: Double) -> Double { min(max(number, -1e30), 1e30) }
}
