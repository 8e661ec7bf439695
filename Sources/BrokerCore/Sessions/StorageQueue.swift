import Records

/// Counts the bytes of requests that wait for the storage and asset threads, and limits them in total and for
/// each account, so that one account cannot fill the queue for the others.
struct StorageQueue {
  /// The bytes of all accounts.
  private(set) var byteCount = 0
  private var byAccount: [StoreKey: Int] = [:]
  /// By connection, with its account. A result can arrive after its connection has closed, so the session
  /// cannot supply the account.
  private var byConnection: [ConnectionID: (account: StoreKey, byteCount: Int)] = [:]

  /// Adds a request of `added` bytes.
  /// - Throws: `zoneBusy` if it would exceed a limit. Then nothing is added.
  mutating func add(
    _ added: Int, of connection: ConnectionID, account: StoreKey
  ) throws(RecordsError) {
    let own = byAccount[account, default: 0] + added
    guard byteCount + added <= BrokerLimits.queuedBytes,
      own <= BrokerLimits.queuedBytesPerAccount
    else {
      throw RecordsError(
        .zoneBusy, "The broker's queue of requests to write is full.",
        hint: "Send the request again.", retryAfterSeconds: 1)
    }
    byteCount += added
    byAccount[account] = own
    byConnection[connection, default: (account, 0)].byteCount += added
  }

  /// Removes the bytes of a finished request.
  mutating func remove(_ removed: Int, of connection: ConnectionID) {
    guard removed > 0 else { return }
    guard let (account, before) = byConnection[connection], before >= removed,
      let own = byAccount[account]
    else { preconditionFailure("More bytes are removed for a connection than were added.") }
    byteCount -= removed
    byAccount[account] = own == removed ? nil : own - removed
    byConnection[connection] = before == removed ? nil : (account, before - removed)
  }
}
