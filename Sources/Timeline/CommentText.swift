// The rules for a comment's text (T2). Text is trimmed and must not be empty. Control characters, which a
// terminal would obey, are rejected; line breaks and tabs are allowed.

import ByteCounts
import Records

/// The text of a comment, validated.
package struct CommentText: Hashable, Sendable {
  /// The maximum size of a comment in bytes of UTF-8. Longer → `limitExceeded`.
  package static let bytesMaximum = 16 << 10
  /// The maximum number of characters of a comment in a list.
  static let excerptCharacters = 80
  /// The maximum size of an excerpt in bytes of UTF-8. Characters alone are no limit, because one may have
  /// any number of accents.
  package static let excerptBytes = 240

  /// The trimmed text.
  package let text: String

  /// Validates a comment or a caption.
  /// - Parameter field: The name of the field: `text`, `caption`.
  /// - Throws: `invalidArguments` if the text is empty or contains control characters; `limitExceeded`.
  package init(_ text: String, field: String) throws(RecordsError) {
    let trimmed = text.trimmingBlanks()
    guard !trimmed.isEmpty else {
      throw RecordsError(
        .invalidArguments, "The \(field == "caption" ? "caption" : "comment") is empty.",
        hint: "Enter some text.", field: field)
    }
    guard trimmed.utf8.count <= Self.bytesMaximum else {
      var error = RecordsError(
        .limitExceeded,
        "The text is too long: \(ByteCount(trimmed.utf8.count)); "
          + "the limit is \(ByteCount(Self.bytesMaximum).limit).")
      error.field = field
      throw error
    }
    let isPlain = trimmed.unicodeScalars.allSatisfy {
      $0 == "\n" || $0 == "\t" || $0.properties.generalCategory != .control
    }
    guard isPlain else {
      throw RecordsError(
        .invalidArguments, "The \(field) contains control characters.",
        hint: "Enter it again as plain text.", field: field)
    }
    self.text = trimmed
  }

  /// Returns the beginning of a comment on one line, for lists of changes.
  package static func excerpt(of text: String) -> String {
    let beginning = text.cut(toBytes: 4 * excerptBytes)
    let line = beginning.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let cut = String(line.prefix(excerptCharacters)).cut(toBytes: excerptBytes)
    guard cut.utf8.count < line.utf8.count || beginning.utf8.count < text.utf8.count else {
      return line
    }
    let isFull = cut.count == excerptCharacters
    return (isFull ? String(cut.dropLast()) : cut) + "…"
  }
}
