// A field that whoever runs a broker says is often asked for. See docs/decisions on declared indexes.

import Records

/// A field of a record type that is kept in order.
package struct DeclaredIndex: Hashable, Sendable, CustomStringConvertible {
  /// The type.
  package let type: RecordType
  /// The field, or what the broker says about every record.
  package let path: FieldPath

  /// More are refused: each costs every save of its type a row.
  package static let indexesMax = 64

  /// Reads `TYPE.field`.
  /// - Throws: `invalidArguments` where it is something else.
  package init(_ text: String) throws(RecordsError) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw .invalid("“\(text)” is not a record type and one of its fields: Contact.lastName.")
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

  /// As it is written.
  package var description: String { "\(type.text).\(field)" }

  /// The field, as it is written.
  private var field: String {
    switch path {
    case .field(let key), .entry(let key, _): key.text
    case .system(let field): field.text
    }
  }
}
