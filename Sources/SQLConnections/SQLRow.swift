/// A type that a column can be read as.
package protocol SQLReadable {
  /// Converts a column's value, as `SQLValue` describes.
  init(_ value: SQLValue)
}

extension Int64: SQLReadable {
  /// The number; 0 for NULL.
  package init(_ value: SQLValue) { self = value.integer }
}

extension Int: SQLReadable {
  /// The number; 0 for NULL.
  package init(_ value: SQLValue) { self.init(value.integer) }
}

extension UInt8: SQLReadable {
  /// The number, or the nearest that a byte can have.
  package init(_ value: SQLValue) { self.init(clamping: value.integer) }
}

extension Bool: SQLReadable {
  /// Whether the number is not 0.
  package init(_ value: SQLValue) { self = value.integer != 0 }
}

extension String: SQLReadable {
  /// The text; empty for NULL.
  package init(_ value: SQLValue) { self = value.text }
}

extension [UInt8]: SQLReadable {
  /// The bytes; empty for NULL.
  package init(_ value: SQLValue) { self = value.bytes }
}

/// A row of a query, copied from the database.
package struct SQLRow: Sendable, SQLColumns {
  /// The values of all columns.
  package let values: [SQLValue]

  /// Copies the current row of a statement.
  package init(of statement: any SQLStatement) {
    values = (0..<statement.columnCount).map { statement.value($0) }
  }

  package func isNull(_ column: Int32) -> Bool { values[Int(column)] == .null }
  package func number(_ column: Int32) -> Int64 { values[Int(column)].integer }
  package func text(_ column: Int32) -> String { values[Int(column)].text }
  package func bytes(_ column: Int32) -> [UInt8] { values[Int(column)].bytes }

  /// The column's value, whatever its type.
  package func value(_ column: Int) -> SQLValue { values[column] }

  /// The column's value, counted from 0.
  package subscript<Value: SQLReadable>(_ column: Int) -> Value { Value(values[column]) }

  /// The column's value; `nil` for NULL.
  package subscript<Value: SQLReadable>(_ column: Int) -> Value? {
    values[column] == .null ? nil : Value(values[column])
  }
}
