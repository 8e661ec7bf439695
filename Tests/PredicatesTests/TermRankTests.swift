// The order of operands: cheap tests are first, and equal content has equal ranks in every run.

import PredicateOracle
import PredicateWorld
import Records
import Testing

@testable import Predicates

@Suite("B1 the ranks of terms")
struct TermRankTests {
  @Test func `cheaper tests are before costlier ones`() throws {
    let texts = [
      "TRUEPREDICATE", "a == 1", "a < 1", "a IN {1, 2}", "a BEGINSWITH 'x'", "a CONTAINS 'x'",
      "distanceToLocation:fromLocation:(p, location(0, 0)) < 1", "a LIKE 'x*'", "ANY a == 1",
      "ANY a LIKE 'x*'", "self CONTAINS 'x'",
    ]
    let ranks = try texts.map { TermRank(try Predicate($0)) }
    for (index, rank) in ranks.enumerated() {
      for later in ranks[(index + 1)...] {
        #expect(rank < later && !(later < rank), "\(texts[index])")
      }
    }
    #expect(TermRank(try Predicate("a == 'x'")) < TermRank(try Predicate("a ==[c] 'x'")))
    #expect(TermRank(try Predicate("a == 1")) < TermRank(try Predicate("a == 1 AND b == 1")))
  }

  @Test(arguments: 0..<4) func `different values have different digests, equal ones the same`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var literals: [UInt64: [UInt8]] = [:]
    for _ in 0..<600 {
      let value = Value(NastyValues.scalar(&random))
      let digest = StructuralHash(value).value
      #expect(StructuralHash(value).value == digest)
      // NB: `==` of texts would treat canonically equivalent ones as equal.
      let literal = Array(value.literal.utf8)
      if let known = literals[digest], known != literal {
        guard value.comparisonClass != .number, value.comparisonClass != .asset else { continue }
        Issue.record("\(value) has the digest of \(String(decoding: known, as: UTF8.self))")
      }
      literals[digest] = literal
    }
    #expect(literals.count > 100)
  }

  @Test func `each part of a comparison counts for its digest`() {
    let list: [Value] = [.int64(1), .int64(2)]
    let comparisons: [Comparison] = [
      Comparison(.field("a"), .equal, .value(.string("x"))),
      Comparison(.field("b"), .equal, .value(.string("x"))),
      Comparison(.field("a"), .notEqual, .value(.string("x"))),
      Comparison(.field("a"), .equal, .value(.string("y"))),
      Comparison(.field("a"), .equal, .value(.bytes([120]))),
      Comparison(.field("a"), .equal, .value(.string("x")), options: .caseInsensitive),
      Comparison(.field("a"), .equal, .value(.string("x")), options: .diacriticInsensitive),
      Comparison(.field("a"), .equal, .value(.string("x")), quantifier: .any),
      Comparison(.field("a"), .equal, .value(.string("x")), quantifier: .all),
      Comparison(.entry("a", "x"), .equal, .value(.string("x")), quantifier: .any),
      Comparison(.entry("x", "a"), .equal, .value(.string("x")), quantifier: .any),
      Comparison(.field("a"), .equal, .nothing), Comparison(.field("a"), .equal, .now),
      Comparison(.system(.creationDate), .equal, .now),
      Comparison(.system(.modificationDate), .equal, .now),
      Comparison(.field("a"), .in, .values(list)),
      Comparison(.field("a"), .in, .values(list.reversed())),
    ]
    #expect(Set(comparisons.map { StructuralHash($0).value }).count == comparisons.count)
    let trees = comparisons.prefix(2).map { Predicate.comparison($0) }
    let forms: [Predicate] = [
      .and(trees), .or(trees), .and(trees.reversed()), .not(.and(trees)), .words("x"), .words("y"),
      .constant(true), .constant(false),
    ]
    #expect(Set(forms.map { StructuralHash($0).value }).count == forms.count)
  }
}
