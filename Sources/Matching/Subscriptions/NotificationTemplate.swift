// `{firstName} moved to {city}`: text with the names of fields in braces, `{{` for a brace. Values
// are put in as they are and never read as a template again.

import Records

/// A text with places for a record's fields.
package struct NotificationTemplate: Hashable, Sendable {
  /// The text as written.
  package let source: String
  private let parts: [Part]

  private enum Part: Hashable, Sendable {
    case text(String)
    case field(FieldKey)
  }

  /// Reads a template.
  /// - Throws: `invalidArguments` with the column where a brace is not closed or holds no field's
  ///   name.
  package init(_ source: String) throws(RecordsError) {
    self.source = source
    var parts: [Part] = []
    var text = ""
    var rest = source[...]
    while let character = rest.first {
      let column = source.distance(from: source.startIndex, to: rest.startIndex) + 1
      rest.removeFirst()
      switch character {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        rest.removeFirst()
        text.append(character)
      case "{":
        guard let end = rest.firstIndex(of: "}"), let key = try? FieldKey(String(rest[..<end]))
        else {
          throw RecordsError(
            .invalidArguments, "Column \(column): “{” is followed by a field's name and “}”.",
            hint: "A brace itself is written {{.", column: column)
        }
        if !text.isEmpty { parts.append(.text(text)) }
        text = ""
        parts.append(.field(key))
        rest = rest[rest.index(after: end)...]
      default: text.append(character)
      }
    }
    if !text.isEmpty { parts.append(.text(text)) }
    self.parts = parts
  }

  /// The fields it names.
  package var keys: [FieldKey] {
    parts.compactMap { if case .field(let key) = $0 { key } else { nil } }
  }

  /// The text for a record of these fields; a field that is missing or is no text, number, date or
  /// boolean leaves its place empty. Cut at a character where it grows too long.
  package func filled(with fields: Fields) -> String {
    var filled = ""
    for part in parts {
      switch part {
      case .text(let text): filled += text
      case .field(let key): filled += fields[key]?.shownText ?? ""
      }
    }
    guard filled.utf8.count > NotificationLimits.filledBytes else { return filled }
    var end = filled.utf8.index(filled.startIndex, offsetBy: NotificationLimits.filledBytes)
    while end.samePosition(in: filled) == nil { end = filled.utf8.index(before: end) }
    return String(filled[..<end])
  }
}

extension Value {
  /// The value as a sentence shows it; `nil` for kinds that are not for reading.
  fileprivate var shownText: String? {
    switch self {
    case .string(let text): text
    case .int64(let number): "\(number)"
    case .double(let number): "\(number)"
    case .boolean(let flag): flag ? "yes" : "no"
    case .date(let time): "\(time)"
    case .list(let values): values.compactMap(\.shownText).joined(separator: ", ")
    case .bytes, .location, .reference, .asset, .entries, .unknown: nil
    }
  }
}
