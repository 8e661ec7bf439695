// Joining an account by an invitation, before a hello. Only the storage thread knows whether the invitation
// exists; here attempts are counted for each network. There is no limit for all networks together: one stranger
// with many addresses could use it up and keep all devices from joining.

import Records

extension Broker {
  mutating func join(
    _ request: JoinRequest, number: UInt64, from connection: ConnectionID, _ peer: Peer
  ) {
    guard let access = configuration.remoteAccess, case .remote(let network) = peer else {
      return end(
        connection,
        because: .invalid("An invitation can be used over TLS only. Local users need none."))
    }
    if let wait = limits.joinAttempts.take(of: network, atSeconds: seconds) {
      return end(
        connection,
        because: RecordsError(
          .requestRateLimited, "Too many invitations were tried.",
          hint: "Wait \(wait) s, and check that the invitation is complete.",
          retryAfterSeconds: Int(wait), reason: "guessing"))
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

  mutating func invited(_ result: Result<Timestamp, RecordsError>, _ context: RequestContext) {
    switch result {
    case .success(let expires):
      let addresses = configuration.remoteAccess?.addresses ?? []
      reply(.invited(addresses: addresses, expires: expires), to: context)
    case .failure(let error): reply(.error(error), to: context)
    }
  }
}
