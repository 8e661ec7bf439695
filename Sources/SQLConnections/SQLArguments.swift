/// A type whose values can be parameters.
package protocol SQLBindable {
  /// The parameter's value.
  var sqlValue: SQLValue { get }
}

extension Int64: SQLBindable {
  /// The number.
  package var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLBindable {
  /// The number.
  package var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Bool: SQLBindable {
  /// 1 or 0; no column has a type of its own for truth.
  package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension String: SQLBindable {
  /// The text.
  package var sqlValue: SQLValue { .text(self) }
}

extension [UInt8]: SQLBindable {
  /// The bytes.
  package var sqlValue: SQLValue { .bytes(self) }
}

/// The parameters of a statement, in order.
package struct SQLArguments: ExpressibleByArrayLiteral {
  private var values: [SQLValue]

  /// `nil` is NULL.
  package init(arrayLiteral elements: (any SQLBindable)?...) {
    values = elements.map { $0?.sqlValue ?? .null }
  }

  /// Parameters with these values.
  package init(_ values: [SQLValue]) {
    self.values = values
  }

  /// The parameters of both, in order.
  package static func + (first: Self, second: Self) -> Self {
    var all = first
    all.values += second.values
    return all
  }

  /// Sets the parameters of a statement, from its first one on.
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
