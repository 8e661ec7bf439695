import BrokerStore
import Crypto
import SQLConnections

/// The number of rows of a table and a digest over all their values, in key order.
struct RowDigest {
  private(set) var count = 0
  private var hash = SHA256()
  private var buffer: [UInt8] = []

  /// Adds the next row.
  mutating func add(_ row: [SQLValue]) {
    count += 1
    buffer.removeAll(keepingCapacity: true)
    for value in row {
      switch value {
      case .null: buffer.append(0)
      case .integer(let number): append(1, number)
      case .text(let text):
        append(2, Int64(text.utf8.count))
        buffer += text.utf8
      case .bytes(let bytes):
        append(3, Int64(bytes.count))
        buffer += bytes
      }
    }
    hash.update(data: buffer)
  }

  /// Each value begins with its kind, and a long one with its length, so that different rows never have the same bytes.
  private mutating func append(_ kind: UInt8, _ number: Int64) {
    buffer.append(kind)
    withUnsafeBytes(of: number.bigEndian) { buffer += $0 }
  }

  /// The digest of the rows so far.
  var bytes: [UInt8] { Array(hash.finalize()) }
}
