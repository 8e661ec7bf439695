import CPostgreSQL
import Records

/// The answer to one statement, with all its rows.
final class ServerResult {
  private let result: OpaquePointer
  private let types: [ValueType?]
  let rowCount: Int

  /// Takes over `result`, which is freed with this object.
  init(owning result: OpaquePointer) {
    self.result = result
    rowCount = Int(PQntuples(result))
    types = (0..<PQnfields(result)).map { ValueType(rawValue: PQftype(result, $0)) }
  }

  deinit { PQclear(result) }

  var columnCount: Int32 { Int32(types.count) }

  /// The number of rows that the statement inserted, updated or deleted.
  var changeCount: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

  /// What the server did: `COMMIT`, or `ROLLBACK` instead.
  var command: String { String(cString: PQcmdStatus(result)) }

  /// - Throws: `StoreError` if a column is of a type that this module does not read.
  func checkTypes() throws {
    guard let column = types.firstIndex(of: nil) else { return }
    let name = PQfname(result, Int32(column)).map { String(cString: $0) } ?? "\(column)"
    throw StoreError(
      .unexpected,
      "The column \(name) is of a type that is not read (\(PQftype(result, Int32(column)))).")
  }

  /// Returns the value at a place; `nil` for NULL. It is valid as long as this object.
  func value(row: Int, column: Int32) -> BinaryValue? {
    guard row >= 0, row < rowCount, column >= 0, column < columnCount,
      let type = types[Int(column)], PQgetisnull(result, Int32(row), column) == 0
    else { return nil }
    return BinaryValue(
      type: type,
      bytes: UnsafeRawBufferPointer(
        start: PQgetvalue(result, Int32(row), column),
        count: Int(PQgetlength(result, Int32(row), column))))
  }
}
