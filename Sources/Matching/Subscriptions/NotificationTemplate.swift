import Records

/// A text with placeholders for a record's fields, such as `{firstName} moved to {city}`. `{{` and `}}`
/// are literal braces. Values are inserted as they are; braces in them have no meaning.
package struct NotificationTemplate: Hashable, Sendable {
  /// The text with its placeholders.
  package let source: String
  private let parts: [Part]

  private enum Part: Hashable, Sendable {
    case text(String)
    case field(FieldKey)
  }

  /// Parses a template.
  /// - Throws: `limitExceeded` if it is longer than `NotificationLimits.textBytes`; `invalidArguments`
  ///   with the column of a brace that is not closed or contains no valid field name.
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
            .invalidArguments, "Column \(column): “{” must be followed by a field's name and “}”.",
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

  /// The fields of the placeholders, in order, with repetitions.
  package var keys: [FieldKey] {
    parts.compactMap { if case .field(let key) = $0 { key } else { nil } }
  }

  /// Returns the text for a record with these fields, truncated at a character to
  /// `NotificationLimits.filledBytes`. A placeholder is empty if the field is missing or has no readable
  /// form: it is not a string, number, date, boolean or list of these.
  package func filled(with fields: Fields) -> String {
    var filled = ""
    // NB: a template can contain a field of 1 MiB three hundred times.
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
  /// The value as part of a sentence; `nil` for kinds without a readable form.
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
