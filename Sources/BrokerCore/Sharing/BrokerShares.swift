// Shares and accounts, and what happens when an account loses access. A request is decided and durable before
// it is answered. An account that loses access is cut off when the commit is reported, before anything of it
// is published, so no frame made after the loss reaches the account. Pages and answers that are being read at
// that moment check the permissions themselves.

import Records

extension Broker {
  // MARK: Requests

  mutating func share(_ request: SharingRequest, _ context: RequestContext) {
    let account = context.identity.accountKey
    if request.isTry, let wait = limits.linkAttempts.take(of: account, atSeconds: seconds) {
      let error = RecordsError(
        .requestRateLimited, "Too many invalid links were tried.",
        hint: "Wait \(wait) s, and check that the link is complete.",
        retryAfterSeconds: Int(wait), reason: "guessing")
      logDenial(of: context.connection, error, zone: nil)
      return reply(.error(error), to: context)
    }
    guard request.zone?.isPublic != true else { return reply(.error(.publicZone), to: context) }
    let digest = request.secret.map { configuration.digest($0.bytes) }
    store(.share(request, linkDigest: digest), context)
  }

  mutating func account(_ request: AccountRequest, _ context: RequestContext) {
    switch request {
    case .setDisplayName, .setDiscoverable: store(.account(request), context)
    case .me, .look, .find, .discoverable: read(.accounts(request), context)
    }
  }

  // MARK: Answers

  mutating func shared(
    _ outcome: ShareOutcome, isLinkAttempt: Bool, _ context: RequestContext
  ) {
    if isLinkAttempt, outcome.error?.reason != "unknownLink", outcome.error?.reason != "knownLink" {
      limits.linkAttempts.giveBack(to: context.identity.accountKey)
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
        invalidateReads(of: connection)
        guard sessions[connection]?.feeds.zones.contains(loss.zone) == true else { continue }
        reset(loss.zone, .accessLost(isDeparture: loss.isDeparture), on: connection)
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
          peer: session.peer, account: session.identity?.account, zone: zone, error: error)))
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

  /// Whether the answer reveals if a link exists, because the request contains a secret or chooses a new one.
  package var isTry: Bool { secret != nil || newLink != nil }
}

extension ShareOutcome {
  /// The error of a refused request.
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
