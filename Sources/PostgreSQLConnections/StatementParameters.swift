import SQLConnections

/// The values of a statement's parameters, as they are sent.
struct StatementParameters {
  private var values: [SQLValue]

  /// Creates parameters that are all NULL.
  init(count: Int) {
    values = [SQLValue](repeating: .null, count: count)
  }

  /// Sets the parameter at `index`, counted from 1. A number without a parameter is ignored, as in SQLite.
  mutating func set(_ index: Int32, _ value: SQLValue) {
    guard index > 0, index <= values.count else { return }
    values[Int(index) - 1] = value
  }

  /// The types of the values. NULL has the type in `known`, so that it needs no statement of its own.
  func types(known: [UInt32]) -> [UInt32] {
    zip(values, known).map { value, known in
      switch value {
      case .null: known
      case .integer: ValueType.int8.rawValue
      case .text: ValueType.text.rawValue
      case .bytes: ValueType.bytea.rawValue
      }
    }
  }

  /// Calls `body` with the values in libpq's form.
  func withValues<Result>(_ body: (ParameterPointers) -> Result) -> Result {
    var bytes: [UInt8] = []
    let ends = values.map { value in
      Self.append(value, to: &bytes)
      return bytes.count
    }
    // The address of an empty value must not be nil, which would mean NULL.
    bytes.append(0)
    return bytes.withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { buffer in
        let starts = [0] + ends
        let addresses = values.indices.map { index in
          values[index] == .null ? nil : buffer.baseAddress.map { $0 + starts[index] }
        }
        let lengths = values.indices.map { Int32(ends[$0] - starts[$0]) }
        return body(
          ParameterPointers(addresses: addresses, lengths: lengths, byteCount: buffer.count))
      }
    }
  }

  private static func append(_ value: SQLValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: break
    case .integer(let number):
      withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    case .text(let text): bytes += text.utf8
    case .bytes(let content): bytes += content
    }
  }
}

/// Parameters in libpq's form, valid during one call.
struct ParameterPointers {
  let addresses: [UnsafePointer<CChar>?]
  let lengths: [Int32]
  let byteCount: Int

  var count: Int32 { Int32(addresses.count) }
  /// The format of each value: binary.
  var formats: [Int32] { [Int32](repeating: 1, count: addresses.count) }
}
