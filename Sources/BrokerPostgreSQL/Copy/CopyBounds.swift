import BrokerStore

/// How much a copy reads into memory and writes in one transaction.
package struct CopyBounds: Sendable {
  /// The maximum number of rows.
  var rows = 2000
  /// The bytes after which no further row is added. A single row may have more.
  var bytes = 4 << 20

  /// Creates the usual bounds.
  package init() {}

  /// Creates bounds for tests, which need many small transactions.
  package init(rows: Int, bytes: Int) {
    self.rows = rows
    self.bytes = bytes
  }
}
