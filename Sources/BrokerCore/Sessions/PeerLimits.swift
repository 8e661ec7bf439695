import Records

/// The limits for clients that are not trusted yet: on guesses of share links and of invitations, and on the number
/// of connections that have not signed in.
struct PeerLimits: Sendable {
  /// The unknown share links that each account may still try. A user has one account, unless it is trusted to
  /// act for other users, so it cannot get more attempts or use up another user's.
  var linkAttempts = AttemptLimiter<StoreKey>(tries: 10, secondsPerTry: 10)
  /// The unknown invitations that each network may still try.
  var joinAttempts = AttemptLimiter<RemoteNetwork>(
    tries: BrokerLimits.joinTriesPerNetwork, secondsPerTry: BrokerLimits.secondsPerJoinTry)
  /// The remote connections that have not signed in.
  var strangers: Strangers<ConnectionID>

  init(_ configuration: BrokerConfiguration) {
    let perNetworkMaximum =
      configuration.remoteAccess?.strangersPerNetwork ?? BrokerLimits.strangersPerNetwork
    strangers = Strangers(
      perNetworkMaximum: perNetworkMaximum, maximum: configuration.strangersMaximum)
  }

  /// Removes the counts of peers that may make all attempts again.
  mutating func forget(atSeconds now: Int64) {
    linkAttempts.forget(atSeconds: now)
    joinAttempts.forget(atSeconds: now)
  }
}

extension RecordsError {
  static let tooManyStrangers = RecordsError(
    .requestRateLimited, "Too many connections wait to sign in.", retryAfterSeconds: 10,
    reason: "tooManyStrangers")
}
