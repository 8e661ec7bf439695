// What the broker does when the storage or the reading thread is done. Results are taken in the
// order of the commits; changes to one zone by several requests of a transaction go out together,
// but never past somebody's signing in, who already has them.

import Records

extension Broker {
  mutating func stored(_ results: [StorageResult]) {
    var pending = PendingChanges()
    for result in results {
      switch result {
      case .modified(let connection, let replyTo, let outcome, let effects, let byteCount):
        queue.remove(byteCount, of: connection)
        finished(connection)
        reply(.outcome(outcome), to: replyTo, of: connection)
        take(effects, of: connection, into: &pending)
      case .modifyRefused(let connection, let replyTo, let error, let byteCount):
        queue.remove(byteCount, of: connection)
        finished(connection)
        reply(.error(error), to: replyTo, of: connection)
      case .signedIn(let connection, let signedIn):
        pending.directories += signedIn.announcements
        publish(&pending)
        welcome(connection, signedIn)
      case .refused(let connection, let error): end(connection, because: error)
      case .attached(let connection, let zones):
        publish(&pending)
        finished(connection)
        follow(zones, connection)
        catchUp(connection)
        attached(connection)
      case .acknowledged(let connection): finished(connection)
      case .assetOffered(let connection, let replyTo, let asset, let offer):
        answered(offer, to: asset, number: replyTo, of: connection)
      case .assetKept(let connection, let replyTo, let id, let error):
        kept(id, because: error, number: replyTo, of: connection)
      case .notedAssets(let lost, let found): noted(lost: lost, found: found)
      case .answered(let connection, let replyTo, let message, let effects, let byteCount):
        queue.remove(byteCount, of: connection)
        finished(connection)
        reply(message, to: replyTo, of: connection)
        take(effects, of: connection, into: &pending)
      case .shared(let connection, let replyTo, let identity, let wasTry, let outcome):
        take(outcome.effects, of: connection, into: &pending)
        shared(
          outcome, wasTry: wasTry, number: replyTo, of: connection, identity: identity)
      case .following(let connection, let start):
        publish(&pending)
        finished(connection)
        follow(from: start, connection)
      case .sweptNotifications(let swept): self.swept(swept)
      case .removedLeft(let removed):
        if let removed { pending.add(removed.effects) }
        if removed?.effects.leavesCascade == true { cascadesAreLeft() }
        if removed?.effects.leavesErrands == true { errandsAreLeft() }
        removedLeft(removed)
      case .reapedCascades(let effects): reaped(effects, into: &pending)
      case .ranErrands(let effects): ranErrands(effects, into: &pending)
      case .administered(let connection, let replyTo, let result):
        if case .success(let outcome) = result {
          take(outcome.effects, of: connection, into: &pending)
        }
        publish(&pending)
        administered(result, number: replyTo, of: connection)
      }
    }
    publish(&pending)
  }

  /// Takes up what a request changed. Who lost access is cut off at once, before anything of the
  /// transaction is published that was not yet.
  private mutating func take(
    _ effects: CommitEffects, of connection: ConnectionID, into pending: inout PendingChanges
  ) {
    cut(effects.losses)
    for refusal in effects.refusals {
      logDenial(of: connection, refusal.error, zone: refusal.zone)
    }
    pending.add(effects)
    if effects.leavesCascade { cascadesAreLeft() }
    if effects.leavesErrands { errandsAreLeft() }
  }

  mutating func read(_ result: ReadResult) {
    switch result {
    case .page(let connection, let request, let frame, let to, let withheld):
      let key = FeedKey(container: request.reader.container, zone: request.zone)
      // NB: meanwhile it may have stopped following, or begun again elsewhere.
      guard let follower = feeds[key]?.follower(connection), follower.cursor == request.after,
        follower.attachment == request.attachment
      else {
        sessions[connection]?.isCatchingUp = false
        catchUp(connection)
        return
      }
      feeds[key]?.pageWasSent(to: connection, upTo: to, withholding: withheld)
      actions.append(.sendPiece(connection, frame: frame))
    case .pageRefused(let connection, let request, let error):
      sessions[connection]?.isCatchingUp = false
      // NB: who lost the zone and has it again since follows it anew; this is about the time between.
      let key = FeedKey(container: request.reader.container, zone: request.zone)
      if feeds[key]?.follower(connection)?.attachment == request.attachment {
        refuse(request.zone, error, to: connection)
      }
      catchUp(connection)
    case .fetched(let connection, let replyTo, let changes):
      endRead(connection)
      guard isFresh(connection, number: replyTo) else { return }
      finished(connection)
      reply(.fetched(changes), to: replyTo, of: connection)
    case .missedDirectory(let connection, let page): readDirectory(page, for: connection)
    case .directory(let connection, let replyTo, let page):
      endRead(connection)
      guard isFresh(connection, number: replyTo) else { return }
      finished(connection)
      reply(.directory(page), to: replyTo, of: connection)
    case .wantedAssets(let connection, let replyTo, let message):
      endRead(connection)
      guard isFresh(connection, number: replyTo) else { return }
      lookedUpLosses(connection, message, number: replyTo)
    case .answered(let connection, let replyTo, let message):
      endRead(connection)
      guard isFresh(connection, number: replyTo) else { return }
      finished(connection)
      reply(message, to: replyTo, of: connection)
    case .notifications(let connection, let request, let stretch):
      took(stretch, of: request, connection)
    case .notificationsFailed(let connection, let request):
      readFailed(request, connection)
    case .queried(let connection, let replyTo, let message):
      endRead(connection, isBounded: false)
      guard isFresh(connection, number: replyTo) else { return }
      sessions[connection]?.queriesInFlight -= 1
      finished(connection)
      reply(message, to: replyTo, of: connection)
    case .failed(let connection, let replyTo, let error):
      endRead(connection)
      guard isFresh(connection, number: replyTo) else { return }
      finished(connection)
      reply(.error(error), to: replyTo, of: connection)
    }
  }

  private mutating func reply(
    _ message: BrokerMessage, to number: UInt64, of connection: ConnectionID
  ) {
    guard sessions[connection] != nil else { return }
    actions.append(.send(connection, replyTo: number, message))
  }

  private mutating func welcome(_ connection: ConnectionID, _ signedIn: SignedIn) {
    guard let session = sessions[connection] else { return }
    let identity = signedIn.identity
    sessions[connection]?.state = .ready(identity)
    deviceConnections.add(
      connection, identity, invocation: session.invocation, atSeconds: seconds)
    let directoryKey = DirectoryKey(
      container: identity.container, account: identity.accountKey)
    readers[directoryKey, default: []].insert(connection)
    guard readers[directoryKey, default: []].count <= connectionsPerAccount else {
      return end(connection, because: ConnectionCounts.tooMany("The account has"))
    }
    let welcome = Welcome(
      version: ProtocolVersion.newest, account: identity.account,
      accountName: signedIn.accountName, device: identity.device,
      lastNumber: signedIn.lastNumber, directory: signedIn.directory.to,
      heartbeatSeconds: BrokerLimits.heartbeatSeconds, assetBytes: quotas.assetBytes)
    actions.append(.send(connection, replyTo: session.helloNumber, .welcome(welcome)))
    if signedIn.isDirectoryLeftOut {
      sessions[connection]?.directory.hasMissed = true
      readMissedDirectory(connection)
    } else if signedIn.directory.from < signedIn.directory.to {
      actions.append(.send(connection, replyTo: 0, .directory(signedIn.directory)))
    }
    follow(signedIn.zones, connection)
    catchUp(connection)
  }
}

/// The changes of a transaction that were not published yet.
struct PendingChanges {
  var zones: [ZoneCommit] = []
  var directories: [DirectoryCommit] = []
  var notified: [NotificationCommit] = []
  var unfolded: [StoreKey] = []

  mutating func add(_ effects: CommitEffects) {
    zones += effects.zones
    directories += effects.directories
    notified += effects.notified
    unfolded += effects.unfolded
  }
}
