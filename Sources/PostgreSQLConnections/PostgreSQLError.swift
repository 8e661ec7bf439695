import CPostgreSQL

/// An error that a PostgreSQL server reported, or the loss of its connection.
package struct PostgreSQLError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The code that the SQL standard or PostgreSQL gives the error, five characters (`SQLSTATE`).
  package let state: String
  /// The server's sentence, without the values of rows, which can be users' data.
  package let message: String
  /// Whether the server ended the connection with this error.
  private let isFatal: Bool

  /// Creates an error with a code and a sentence.
  package init(state: String, _ message: String, isFatal: Bool = false) {
    self.state = state
    self.message = message
    self.isFatal = isFatal
  }

  package var description: String { "\(message) (\(state))" }

  /// Whether the transaction was chosen as the victim of a deadlock or of a conflict. It can succeed when it is run
  /// again from its start.
  package var isRetryable: Bool { state == "40001" || state == "40P01" }

  /// Whether the connection is gone; another one can be opened.
  package var isConnectionLost: Bool {
    isFatal || state.hasPrefix("08") || ["57P01", "57P02", "57P03"].contains(state)
  }

  /// Whether the statement was right but something else was in its way, which can be gone later: another transaction,
  /// an administrator, a lack of memory, or statements that another program has prepared or dropped.
  var isObstacle: Bool {
    ["40", "53", "57"].contains(String(state.prefix(2)))
      || ["0A000", "26000", "55006", "55P03"].contains(state)
  }

  /// Whether the statement was cancelled.
  var isCancellation: Bool { state == "57014" }

  /// The loss of a connection for a reason that no server reported.
  static func lost(_ reason: String) -> Self {
    Self(state: "08006", reason, isFatal: true)
  }
}

extension PostgreSQLError {
  /// Reads the error of a result or a notice.
  init(of result: OpaquePointer) {
    let state = Self.field("C", of: result) ?? "XX000"
    let severity = Self.field("V", of: result)
    // NB: the sentences of data exceptions quote the data.
    let sentence = state.hasPrefix("22") ? nil : Self.field("M", of: result)
    self.init(
      state: state, sentence ?? "The database refused a value.",
      isFatal: severity == "FATAL" || severity == "PANIC")
  }

  /// Returns a field of an error message; `name` is its letter in the protocol.
  static func field(_ name: Unicode.Scalar, of result: OpaquePointer) -> String? {
    PQresultErrorField(result, Int32(name.value)).map { String(cString: $0) }
  }
}
