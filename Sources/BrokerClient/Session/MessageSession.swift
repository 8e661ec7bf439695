import Records

/// Sends messages to the broker and returns its answers.
package protocol MessageSession: Sendable {
  /// Waits for a connection and returns the broker's welcome.
  func welcome() async throws(RecordsError) -> Welcome
  /// Sends a message and returns the answer. The message may be sent again, so it must be idempotent.
  func ask(_ message: ClientMessage) async throws(RecordsError) -> BrokerMessage
  /// Sends groups of operations as one request, which the broker applies once.
  func modify(_ groups: [OperationGroup]) async throws(RecordsError) -> ModifyOutcome
}

extension Session: MessageSession {}
