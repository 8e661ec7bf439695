// What the broker does with the results of the storage and reading threads. Results are handled in commit
// order. Changes of one zone by several requests of a transaction are published together, except that those
// before a sign-in are published before it: the signed-in device has them already.

import Records

extension Broker {
  mutating func stored(_ results: [StorageResult]) {
    var pending = PendingChanges()
    for result in results {
      switch result {
      case .signedIn(.success(let signedIn), let connection):
        pending.directories += signedIn.announcements
        publish(&pending)
        welcome(connection, signedIn)
      case .signedIn(.failure(let error), let connection): end(connection, because: error)
      case .administered(let result, let connection, let replyTo):
        if case .success(let outcome) = result {
          take(outcome.effects, of: connection, into: &pending)
        }
        publish(&pending)
        administered(result, number: replyTo, of: connection)
      case .joined(let result, let connection, let replyTo):
        joined(result, number: replyTo, of: connection)
      case .client(let outcome, let context):
        queue.remove(context.queuedBytes, of: context.connection)
        finished(context.connection)
        stored(outcome, context, into: &pending)
      case .recordedAssets(let lost, let found): recorded(lost: lost, found: found)
      case .maintained(let result): maintained(result, into: &pending)
      case .foreign(let notice):
        publish(&pending)
        take(notice)
      }
    }
    publish(&pending)
  }

  private mutating func stored(
    _ outcome: StorageOutcome, _ context: RequestContext, into pending: inout PendingChanges
  ) {
    let connection = context.connection
    switch outcome {
    case .modified(let outcome, let effects):
      reply(.outcome(outcome), to: context)
      take(effects, of: connection, into: &pending)
    case .answered(let message, let effects):
      reply(message, to: context)
      take(effects, of: connection, into: &pending)
    case .acknowledged: break
    case .attached(.success(let zones)):
      publish(&pending)
      let wanted = sessions[connection]?.feeds.endAttach(replyTo: context.replyTo) ?? []
      follow(zones.filter { wanted.contains($0.position.zone) }, connection)
      catchUp(connection)
      setCheckpoints(of: connection)
    case .attached(.failure(let error)): end(connection, because: error)
    case .assetOffered(let asset, let offer): answer(offer, to: asset, context)
    case .assetRegistered(let id, let error): registered(id, because: error, context)
    case .following(let start):
      publish(&pending)
      follow(from: start, connection)
    case .invited(let result): invited(result, context)
    case .deviceChanged(let effects, let expelled):
      reply(.deviceChanged, to: context)
      take(effects, of: connection, into: &pending)
      expelled.map { expel($0) }
    case .shared(let outcome, let isLinkAttempt):
      take(outcome.effects, of: connection, into: &pending)
      shared(outcome, isLinkAttempt: isLinkAttempt, context)
    }
  }

  /// Collects what a request changed. Accounts that lost access are cut off at once, before anything of the
  /// transaction is published.
  private mutating func take(
    _ effects: CommitEffects, of connection: ConnectionID, into pending: inout PendingChanges
  ) {
    cut(effects.losses)
    for refusal in effects.refusals {
      logDenial(of: connection, refusal.error, zone: refusal.zone)
    }
    pending.add(effects)
    makeDue(effects.jobs)
  }

  mutating func read(_ result: ReadResult) {
    switch result {
    case .client(let message, let operation, let context):
      guard ended(.records(operation), context) else { return }
      if case .wantedAssets = operation { return lookedUpWantedAssets(message, context) }
      finished(context.connection)
      reply(message, to: context)
    case .page(let result, let request, let connection): read(result, of: request, connection)
    case .directory(let page, let connection): readDirectory(page, for: connection)
    case .notifications(let batch, let request, let connection):
      read(batch, of: request, connection)
    }
  }

  private mutating func welcome(_ connection: ConnectionID, _ signedIn: SignedIn) {
    guard let session = sessions[connection], case .signingIn(let greeting) = session.phase
    else { return }
    let identity = signedIn.identity
    sessions[connection]?.phase = .ready(identity)
    limits.strangers.remove(connection)
    let count = accounts.add(
      connection, identity, invocation: greeting.invocation, atSeconds: seconds)
    guard count <= configuration.connectionsPerAccount else {
      return end(connection, because: ConnectionCounts.tooMany("The account has"))
    }
    let welcome = Welcome(
      version: ProtocolVersion.newest, account: identity.account,
      accountName: signedIn.accountName, device: identity.device,
      lastNumber: signedIn.lastNumber, directory: signedIn.directory.to,
      heartbeatSeconds: BrokerLimits.heartbeatSeconds,
      assetBytes: configuration.quotas.assetBytes, rewoundAt: signedIn.rewoundAt)
    actions.append(.send(connection, replyTo: greeting.replyTo, .welcome(welcome)))
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

/// The changes of a transaction that are not published yet.
struct PendingChanges {
  var zones: [ZoneCommit] = []
  var directories: [DirectoryCommit] = []
  var notified: [NotificationCommit] = []
  var resumed: [StoreKey] = []

  mutating func add(_ effects: CommitEffects) {
    zones += effects.zones
    directories += effects.directories
    notified += effects.notified
    resumed += effects.resumed
  }
}
