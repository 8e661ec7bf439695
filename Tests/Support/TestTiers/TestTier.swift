// The two series of tests: `make test` for every change, in minutes, and `make check` before a change lands.

import Foundation
import Testing

/// The series of tests that runs.
package enum TestTier: Sendable {
  case test
  case check

  /// The series of this run: `scripts/check` sets `CONTACTS_CHECK`.
  package static let current: Self =
    ProcessInfo.processInfo.environment["CONTACTS_CHECK"] == nil ? .test : .check

  /// Returns the number of random cases in this run: `count` in `make check`, a tenth of it in `make test`.
  package static func cases(_ count: Int) -> Int {
    current == .check ? count : max(1, count / 10)
  }
}

extension Trait where Self == ConditionTrait {
  /// Runs a test only in `make check`: it takes more than a second, and a quicker test proves the same promise.
  package static var onlyInCheck: Self {
    .enabled(if: TestTier.current == .check, "“make check” runs this test.")
  }
}
