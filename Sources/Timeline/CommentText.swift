// What may be said (T2): something. Blanks around a comment never count, so blanks alone are nothing;
// control characters, which a terminal would obey, are refused; line ends and tabs are text.

import Records

/// A comment's text, checked.
package struct CommentText: Hashable, Sendable {
  /// The longest comment, in bytes of UTF-8. Longer → `limitExceeded`.
  package static let bytesMaximum = 16 << 10
  /// How many characters of a comment a list shows.
  static let excerptCharacters = 80
  /// How many bytes of UTF-8, whatever they are characters of: a character may have any number of
  /// accents.
  package static let excerptBytes = 240

  /// The text without blanks around it.
  package let text: String

  /// Takes `text` as a comment or a caption.
  /// - Parameter field: what it is called where it was typed: `text`, `caption`.
  /// - Throws: `invalidArguments` when nothing is said or it holds control characters;
  ///   `limitExceeded`.
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
        "The text is too long: \(trimmed.utf8.count) bytes; the limit is \(Self.bytesMaximum).")
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

  /// The beginning of what a comment says, on one line: for lists of changes.
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
