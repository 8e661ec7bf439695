// Counts how often each form of comparison was true and false: one that is always false tests nothing.

import PredicateOracle
import Testing

/// Counts of results.
struct OracleTally {
  private struct Count {
    var truths = 0
    var falsehoods = 0

    var sum: Int { truths + falsehoods }

    mutating func add(_ truth: Bool) {
      if truth { truths += 1 } else { falsehoods += 1 }
    }

    mutating func add(_ other: Count) {
      truths += other.truths
      falsehoods += other.falsehoods
    }
  }

  private var whole = Count()
  /// The counts by quantifier, such as `ANY`, and by operator with options, such as `LIKE[cd]`.
  private var byWord: [Substring: Count] = [:]

  private static let forms =
    OracleSign.allCases.flatMap { sign in
      ["", "[c]", "[d]", "[cd]"].map { options in sign.rawValue + options }
    }
    + ["value IN", "SELF CONTAINS", "distance <", "distance <=", "distance >", "distance >="]
  private static let words = ["ANY", "ALL", "NONE"]

  mutating func add(_ predicate: OraclePredicate, _ truth: Bool, of evaluation: OracleEvaluation) {
    whole.add(truth)
    for term in predicate.terms where !term.form.isEmpty {
      let truth = evaluation.holds(term)
      var form = term.form[...]
      if let word = Self.words.first(where: { form.hasPrefix($0 + " ") }) {
        byWord[word[...], default: Count()].add(truth)
        form = form.dropFirst(word.count + 1)
      }
      byWord[form, default: Count()].add(truth)
    }
  }

  mutating func add(_ other: OracleTally) {
    whole.add(other.whole)
    byWord.merge(other.byWord) { one, other in
      var sum = one
      sum.add(other)
      return sum
    }
  }

  /// Checks that every form was true and false often enough to reveal a fault in it.
  func expectBothTruths() {
    for form in Self.forms + Self.words {
      let count = byWord[form[...]] ?? Count()
      #expect(count.truths * 30 > count.sum && count.truths > 4, "\(form) is hardly ever true")
      #expect(count.falsehoods * 30 > count.sum, "\(form) is hardly ever false")
    }
    #expect(whole.truths * 3 > whole.sum && whole.falsehoods * 3 > whole.sum)
  }
}
