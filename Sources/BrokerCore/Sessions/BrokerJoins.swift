// Joining an account by an invitation, before a hello. Only the storage thread knows whether the invitation
// exists; here attempts are counted, so that strangers cannot make it look up many.

import Records

/// How clients on other machines reach the broker.
package struct RemoteAccess: Hashable, Sendable {
  /// The SHA-256 of the broker's public key.
  package let keyDigest: [UInt8]
  /// The addresses that invitations name, each HOST:PORT.
  package let addresses: [String]

  package init(keyDigest: [UInt8], addresses: [String]) {
    self.keyDigest = keyDigest
    self.addresses = addresses
  }
}

/// The attempts to join that may still be made.
struct JoinAttempts: Sendable {
  private var perNetwork = AttemptLimiter<RemoteNetwork>(
    tries: BrokerLimits.joinTriesPerNetwork, secondsPerTry: BrokerLimits.secondsPerJoinTry)
  /// A hundred in a row and then one a second, from all networks together.
  private var all = AttemptLimiter<AllNetworks>(tries: 100, secondsPerTry: 1)

  private enum AllNetworks { case all }

  /// Takes an attempt. Returns the seconds to wait if there is none left.
  mutating func take(of network: RemoteNetwork, atSeconds now: Int64) -> Int64? {
    if let seconds = perNetwork.take(of: network, atSeconds: now) { return seconds }
    return all.take(of: .all, atSeconds: now)
  }

  /// Returns an attempt, because the invitation exists.
  mutating func giveBack(to network: RemoteNetwork) {
    perNetwork.giveBack(to: network)
    all.giveBack(to: .all)
  }

  /// Removes what no longer limits anything.
  mutating func forget(atSeconds now: Int64) {
    perNetwork.forget(atSeconds: now)
    all.forget(atSeconds: now)
  }
}

extension Broker {
  mutating func join(
    _ request: JoinRequest, number: UInt64, from connection: ConnectionID, _ peer: Peer
  ) {
    guard let access = configuration.remoteAccess, case .remote(let network) = peer else {
      return end(
        connection,
        because: .invalid("An invitation can be used over TLS only. Local users need none."))
    }
    if let seconds = limits.joinAttempts.take(of: network, atSeconds: seconds) {
      return end(
        connection,
        because: RecordsError(
          .requestRateLimited, "Too many invitations were tried.",
          hint: "Wait \(seconds) s, and check that the invitation is complete.",
          retryAfterSeconds: Int(seconds), reason: "guessing"))
    }
    began(connection)
    actions.append(
      .store(
        .join(request, brokerKeyDigest: access.keyDigest, connection, replyTo: number)))
  }

  mutating func joined(
    _ result: Result<Joined, RecordsError>, number: UInt64, of connection: ConnectionID
  ) {
    finished(connection)
    switch result {
    case .success(let joined):
      if case .remote(let network)? = sessions[connection]?.peer {
        limits.joinAttempts.giveBack(to: network)
      }
      actions.append(.send(connection, replyTo: number, .joined(joined)))
    case .failure(let error): end(connection, because: error)
    }
  }

  mutating func invite(_ offer: InvitationOffer, _ context: RequestContext) {
    guard configuration.remoteAccess != nil else {
      return reply(
        .error(
          RecordsError(
            .constraintViolation, "The broker does not accept devices on other machines.",
            hint: "Ask the administrator to enable contacts-broker-tls.socket, or to set “listen”.",
            reason: "notListening")), to: context)
    }
    store(.invite(offer), context)
  }

  mutating func invited(_ error: RecordsError?, _ context: RequestContext) {
    if let error { return reply(.error(error), to: context) }
    reply(.invited(addresses: configuration.remoteAccess?.addresses ?? []), to: context)
  }
}
