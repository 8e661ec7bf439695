// Joining an account by an invitation, before a hello. Only the storage thread knows whether the invitation
// exists; here attempts with unknown ones are counted for each network. They do not keep a device of the same network,
// which may be behind a proxy with everyone else, from joining with a right one. Each attempt costs a connection.

import Records

extension Broker {
  mutating func join(
    _ request: JoinRequest, number: UInt64, from connection: ConnectionID, _ peer: Peer
  ) {
    guard let access = configuration.remoteAccess, case .remote = peer else {
      return end(
        connection,
        because: .invalid("An invitation can be used over TLS only. Local users need none."))
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
      actions.append(.send(connection, replyTo: number, .joined(joined)))
    case .failure(let error): end(connection, because: limited(error, of: connection))
    }
  }

  /// The error, or that the network has tried too many unknown invitations.
  private mutating func limited(
    _ error: RecordsError, of connection: ConnectionID
  ) -> RecordsError {
    guard error.reason == "unknownInvitation",
      case .remote(let network)? = sessions[connection]?.peer,
      let wait = limits.joinAttempts.take(of: network, atSeconds: seconds)
    else { return error }
    return RecordsError(
      .requestRateLimited, "Too many invitations were tried.",
      hint: "Wait \(wait) s, and check that the invitation is complete.",
      retryAfterSeconds: Int(wait), reason: "guessing")
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

  mutating func invited(_ result: Result<Timestamp, RecordsError>, _ context: RequestContext) {
    switch result {
    case .success(let expires):
      let addresses = configuration.remoteAccess?.addresses ?? []
      reply(.invited(addresses: addresses, expires: expires), to: context)
    case .failure(let error): reply(.error(error), to: context)
    }
  }
}
