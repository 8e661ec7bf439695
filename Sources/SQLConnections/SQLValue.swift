/// A value of a parameter or a column.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  case bytes([UInt8])

  /// The value as an integer; 0 if it is none. A damaged disk may turn any value into another, so a value of another
  /// kind is no programmer's mistake.
  package var integer: Int64 {
    if case .integer(let number) = self { number } else { 0 }
  }

  /// The value as text; empty for NULL.
  package var text: String {
    switch self {
    case .null: ""
    case .integer(let number): number.description
    case .text(let text): text
    case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
    }
  }

  /// The value as bytes; empty for NULL and for integers.
  package var bytes: [UInt8] {
    switch self {
    case .null, .integer: []
    case .text(let text): Array(text.utf8)
    case .bytes(let bytes): bytes
    }
  }
}
