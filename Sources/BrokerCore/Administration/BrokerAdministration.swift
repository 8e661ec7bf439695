// Orders of administrators. Who may give them is decided by the uid alone, which the kernel tells;
// they go through the storage thread like any change, so that a write queued behind a revocation is
// refused, and the sessions they concern end when the order is durable, not before.

import Records

/// What an order came to.
package struct AdministrationOutcome: Sendable {
  /// Whose sessions end.
  package enum Expelled: Hashable, Sendable {
    /// Those of a device.
    case device(StoreKey)
    /// Those of a device that has another key now.
    case formerKey(of: StoreKey)
    /// Those of all devices of an account.
    case account(StoreKey)

    /// What they are told.
    package var reason: RecordsError {
      switch self {
      case .device:
        RecordsError(
          .notAuthenticated, "This device was signed out by the administrator.",
          hint: "Ask the administrator.", reason: "revoked")
      case .formerKey:
        RecordsError(
          .notAuthenticated, "This device was given a new key.",
          hint: "Ask the administrator for it: contactsctl signin --key FILE.",
          reason: "wrongKey")
      case .account:
        RecordsError(
          .notAuthenticated, "This account was closed by the administrator.",
          hint: "Ask the administrator.", reason: "disabled")
      }
    }
  }

  /// What is said to the administrator.
  package let sentence: String
  /// Who is sent away.
  package let expelled: Expelled?
  /// Who else must hear of it.
  package let effects: CommitEffects

  /// An outcome.
  package init(
    _ sentence: String, expelled: Expelled? = nil, effects: CommitEffects = CommitEffects()
  ) {
    self.effects = effects
    self.sentence = sentence
    self.expelled = expelled
  }
}

extension Broker {
  mutating func ordered(
    _ order: AdministrativeRequest, number: UInt64, from connection: ConnectionID, uid: UInt32
  ) {
    guard policy.administrators.contains(uid) else {
      end(
        connection,
        because: RecordsError(
          .permissionFailure, "User \(uid) may not administer this broker.",
          hint: "Give the order as root or as the broker's own user."))
      return
    }
    began(connection)
    actions.append(.store(.administer(connection, replyTo: number, order)))
  }

  mutating func administered(
    _ result: Result<AdministrationOutcome, RecordsError>, number: UInt64,
    of connection: ConnectionID
  ) {
    finished(connection)
    switch result {
    case .success(let outcome):
      leaving.isDue = true
      actions.append(.send(connection, replyTo: number, .administered(outcome.sentence)))
      outcome.expelled.map { expel($0) }
    case .failure(let error): actions.append(.send(connection, replyTo: number, .error(error)))
    }
  }

  private mutating func expel(_ expelled: AdministrationOutcome.Expelled) {
    for (connection, session) in sessions {
      guard let identity = session.identity else { continue }
      let isMeant =
        switch expelled {
        case .device(let key), .formerKey(let key): identity.deviceKey == key
        case .account(let key): identity.accountKey == key
        }
      guard isMeant else { continue }
      end(connection, because: expelled.reason)
    }
  }
}
