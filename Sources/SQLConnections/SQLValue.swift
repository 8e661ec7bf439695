/// A value of a parameter or a column.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  case bytes([UInt8])
}

// MARK: - Parameters

/// A type whose values can be parameters.
package protocol SQLBindable {
  var sqlValue: SQLValue { get }
}

extension Int64: SQLBindable { package var sqlValue: SQLValue { .integer(self) } }
extension Int: SQLBindable { package var sqlValue: SQLValue { .integer(Int64(self)) } }
extension Bool: SQLBindable { package var sqlValue: SQLValue { .integer(self ? 1 : 0) } }
extension String: SQLBindable { package var sqlValue: SQLValue { .text(self) } }
extension [UInt8]: SQLBindable { package var sqlValue: SQLValue { .bytes(self) } }

/// The parameters of a statement, in order.
package struct SQLArguments: ExpressibleByArrayLiteral {
  private var values: [SQLValue]

  package init(arrayLiteral elements: (any SQLBindable)?...) {
    values = elements.map { $0?.sqlValue ?? .null }
  }

  package static func + (first: Self, second: Self) -> Self {
    var all = first
    all.values += second.values
    return all
  }

  package func bind(to statement: any SQLStatement) {
    for (index, value) in zip(Int32(1)..., values) {
      switch value {
      case .null: statement.bindNull(index)
      case .integer(let value): statement.bind(index, value)
      case .text(let text): statement.bind(index, text)
      case .bytes(let bytes): statement.bind(index, bytes)
      }
    }
  }
}

// MARK: - Columns

/// A type that a column can be read as. NULL and values of other kinds are read as SQLite converts them, because a
/// damaged disk may turn any value into another.
package protocol SQLReadable {
  init(_ value: SQLValue)
}

extension Int64: SQLReadable {
  package init(_ value: SQLValue) {
    self = if case .integer(let number) = value { number } else { 0 }
  }
}

extension Int: SQLReadable {
  package init(_ value: SQLValue) { self.init(Int64(value)) }
}

extension UInt8: SQLReadable {
  package init(_ value: SQLValue) { self.init(clamping: Int64(value)) }
}

extension Bool: SQLReadable {
  package init(_ value: SQLValue) { self = Int64(value) != 0 }
}

extension String: SQLReadable {
  package init(_ value: SQLValue) {
    switch value {
    case .null: self = ""
    case .integer(let number): self = number.description
    case .text(let text): self = text
    case .bytes(let bytes): self.init(decoding: bytes, as: UTF8.self)
    }
  }
}

extension [UInt8]: SQLReadable {
  package init(_ value: SQLValue) {
    switch value {
    case .null, .integer: self = []
    case .text(let text): self = Array(text.utf8)
    case .bytes(let bytes): self = bytes
    }
  }
}

/// A row of a query, copied from the database.
package struct SQLRow: Sendable {
  private let values: [SQLValue]

  /// Copies the current row of a statement.
  package init(of statement: any SQLStatement) {
    values = (0..<statement.columnCount).map { statement.value($0) }
  }

  package subscript<Value: SQLReadable>(_ column: Int) -> Value { Value(values[column]) }

  /// The column's value; `nil` for NULL.
  package subscript<Value: SQLReadable>(_ column: Int) -> Value? {
    values[column] == .null ? nil : Value(values[column])
  }
}
