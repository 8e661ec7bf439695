import Records

/// A reserved word of the language, in any case. The name of a field with this spelling is written after
/// a number sign: `#in`.
enum Keyword: String, CaseIterable {
  case and, or, not, any, all
  // NB: not `some` and `none`, which would mean the cases of `Optional` for an optional keyword.
  case someOf = "some"
  case noneOf = "none"
  case between, `in`, contains, beginsWith, endsWith, like, matches
  case truePredicate, falsePredicate
  case `true`, `false`, yes, no, `nil`, null, `self`

  /// Creates the keyword with this spelling, in any case; `nil` if there is none. It takes a few
  /// nanoseconds, because it is called for each name in a predicate.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard (2...14).contains(bytes.count) else { return nil }
    let spelling = Spelling(bytes)
    let match = Self.spellings.withUnsafeBufferPointer { spellings in
      spellings.first { $0.spelling == spelling }
    }
    guard let match else { return nil }
    self = match.keyword
  }

  /// The keyword in upper case, as predicates are printed.
  var text: String { rawValue.uppercased() }

  /// The relation that the keyword denotes, if any.
  var relation: Relation? {
    switch self {
    case .between: .between
    case .in: .in
    case .contains: .contains
    case .beginsWith: .beginsWith
    case .endsWith: .endsWith
    case .like: .like
    default: nil
    }
  }

  /// The quantifier that the keyword denotes, if any.
  var quantifier: Quantifier? {
    switch self {
    case .any, .someOf: .any
    case .all: .all
    case .noneOf: Quantifier.none
    default: nil
    }
  }

  /// Returns the keyword that `word` probably misspells; `nil` if none is similar.
  static func near(_ word: String, among keywords: [Keyword]) -> Keyword? {
    let typed = Array(word.lowercased().utf8)
    guard typed.count <= 24 else { return nil }
    let distances = keywords.map { ($0, editDistance(typed, Array($0.rawValue.lowercased().utf8))) }
    guard let best = distances.min(by: { $0.1 < $1.1 }) else { return nil }
    return best.1 <= max(1, best.0.rawValue.utf8.count / 3) ? best.0 : nil
  }

  /// Up to fourteen letters in lower case, packed so that two spellings are compared at once.
  private struct Spelling: Equatable {
    var low: UInt64 = 0
    var high: UInt64 = 0

    init(_ bytes: some Sequence<UInt8>) {
      for byte in bytes {
        high = high << 8 | low >> 56
        low = low << 8 | UInt64(byte | 0x20)
      }
    }
  }

  private static let spellings = allCases.map {
    (spelling: Spelling($0.rawValue.utf8), keyword: $0)
  }
}

/// Returns the number of letters to insert, delete, replace or transpose to change one word to the other.
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
  var rows = [[Int](0...right.count)]
  for (i, letter) in left.enumerated() {
    var row = [i + 1]
    for (j, other) in right.enumerated() {
      let replaced = rows[i][j] + (letter == other ? 0 : 1)
      var best = min(replaced, rows[i][j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other {
        best = min(best, rows[i - 1][j - 1] + 1)
      }
      row.append(best)
    }
    rows.append(row)
  }
  return rows[left.count][right.count]
}
