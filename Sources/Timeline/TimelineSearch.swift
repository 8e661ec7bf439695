// How posts are found (T3): every word that was typed stands somewhere in one comment, within words
// too (“fall” finds “waterfall”), without regard to case and accents. Both sides are folded by the
// tables that predicates compare with `[cd]`, and compared byte by byte.

import Predicates
import Records

/// What a person looks for in comments.
package struct TimelineSearch: Hashable, Sendable {
  /// Which tables folded texts were made with; texts of another version are made again.
  package static let version = 1
  /// The longest search. Longer → `limitExceeded`.
  package static let bytesMaximum = 1024
  /// The most words of one. More → `limitExceeded`.
  package static let wordsMaximum = 16

  /// The words, folded; empty when nothing was typed, which everything answers.
  package let words: [[UInt8]]

  /// Reads what was typed.
  /// - Throws: `limitExceeded`.
  package init(_ typed: String) throws(RecordsError) {
    guard typed.utf8.count <= Self.bytesMaximum else {
      throw RecordsError(
        .limitExceeded,
        "The search has \(typed.utf8.count) bytes; the limit is \(Self.bytesMaximum).")
    }
    let parts = typed.split(whereSeparator: \.isWhitespace)
    guard parts.count <= Self.wordsMaximum else {
      throw RecordsError(
        .limitExceeded, "The search has \(parts.count) words; the limit is \(Self.wordsMaximum).")
    }
    words = parts.map { Self.folded(String($0)) }.filter { !$0.isEmpty }
  }

  /// A comment's text as searches compare it.
  package static func folded(_ text: String) -> [UInt8] {
    TextFold.folded(text, [.caseInsensitive, .diacriticInsensitive])
  }

  /// Whether a folded text has all the words.
  package func matches(_ folded: [UInt8]) -> Bool {
    words.allSatisfy { folded.contains($0) }
  }
}
