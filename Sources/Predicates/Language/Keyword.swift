// The words that are not names. In any case; a field that is called like one is written `#in`.

import Records

/// A word with a meaning of its own.
enum Keyword: String, CaseIterable {
  case and, or, not, any, all
  // NB: not `some` and `none`, which of an optional keyword would mean something else.
  case someOf = "some"
  case noneOf = "none"
  case between, `in`, contains, beginsWith, endsWith, like, matches
  case truePredicate, falsePredicate
  case `true`, `false`, yes, no, `nil`, null, `self`

  /// The keyword that these bytes spell in any case, if any. Costs a few nanoseconds: every name
  /// in every predicate is asked.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard (2...14).contains(bytes.count) else { return nil }
    let spelling = Spelling(bytes)
    let match = Self.spellings.withUnsafeBufferPointer { spellings in
      spellings.first { $0.spelling == spelling }
    }
    guard let match else { return nil }
    self = match.keyword
  }

  /// As it is printed.
  var text: String { rawValue.uppercased() }

  /// The relation it stands for, if any.
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

  /// The quantifier it stands for, if any.
  var quantifier: Quantifier? {
    switch self {
    case .any, .someOf: .any
    case .all: .all
    case .noneOf: Quantifier.none
    default: nil
    }
  }

  /// The keyword that somebody may have meant by `word`.
  static func near(_ word: String, among keywords: [Keyword]) -> Keyword? {
    let typed = Array(word.lowercased().utf8)
    guard typed.count <= 24 else { return nil }
    let distances = keywords.map { ($0, editDistance(typed, Array($0.rawValue.lowercased().utf8))) }
    guard let best = distances.min(by: { $0.1 < $1.1 }) else { return nil }
    return best.1 <= max(1, best.0.rawValue.utf8.count / 3) ? best.0 : nil
  }

  /// Up to fourteen letters in lower case and their number, to be compared at once.
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

/// Letters to add, drop, replace or exchange with their neighbour to make one word the other.
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
