// Shares and accounts, and what happens when an account loses access. A request is decided and durable before it
// is answered. An account that loses access is cut off when the commit is reported, before anything of it
// is published, so no frame made after the loss reaches the account. Pages and answers that are being
// read at that moment check the permissions themselves.

import Records

extension Broker {
  // MARK: Requests

  mutating func share(_ order: SharingRequest, _ context: RequestContext) {
    let account = context.identity.accountKey
    if order.isTry, let error = linkAttempts.take(of: account, atSeconds: seconds) {
      logDenial(of: context.connection, error, zone: nil)
      return reply(.error(error), to: context)
    }
    guard order.zone?.isPublic != true else { return reply(.error(.publicZone), to: context) }
    let digest = order.secret.map { configuration.digest($0.bytes) }
    store(.share(order, linkDigest: digest), context)
  }

  mutating func account(_ order: AccountRequest, _ context: RequestContext) {
    switch order {
    case .setDisplayName, .setDiscoverable: store(.account(order), context)
    case .me, .look, .find, .discoverable: read(.accounts(order), context)
    }
  }

  // MARK: Answers

  mutating func shared(
    _ outcome: ShareOutcome, isLinkAttempt: Bool, _ context: RequestContext
  ) {
    if isLinkAttempt, outcome.error?.reason != "unknownLink", outcome.error?.reason != "knownLink" {
      linkAttempts.giveBack(to: context.identity.accountKey)
    }
    switch outcome.answer {
    case .success(.share(let share)):
      let isLevel = areCaughtUp(
        in: FeedKey(container: context.identity.container, zone: share.zone))
      reply(.shared(.share(share.telling { isLevel[$0] })), to: context)
    case .success(let answer): reply(.shared(answer), to: context)
    case .failure(let error):
      logDenial(of: context.connection, error, zone: outcome.zone)
      reply(.error(error), to: context)
    }
  }

  /// The accounts that follow a zone, and whether a device of theirs has its newest change.
  private func areCaughtUp(in key: FeedKey) -> [AccountID: Bool] {
    guard let feed = feeds[key] else { return [:] }
    var caughtUp: [AccountID: Bool] = [:]
    for connection in feed.connections {
      guard let account = sessions[connection]?.identity?.account else { continue }
      let hasNewest = feed.subscriber(connection).map { $0.cursor >= feed.head } ?? false
      caughtUp[account] = caughtUp[account] == true || hasNewest
    }
    return caughtUp
  }

  // MARK: Loss of access

  /// Stops sending zones to the accounts that can no longer see them, and repeats the reads of these
  /// accounts that are under way.
  mutating func cut(_ losses: [AccessLoss]) {
    for loss in losses {
      let key = DirectoryKey(container: loss.container, account: loss.account)
      for connection in accounts.connections(of: key) {
        distrustReads(of: connection)
        guard sessions[connection]?.feeds.zones.contains(loss.zone) == true else { continue }
        reset(
          loss.zone,
          RecordsError(
            .permissionFailure, "This zone is no longer shared with this account.",
            hint: "Ask its owner for access.", reason: "accessLost"),
          on: connection)
      }
    }
  }

  // MARK: Logging

  /// Logs that a client asked for something that it may not have.
  mutating func logDenial(of connection: ConnectionID, _ error: RecordsError, zone: ZoneID?) {
    guard let session = sessions[connection], error.isDenial else { return }
    actions.append(
      .logRefusal(
        Refusal(
          uid: session.uid, account: session.identity?.account, zone: zone, error: error)))
  }
}

extension SharingRequest {
  /// The secret of the link that the request has.
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

  /// The link that the request creates.
  package var newLink: LinkForm? {
    switch self {
    case .create(_, let form): form.link
    case .renewLink(_, let form): form
    default: nil
    }
  }

  /// Whether the answer reveals if a link exists: the request has a secret, or chooses one that could be
  /// taken.
  package var isTry: Bool { secret != nil || newLink != nil }
}

extension ShareOutcome {
  /// Why the request changed nothing.
  fileprivate var error: RecordsError? {
    if case .failure(let error) = answer { error } else { nil }
  }
}

extension RecordsError {
  /// Whether the error denies access, and does not report a mistake.
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
