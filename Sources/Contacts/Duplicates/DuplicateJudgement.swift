// Whether two contacts are probably one person, and why. An equal name is not enough: namesakes need a second
// matching fact. An equal number is not enough either: families share a telephone and firms an address, so
// the names must be compatible.

import Records

/// The reasons why two contacts are probably one person.
package struct DuplicateJudgement: Hashable, Sendable {
  /// A fact on which both contacts agree.
  package struct Reason: Hashable, Sendable {
    /// The kind of fact.
    package let fact: ContactFacts.Kind
    /// The value in the first contact.
    package let value: String
  }

  /// The facts on which both agree, the strongest first: at least one, or two if one is the name.
  package let reasons: [Reason]

  /// The strength of the reasons. Only comparisons between judgements are meaningful.
  package var weight: Int {
    reasons.reduce(0) { sum, reason in
      switch reason.fact {
      case .uid: sum + 8
      case .email: sum + 6
      case .phone, .birthday: sum + 4
      case .name, .address, .url, .instantMessage: sum + 3
      case .nickname: sum + 2
      case .company: sum + 1
      }
    }
  }

  /// Compares two contacts; `nil` if they are not a likely duplicate.
  package init?(_ one: ContactFacts, _ other: ContactFacts) {
    guard one.generation == other.generation, !Self.areBornApart(one, other) else { return nil }
    let shared = ContactFacts.Kind.allCases.compactMap { Self.shared($0, one, other) }
    let isSameName = !one.nameWords.isEmpty && one.nameWords == other.nameWords
    let strong = shared.filter { [.uid, .email, .phone].contains($0.fact) }
    if isSameName {
      guard !shared.isEmpty else { return nil }
    } else {
      let isOneName = NameComparison.mayBeSame(one, other)
      let hasCommonWord = !one.nameWords.isDisjoint(with: other.nameWords)
      guard !strong.isEmpty, isOneName || strong.count > 1 && hasCommonWord else { return nil }
    }
    var reasons = shared
    if isSameName {
      let place = reasons.firstIndex { $0.fact.order > ContactFacts.Kind.name.order }
      reasons.insert(Reason(fact: .name, value: one.nameKey), at: place ?? reasons.count)
    }
    self.reasons = reasons
  }

  private static func shared(
    _ kind: ContactFacts.Kind, _ one: ContactFacts, _ other: ContactFacts
  ) -> Reason? {
    guard let mine = one.values[kind], let theirs = other.values[kind] else { return nil }
    let common = mine.keys.filter { theirs[$0] != nil }.min()
    return common.flatMap { mine[$0] }.map { Reason(fact: kind, value: $0) }
  }

  private static func areBornApart(_ one: ContactFacts, _ other: ContactFacts) -> Bool {
    guard one.hasWholeBirthday, other.hasWholeBirthday else { return false }
    return one.values[.birthday]?.keys.first != other.values[.birthday]?.keys.first
  }
}

extension ContactFacts.Kind {
  fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Whether two different names can belong to one person.
enum NameComparison {
  static func mayBeSame(_ one: ContactFacts, _ other: ContactFacts) -> Bool {
    switch (one.nameWords.isEmpty, other.nameWords.isEmpty) {
    case (false, false): isShortFor(one.nameWords, other.nameWords)
    // Two firms, or two numbers without a name. A firm and one of its people are not the same.
    case (true, true):
      one.values[.company] == nil || other.values[.company] == nil
        || one.values[.company]?.keys == other.values[.company]?.keys
    case (true, false): one.values[.company] == nil
    case (false, true): other.values[.company] == nil
    }
  }

  /// Whether each word of the shorter name is equal to a word of the longer or begins one, as an initial or a
  /// short form does.
  private static func isShortFor(_ one: Set<String>, _ other: Set<String>) -> Bool {
    let (short, long) = one.count <= other.count ? (one, other) : (other, one)
    var rest = long.subtracting(short)
    for word in short.subtracting(long).sorted(by: >) {
      guard let match = rest.sorted().first(where: { isShort(word, for: $0) }) else {
        return false
      }
      rest.remove(match)
    }
    // Initials alone identify no person.
    return !one.isDisjoint(with: other)
  }

  private static func isShort(_ one: String, for other: String) -> Bool {
    let (short, long) = one.count <= other.count ? (one, other) : (other, one)
    return (short.count == 1 || short.count >= 3) && long.hasPrefix(short)
  }
}
