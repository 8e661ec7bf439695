// Administrative requests. The uid alone, which the kernel reports, decides who may send them; remote clients
// may not. They go through the storage thread like any change: a write queued after a revocation is rejected, and the sessions
// they concern end when the request is durable.

import Records

/// What an administrative request did.
package struct AdministrationOutcome: Sendable {
  /// The answer to the administrator.
  package let sentence: String
  /// The sessions to end; `nil` for none.
  package let expelled: Expulsion?
  /// The changes that other connections have to receive.
  package let effects: CommitEffects

  package init(
    _ sentence: String, expelled: Expulsion? = nil, effects: CommitEffects = CommitEffects()
  ) {
    self.effects = effects
    self.sentence = sentence
    self.expelled = expelled
  }
}

extension Broker {
  mutating func administer(
    _ request: AdministrativeRequest, number: UInt64, from connection: ConnectionID, _ peer: Peer
  ) {
    guard let uid = peer.uid, configuration.policy.administrators.contains(uid) else {
      let whose = peer.uid.map { "User \($0)" } ?? "A client on another machine"
      return end(
        connection,
        because: RecordsError(
          .permissionFailure, "\(whose) may not administer this broker.",
          hint: "Run the command as root or as the broker's user."))
    }
    began(connection)
    actions.append(.store(.administer(request, connection, replyTo: number)))
  }

  mutating func administered(
    _ result: Result<AdministrationOutcome, RecordsError>, number: UInt64,
    of connection: ConnectionID
  ) {
    finished(connection)
    switch result {
    case .success(let outcome):
      makeDue([.deletedAccounts])
      actions.append(.send(connection, replyTo: number, .administered(outcome.sentence)))
      outcome.expelled.map { expel($0) }
    case .failure(let error): actions.append(.send(connection, replyTo: number, .error(error)))
    }
  }
}
