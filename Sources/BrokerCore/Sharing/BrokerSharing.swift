// What the broker does with orders about shares and accounts, and when somebody loses access. An order
// is decided and durable before it is answered. Who loses access is cut off when the commit is
// reported, before anything of it or behind it is published, so no frame made after the loss can reach
// those it is no longer for; pages and answers that are read meanwhile look at the rights themselves.

import Records

extension Broker {
  // MARK: Asking

  mutating func share(
    _ order: SharingRequest, number: UInt64, from connection: ConnectionID, identity: SessionIdentity
  ) {
    if order.isTry, let error = guesses.take(of: identity.accountKey, atSeconds: seconds) {
      logDenial(of: connection, error, zone: nil)
      actions.append(.send(connection, replyTo: number, .error(error)))
      return
    }
    guard order.zone?.isPublic != true else {
      return actions.append(.send(connection, replyTo: number, .error(.publicZone)))
    }
    began(connection)
    actions.append(
      .store(
        .share(
          connection, replyTo: number, identity, order,
          linkDigest: order.secret.map { digest($0.bytes) })))
  }

  mutating func account(
    _ order: AccountRequest, number: UInt64, from connection: ConnectionID,
    identity: SessionIdentity
  ) {
    began(connection)
    switch order {
    case .setDisplayName, .setDiscoverable:
      actions.append(.store(.account(connection, replyTo: number, identity, order)))
    case .me, .look, .find, .discoverable:
      ask(.accounts(connection, replyTo: number, identity, order), number: number, for: connection)
    }
  }

  // MARK: Answering

  mutating func shared(
    _ outcome: ShareOutcome, wasTry: Bool, number: UInt64, of connection: ConnectionID,
    identity: SessionIdentity
  ) {
    finished(connection)
    if wasTry, outcome.error?.reason != "unknownLink", outcome.error?.reason != "knownLink" {
      guesses.giveBack(to: identity.accountKey)
    }
    guard sessions[connection] != nil else { return }
    switch outcome.answer {
    case .success(.share(let share)):
      let levels = levels(in: FeedKey(container: identity.container, zone: share.zone))
      let told = share.telling { levels[$0] }
      actions.append(.send(connection, replyTo: number, .shared(.share(told))))
    case .success(let answer):
      actions.append(.send(connection, replyTo: number, .shared(answer)))
    case .failure(let error):
      logDenial(of: connection, error, zone: outcome.zone)
      actions.append(.send(connection, replyTo: number, .error(error)))
    }
  }

  /// The accounts that follow a zone, and whether some device of theirs has its newest change.
  private func levels(in key: FeedKey) -> [AccountID: Bool] {
    guard let feed = feeds[key] else { return [:] }
    var levels: [AccountID: Bool] = [:]
    for connection in feed.connections {
      guard let account = sessions[connection]?.identity?.account else { continue }
      let isLevel = feed.follower(connection).map { $0.cursor >= feed.head } ?? false
      levels[account] = levels[account] == true || isLevel
    }
    return levels
  }

  // MARK: Losing access

  /// Cuts off who can no longer see a zone. What is being read for them is read again.
  mutating func cut(_ losses: [AccessLoss]) {
    for loss in losses {
      let key = DirectoryKey(container: loss.container, account: loss.account)
      for connection in readers[key] ?? [] {
        distrustReads(of: connection)
        guard sessions[connection]?.zones.contains(loss.zone) == true else { continue }
        refuse(
          loss.zone,
          RecordsError(
            .permissionFailure, "This zone is no longer shared with this account.",
            hint: "Ask its owner for access.", reason: "accessLost"),
          to: connection)
      }
    }
  }

  // MARK: The journal

  /// Tells the journal that somebody asked for what it may not have.
  mutating func logDenial(of connection: ConnectionID, _ error: RecordsError, zone: ZoneID?) {
    guard let session = sessions[connection], error.isDenial else { return }
    actions.append(
      .logRefusal(
        Refusal(
          uid: session.uid, account: session.identity?.account, zone: zone, error: error)))
  }
}

extension SharingRequest {
  /// The link it shows.
  package var secret: ShareSecret? {
    switch self {
    case .preview(let secret), .accept(let secret), .requestAccess(let secret),
      .decline(let secret):
      secret
    case .create, .fetch, .setPublicPermission, .renewLink, .revokeLink, .invite, .setParticipant,
      .removeParticipant, .stop, .leave, .answerRequest:
      nil
    }
  }
}

extension SharingRequest {
  /// The link it wants to be made.
  package var newLink: LinkForm? {
    switch self {
    case .create(_, let form): form.link
    case .renewLink(_, let form): form
    default: nil
    }
  }

  /// Whether its answer tells if there is such a link: one that is shown, or that was made before.
  package var isTry: Bool { secret != nil || newLink != nil }
}

extension ShareOutcome {
  /// Why nothing was done.
  fileprivate var error: RecordsError? {
    if case .failure(let error) = answer { error } else { nil }
  }
}

extension RecordsError {
  /// Whether it refuses somebody something, and not a mistake.
  package var isDenial: Bool {
    switch code {
    case .permissionFailure, .zoneNotFound, .notAuthenticated: true
    case .requestRateLimited, .invalidArguments:
      ["unknownLink", "expired", "usedUp", "revoked", "knownLink", "guessing"].contains(
        reason ?? "")
    default: false
    }
  }
}
