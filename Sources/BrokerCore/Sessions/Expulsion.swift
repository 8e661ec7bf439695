import Records

/// Sessions that end because a request changed what their devices may do.
package enum Expulsion: Hashable, Sendable {
  /// The sessions of a device that the administrator revoked.
  case revoked(StoreKey)
  /// The sessions of a device that another device of its account removed.
  case removed(StoreKey)
  /// The sessions of a device that has a new key.
  case formerKey(of: StoreKey)
  /// The sessions of all devices of an account.
  case account(StoreKey)

  /// The error that the sessions end with.
  package var reason: RecordsError {
    switch self {
    case .revoked:
      RecordsError(
        .notAuthenticated, "The administrator revoked this device.",
        hint: "Sign in again on this device.", reason: "revoked")
    case .removed:
      RecordsError(
        .notAuthenticated, "Another device of the account removed this device.",
        hint: "Sign in again on this device.", reason: "revoked")
    case .formerKey:
      RecordsError(
        .notAuthenticated, "The administrator replaced the key of this device.",
        hint: "Ask the administrator for the new key, and sign in with it.",
        reason: "wrongKey")
    case .account:
      RecordsError(
        .notAuthenticated, "The administrator disabled or deleted this account.",
        hint: "Ask the administrator.", reason: "disabled")
    }
  }

  fileprivate func concerns(_ identity: SessionIdentity) -> Bool {
    switch self {
    case .revoked(let device), .removed(let device), .formerKey(let device):
      identity.deviceKey == device
    case .account(let account): identity.accountKey == account
    }
  }
}

extension Broker {
  mutating func expel(_ expulsion: Expulsion) {
    for (connection, session) in sessions {
      guard let identity = session.identity, expulsion.concerns(identity) else { continue }
      end(connection, because: expulsion.reason)
    }
  }
}
