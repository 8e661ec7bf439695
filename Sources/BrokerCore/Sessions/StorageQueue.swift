// What waits for the storage and asset threads, in bytes: of all, and of each account, so that one
// account cannot fill the queue for the others.

import Records

/// The bytes of requests that wait to be written.
struct StorageQueue {
  /// Of all accounts.
  private(set) var byteCount = 0
  private var ofAccounts: [StoreKey: Int] = [:]
  /// By connection, with its account: results come for connections that are closed, too.
  private var ofConnections: [ConnectionID: (account: StoreKey, byteCount: Int)] = [:]

  /// Adds a request of a connection that speaks for `account`.
  /// - Throws: `zoneBusy`, where it would be more than may wait. Then nothing is added.
  mutating func add(
    _ added: Int, of connection: ConnectionID, account: StoreKey
  ) throws(RecordsError) {
    let own = ofAccounts[account, default: 0] + added
    guard byteCount + added <= BrokerLimits.queuedBytes,
      own <= BrokerLimits.queuedBytesPerAccount
    else {
      throw RecordsError(
        .zoneBusy, "The broker's queue of requests to write is full.",
        hint: "Send the request again.", retryAfterSeconds: 1)
    }
    byteCount += added
    ofAccounts[account] = own
    ofConnections[connection, default: (account, 0)].byteCount += added
  }

  /// Removes what a connection's request added.
  mutating func remove(_ removed: Int, of connection: ConnectionID) {
    guard removed > 0 else { return }
    guard let (account, before) = ofConnections[connection], before >= removed,
      let own = ofAccounts[account]
    else { preconditionFailure("A connection gives back more bytes than it has waiting.") }
    byteCount -= removed
    ofAccounts[account] = own == removed ? nil : own - removed
    ofConnections[connection] = before == removed ? nil : (account, before - removed)
  }
}
