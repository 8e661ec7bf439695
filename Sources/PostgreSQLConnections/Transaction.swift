import CPostgreSQL

/// A transaction of a connection. Its BEGIN is sent with its first statement.
struct Transaction {
  let isReadOnly: Bool
  var hasBegun = false
  /// Whether a statement other than a query was run or queued.
  var hasWritten = false
  /// Whether the server has answered a statement.
  var hasAnswered = false

  /// A writer sees what others commit between its statements, and locks what it changes. A reader sees one snapshot.
  var begin: String {
    isReadOnly
      ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN ISOLATION LEVEL READ COMMITTED"
  }
}

extension PostgreSQLConnection {
  /// Begins a transaction. It must be ended with `commit` or `rollback`.
  package func begin(isReadOnly: Bool) {
    precondition(transaction == nil, "A transaction is already open.")
    pipeline.forgetFailure()
    transactionNumber += 1
    transaction = Transaction(isReadOnly: isReadOnly)
  }

  /// Whether the open transaction has a statement other than a query.
  package var hasWritten: Bool { transaction?.hasWritten ?? false }

  /// Whether a statement of the open transaction has had a result. Otherwise nothing can depend on it yet.
  package var hasAnswered: Bool { transaction?.hasAnswered ?? false }

  /// Runs what is queued and commits the transaction. It is over afterwards, whatever is thrown.
  /// - Throws: The first error of its statements, after which nothing was changed; `CommitUnknown` if the server did
  ///   not say whether the transaction is committed, or not as durably as its settings demand.
  package func commit() throws {
    guard let transaction else { return }
    guard transaction.hasBegun else {
      self.transaction = nil
      return
    }
    defer { rollback() }
    if let failure = pipeline.failure { throw failure }
    let answer: ServerResult
    do {
      try pipeline.send("COMMIT")
      answer = try pipeline.finish()
    } catch let error as PostgreSQLError where error.isConnectionLost && !transaction.isReadOnly {
      throw CommitUnknown(reason: error)
    }
    guard answer.command == "COMMIT" else {
      throw PostgreSQLError(state: "40000", "The server rolled the transaction back.")
    }
    self.transaction = nil
    // A server sends a warning if the wait for its synchronous standby was cancelled.
    if let warning = pipeline.warnings.first, !transaction.isReadOnly {
      throw CommitUnknown(reason: warning)
    }
  }

  /// Ends the transaction without its changes. Does nothing if there is none.
  package func rollback() {
    guard let transaction else { return }
    self.transaction = nil
    if transaction.hasBegun { pipeline.rollBack() }
    pipeline.forgetFailure()
  }

  /// Sends the transaction's BEGIN before its first statement.
  func beginIfNeeded() throws {
    guard let transaction, !transaction.hasBegun else { return }
    try pipeline.send(transaction.begin)
    self.transaction?.hasBegun = true
    try forgetStatementsIfMany()
  }
}
