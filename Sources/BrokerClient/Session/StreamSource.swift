import Records

/// A stream of a zone's changes or of notifications, which connects when it is first read.
///
/// Each stream has a connection of its own. If a program reads one stream slowly, the session stops
/// reading only that socket, so other streams and requests are not delayed.
actor StreamSource {
  private let main: Session
  private let session: Session
  private var account: AccountID?

  /// - Parameters:
  ///   - main: the container's connection. The stream waits for its welcome, so that the broker knows
  ///     the device before the second connection opens.
  ///   - session: the stream's own connection.
  init(main: Session, session: Session) {
    self.main = main
    self.session = session
  }

  /// Returns the next message and the account it concerns; `nil` when the task was cancelled or the
  /// container was closed.
  func next() async throws(RecordsError) -> (BrokerMessage, AccountID)? {
    while account == nil {
      do throws(RecordsError) {
        account = try await main.welcome().account
      } catch {
        if error.code == .operationCancelled { return nil }
        // A stream has no timeout: it waits for an unreachable broker as it does after a lost connection.
        guard error.code.isTransient else { throw error }
      }
    }
    guard let account, let message = try await session.next() else { return nil }
    return (message, account)
  }

  func acknowledge(through number: NotificationNumber) async {
    await session.acknowledge(through: number)
  }
}
