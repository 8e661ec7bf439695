// The search for posts (T3). Every word of the query must occur in one comment, also within words (“fall”
// finds “waterfall”), regardless of case and accents. Both sides are folded by the tables that predicates use
// for `[cd]`, and compared byte by byte.

import ByteCounts
import Predicates
import Records

/// A query for comments.
package struct TimelineSearch: Hashable, Sendable {
  /// The version of the folding tables; texts of another version must be folded again.
  package static let version = 1
  /// The maximum size of a query. Longer → `limitExceeded`.
  package static let bytesMaximum = 1024
  /// The maximum number of words in a query. More → `limitExceeded`.
  package static let wordsMaximum = 16

  /// The folded words. An empty query has none and matches everything.
  package let words: [[UInt8]]

  /// Parses a query.
  /// - Throws: `limitExceeded`.
  package init(_ typed: String) throws(RecordsError) {
    guard typed.utf8.count <= Self.bytesMaximum else {
      throw RecordsError(
        .limitExceeded,
        "The search has \(ByteCount(typed.utf8.count)); "
          + "the limit is \(ByteCount(Self.bytesMaximum).limit).")
    }
    let parts = typed.split(whereSeparator: \.isWhitespace)
    guard parts.count <= Self.wordsMaximum else {
      throw RecordsError(
        .limitExceeded, "The search has \(parts.count) words; the limit is \(Self.wordsMaximum).")
    }
    words = parts.map { Self.folded(String($0)) }.filter { !$0.isEmpty }
  }

  /// Returns a comment's text in the form that searches compare.
  package static func folded(_ text: String) -> [UInt8] {
    TextFold.folded(text, [.caseInsensitive, .diacriticInsensitive])
  }

  /// Whether a folded text contains all words.
  package func matches(_ folded: [UInt8]) -> Bool {
    words.allSatisfy { folded.contains($0) }
  }
}
