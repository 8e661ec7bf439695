import Records

/// A field of a record type that the operator declares as indexed, because queries often use it. See
/// docs/decisions/0022-declared-indexes.md.
package struct DeclaredIndex: Hashable, Sendable, CustomStringConvertible {
  /// The record type.
  package let type: RecordType
  /// The field, which can be a system field.
  package let path: FieldPath

  /// The most indexes that can be declared. Each index adds a row to every save of a record of its type.
  package static let indexesMax = 64

  /// Parses `TYPE.field`.
  /// - Throws: `invalidArguments` if the text has another form.
  package init(_ text: String) throws(RecordsError) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw .invalid(
        "“\(text)” must be a record type and one of its fields, such as Note.title.")
    }
    let field = String(parts[1])
    type = try RecordType(String(parts[0]))
    path =
      if let system = SystemField.allCases.first(where: { $0.text == field }) {
        .system(system)
      } else {
        .field(try FieldKey(field))
      }
  }

  /// The index in the form `TYPE.field`.
  package var description: String { "\(type.text).\(field)" }

  /// The name of the field.
  private var field: String {
    switch path {
    case .field(let key), .entry(let key, _): key.text
    case .system(let field): field.text
    }
  }
}
