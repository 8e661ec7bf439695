// A connection of its own for each thing that is followed: a program that is slow with one of them
// keeps that socket from being read, and nothing else.

import Records

/// Follows something from when it is first asked.
actor StreamSource {
  private let main: Session
  private let session: Session
  private var account: AccountID?

  /// `main` is the container's connection, which has to know the device first; `session` follows.
  init(main: Session, session: Session) {
    self.main = main
    self.session = session
  }

  /// The next message and whose stream it is; `nil` at the end.
  func next() async throws(RecordError) -> (BrokerMessage, AccountID)? {
    while account == nil {
      do throws(RecordError) {
        account = try await main.welcome().account
      } catch {
        if error.code == .operationCancelled { return nil }
        // A broker that cannot be reached is waited for, as one that was lost is.
        guard error.isTransient else { throw error }
      }
    }
    guard let account, let message = try await session.next() else { return nil }
    return (message, account)
  }

  func acknowledge(through number: Records.NotificationNumber) async {
    await session.acknowledge(through: number)
  }
}
