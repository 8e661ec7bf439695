// Prints predicates. Parsing the text gives the same tree. It has parentheses only where the tree needs them,
// and all values are literals.

import Records

extension Predicate: CustomStringConvertible {
  /// The text of the predicate, with bound values as literals. Because of these, it can be longer than
  /// `PredicateLimits.textBytes`.
  package var description: String {
    switch self {
    case .constant(let isTrue): isTrue ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): comparison.text
    case .words(let words): "SELF CONTAINS \(Value.string(words).literal)"
    case .distance(let distance): distance.text
    case .not(let operand): "NOT \(operand.isCompound ? "(\(operand))" : "\(operand)")"
    case .and(let operands):
      operands.map { $0.isCompound ? "(\($0))" : "\($0)" }.joined(separator: " AND ")
    case .or(let operands):
      operands.map { $0.isAlternative ? "(\($0))" : "\($0)" }.joined(separator: " OR ")
    }
  }

  private var isCompound: Bool {
    switch self {
    case .and, .or: true
    case .constant, .comparison, .words, .distance, .not: false
    }
  }

  private var isAlternative: Bool {
    if case .or = self { true } else { false }
  }
}

extension Comparison {
  fileprivate var text: String {
    let prefix =
      switch quantifier {
      case .whole: ""
      case .any: "ANY "
      case .all: "ALL "
      case .none: "NONE "
      }
    let letters = options.isEmpty ? "" : "[\(options.letters)]"
    return "\(prefix)\(path) \(relation.text)\(letters) \(operand.text)"
  }
}

extension Comparison.Operand {
  fileprivate var text: String {
    switch self {
    case .nothing: "nil"
    case .now: "now()"
    case .value(let value): value.literal
    case .values(let values): Value.list(values).literal
    }
  }
}

extension DistanceComparison {
  fileprivate var text: String {
    let function = "distanceToLocation:fromLocation:"
    return "\(function)(\(path), \(Value.location(point).literal)) \(relation.text) \(metres)"
  }
}

extension FieldPath: CustomStringConvertible {
  /// The path in the text of a predicate. A name that is also a keyword or a system field is escaped.
  package var description: String {
    switch self {
    case .field(let key):
      SystemField.allCases.contains { $0.text == key.text } ? "#\(key)" : key.escaped
    case .entry(let field, let part): "\(field.escaped).\(part.escaped)"
    case .system(let field): field.text
    }
  }
}

extension FieldKey {
  fileprivate var escaped: String {
    Keyword(Array(text.utf8)[...]) == nil ? text : "#\(text)"
  }
}

extension Value {
  /// The literal of the value in the text of a predicate.
  package var literal: String {
    switch self {
    case .string(let text): Self.quoted(text)
    case .int64(let number): "\(number)"
    case .double(let number): "\(number)"
    case .boolean(let flag): flag ? "TRUE" : "FALSE"
    case .date(let time): time.literal
    case .bytes(let bytes): "bytes('\(Hexadecimal.text(of: bytes))')"
    case .location(let place):
      "location(\(place.latitudeDegrees), \(place.longitudeDegrees))"
    case .reference(let reference): "reference(\(Self.quoted(reference.record.text)))"
    case .asset(let asset):
      "asset('\(Hexadecimal.text(of: asset.digest))', \(asset.sizeBytes))"
    case .list(let values): "{\(values.map(\.literal).joined(separator: ", "))}"
    case .entries, .unknown: "nil"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'": quoted += "\\'"
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "'"
  }
}

extension Timestamp {
  /// The date as in RFC 3339 if its year has four digits, otherwise as microseconds.
  fileprivate var literal: String {
    let text = description
    return Timestamp(text) == self ? "date('\(text)')" : "date(\(microseconds))"
  }
}
