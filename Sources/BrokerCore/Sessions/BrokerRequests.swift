// The broker's answer to each message of a device. Requests that wait for another thread are counted, and the
// socket of a peer with too many of them is not read until some are done.

import Records

extension Broker {
  mutating func received(
    _ message: ClientMessage, number: UInt64, byteCount: Int, from connection: ConnectionID
  ) {
    guard let session = sessions[connection] else { return }
    sessions[connection]?.lastHeardSeconds = seconds
    switch (message, session.phase) {
    case (.hello(let hello), .greeting):
      greeted(hello, number: number, from: connection, session.peer)
    case (.administer(let request), .greeting):
      administer(request, number: number, from: connection, session.peer)
    case (.join(let request), .greeting):
      join(request, number: number, from: connection, session.peer)
    case (.join, _):
      end(connection, because: .invalid("A device that has signed in cannot join again."))
    case (.administer, _):
      end(
        connection,
        because: .invalid("An administrative request needs a connection without a hello."))
    case (.hello, .signingIn), (.hello, .ready):
      end(connection, because: .invalid("The connection has sent hello twice."))
    case (_, .greeting), (_, .signingIn):
      end(
        connection,
        because: RecordsError(
          .notAuthenticated,
          "A message arrived before the connection was signed in.",
          hint: "Send hello first, and wait for the welcome."))
    case (_, .ready(let identity)):
      endCopies(heardFrom: connection, identity)
      guard message.hasNoAnswer || isFree(number, on: connection) else { return }
      serve(
        message, byteCount: byteCount,
        RequestContext(connection: connection, replyTo: number, identity: identity))
    }
  }

  private mutating func endCopies(heardFrom connection: ConnectionID, _ identity: SessionIdentity) {
    let copies = accounts.copies(heardFrom: connection, identity, atSeconds: seconds)
    for copy in copies { end(copy, because: .copiedDevice) }
  }

  /// Answers a frame without a valid message. Before signing in, the connection ends as well.
  mutating func receivedInvalid(
    number: UInt64, _ error: RecordsError, from connection: ConnectionID
  ) {
    guard let session = sessions[connection] else { return }
    sessions[connection]?.lastHeardSeconds = seconds
    actions.append(.send(connection, replyTo: number, .error(error)))
    if session.identity == nil { end(connection, because: error) }
  }

  private mutating func greeted(
    _ hello: Hello, number: UInt64, from connection: ConnectionID, _ peer: Peer
  ) {
    guard hello.version >= ProtocolVersion.oldest else {
      return end(
        connection,
        because: RecordsError(
          .incompatibleVersion,
          "This broker supports protocol versions \(ProtocolVersion.oldest) to "
            + "\(ProtocolVersion.newest); the device uses \(hello.version).",
          hint: "Update the device."))
    }
    sessions[connection]?.phase = .signingIn(
      ClientSession.Greeting(replyTo: number, invocation: hello.invocation))
    let policy = configuration.policy
    let request = SignInRequest(
      peer: peer, maySpeakForOthers: policy.maySpeakForOthers(peer),
      accountsAreOpen: policy.accountsAreOpen, hello: hello,
      deviceKeyDigest: configuration.digest(hello.deviceKey),
      formerKeyDigest: hello.formerDevice.map { configuration.digest($0.key) })
    actions.append(.store(.signIn(request, connection)))
  }

  private mutating func serve(
    _ message: ClientMessage, byteCount: Int, _ context: RequestContext
  ) {
    switch message {
    case .hello, .administer, .join:
      preconditionFailure("Messages that belong before the welcome were rejected before.")
    case .ping: reply(.pong, to: context)
    case .modify(let request): modify(request, byteCount: byteCount, context)
    case .acknowledge(let through): store(.acknowledge(through), context)
    case .attach(let positions): attach(positions, context)
    case .detach(let zones): detach(zones, context)
    case .checkpoint: addCheckpoint(context)
    case .fetch(let ids): read(.fetch(ids), context)
    case .zones: read(.directory, context)
    case .history(let record, _) where record.zone.isPublic: reply(.error(.publicZone), to: context)
    case .history(let record, let below): read(.history(record, below: below), context)
    case .trash(let zone, _) where zone.isPublic: reply(.error(.publicZone), to: context)
    case .trash(let zone, let below): read(.trash(zone, below: below), context)
    case .cascaded(let zone, let request, let after):
      read(.cascaded(zone, by: request, after: after), context)
    case .query(let form): query(form, context)
    case .saveSubscription(let form): save(form, byteCount: byteCount, context)
    case .deleteSubscription(let id): store(.deleteSubscription(id), context)
    case .subscriptions(let after): read(.subscriptions(after: after), context)
    case .followNotifications(let position): follow(position, context)
    case .acknowledgeNotifications(let through): acknowledge(through, from: context.connection)
    case .offerAsset(let asset): offer(asset, context)
    case .assetPiece(let chunk): append(chunk, context)
    case .fetchAsset(let fetch): fetchAsset(fetch, context)
    case .wantedAssets(let digest): lookUpWantedAssets(after: digest, context)
    case .share(let request): share(request, context)
    case .account(let request): account(request, context)
    case .invite(let offer): invite(offer, context)
    case .device(let request): store(.device(request), context)
    case .connections: reply(.connections(connections(of: context.identity)), to: context)
    }
  }

  /// Counts a request, and passes it to the storage thread.
  mutating func store(_ operation: StorageOperation, _ context: RequestContext) {
    began(context.connection)
    actions.append(.store(.client(operation, context)))
  }

  /// Counts a request and its bytes, and passes it to the storage thread.
  /// - Throws: `zoneBusy` if the queue has no room for them.
  mutating func enqueue(
    _ operation: StorageOperation, byteCount: Int, _ context: RequestContext
  ) throws(RecordsError) {
    try queue.add(byteCount, of: context.connection, account: context.identity.accountKey)
    store(operation, context.queuing(byteCount))
  }

  private mutating func modify(
    _ request: ModifyRequest, byteCount: Int, _ context: RequestContext
  ) {
    do throws(RecordsError) {
      // NB: rejected permanently, although it uses no request number, because it was never valid.
      guard request.operationCount <= Limits.operationsPerRequest else {
        throw .limit(
          "Operations of a request", limit: Limits.operationsPerRequest,
          actual: request.operationCount)
      }
      try enqueue(.modify(request), byteCount: byteCount, context)
    } catch {
      reply(.error(error), to: context)
    }
  }

  private mutating func attach(_ positions: [ZonePosition], _ context: RequestContext) {
    let count = (sessions[context.connection]?.feeds.zones.count ?? 0) + positions.count
    guard count <= Limits.zonesPerSession else {
      return reply(
        .error(
          .limit("Zones a connection follows", limit: Limits.zonesPerSession, actual: count)),
        to: context)
    }
    let account = context.identity.account
    sessions[context.connection]?.feeds.beginAttach(
      Set(positions.map { $0.zone.resolved(for: account) }), replyTo: context.replyTo)
    store(.attach(positions), context)
  }

  private mutating func detach(_ zones: [ZoneID], _ context: RequestContext) {
    let zones = zones.map { $0.resolved(for: context.identity.account) }
    sessions[context.connection]?.feeds.detach(zones)
    for zone in zones { unfollow(zone, on: context.connection, of: context.identity) }
  }

  // MARK: Counting

  /// Counts a request that has begun.
  mutating func began(_ connection: ConnectionID) {
    sessions[connection]?.requests.begin()
    pauseOrResume(connection)
  }

  /// Removes a finished request from the count.
  mutating func finished(_ connection: ConnectionID) {
    sessions[connection]?.requests.end()
    pauseOrResume(connection)
  }

  mutating func pauseOrResume(_ connection: ConnectionID) {
    guard let session = sessions[connection],
      let change = sessions[connection]?.requests.update(isWritable: session.socket.isWritable)
    else { return }
    switch change {
    case .pause: actions.append(.pause(connection))
    case .resume: actions.append(.resume(connection))
    }
  }
}

extension ClientMessage {
  /// Whether the message gets no answer that is read from disk. Its number may then be that of a request
  /// that is still being answered.
  fileprivate var hasNoAnswer: Bool {
    switch self {
    case .acknowledge, .acknowledgeNotifications, .detach, .ping: true
    default: false
    }
  }
}
