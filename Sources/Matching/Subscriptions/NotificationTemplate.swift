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
  /// - Throws: `limitExceeded` where it is too long; `invalidArguments` with the column where a brace
  ///   is not closed or holds no field's name.
  package init(_ source: String) throws(RecordsError) {
    guard source.utf8.count <= NotificationLimits.textBytes else {
      throw .limit(
        "Bytes of a notification's text", limit: NotificationLimits.textBytes,
        actual: source.utf8.count)
    }
    self.source = source
    var parts: [Part] = []
    var text = ""
    var rest = source[...]
    while let character = rest.first {
      let start = rest.startIndex
      rest.removeFirst()
      switch character {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        rest.removeFirst()
        text.append(character)
      case "{":
        guard let end = rest.firstIndex(of: "}"), let key = try? FieldKey(String(rest[..<end]))
        else {
          let column = source.distance(from: source.startIndex, to: start) + 1
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
    // NB: a template may name a field of a mebibyte three hundred times.
    for part in parts where filled.utf8.count <= NotificationLimits.filledBytes {
      switch part {
      case .text(let text): filled += text
      case .field(let key): filled += fields[key]?.shownText ?? ""
      }
    }
    return filled.cut(toBytes: NotificationLimits.filledBytes)
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
