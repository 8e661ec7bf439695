// What the broker does with each message of a device. Only signing in, writing, and looking up
// zones wait for the storage thread; a request that waits is counted, and the socket of a peer
// with too many of them is not read until there is room.

import Records

extension Broker {
  mutating func received(
    _ message: ClientMessage, number: UInt64, byteCount: Int, from connection: ConnectionID
  ) {
    guard let session = sessions[connection] else { return }
    sessions[connection]?.heardSeconds = seconds
    endCopies(heardFrom: connection, session)
    switch (message, session.state) {
    case (.hello(let hello), .greeting):
      greeted(hello, number: number, from: connection, uid: session.uid)
    case (.administer(let order), .greeting):
      ordered(order, number: number, from: connection, uid: session.uid)
    case (.administer, _):
      end(connection, because: .invalid("An order is given on a connection without a hello."))
    case (.hello, .signingIn), (.hello, .ready):
      end(connection, because: .invalid("A connection says hello once."))
    case (_, .greeting), (_, .signingIn):
      end(
        connection,
        because: RecordsError(
          .notAuthenticated,
          "The first message of a connection is hello, and its welcome must "
            + "come before the next.", hint: "Say hello first."))
    case (_, .ready(let identity)):
      serve(
        message, number: number, byteCount: byteCount, from: connection, identity: identity)
    }
  }

  private mutating func endCopies(heardFrom connection: ConnectionID, _ session: Session) {
    guard let identity = session.identity else { return }
    let copies = deviceConnections.copies(
      heardFrom: connection, identity, atSeconds: seconds)
    for copy in copies { end(copy, because: .copiedDevice) }
  }

  /// Answers a frame that breaks a rule. Who has not signed in gets no second one.
  mutating func refused(number: UInt64, because error: RecordsError, from connection: ConnectionID)
  {
    guard let session = sessions[connection] else { return }
    sessions[connection]?.heardSeconds = seconds
    actions.append(.send(connection, replyTo: number, .error(error)))
    if session.identity == nil { end(connection, because: error) }
  }

  private mutating func greeted(
    _ hello: Hello, number: UInt64, from connection: ConnectionID, uid: UInt32
  ) {
    guard hello.version >= ProtocolVersion.oldest else {
      end(
        connection,
        because: RecordsError(
          .incompatibleVersion,
          "This broker speaks protocol \(ProtocolVersion.oldest) to \(ProtocolVersion.newest); "
            + "the device speaks \(hello.version).", hint: "Update the device."))
      return
    }
    sessions[connection]?.state = .signingIn
    sessions[connection]?.helloNumber = number
    sessions[connection]?.invocation = hello.invocation
    let request = SignInRequest(
      uid: uid, maySpeakForOthers: policy.maySpeakFor.contains(uid),
      accountsAreOpen: policy.accountsAreOpen, hello: hello,
      deviceKeyDigest: digest(hello.deviceKey))
    actions.append(.store(.signIn(connection, request)))
  }

  private mutating func serve(
    _ message: ClientMessage, number: UInt64, byteCount: Int, from connection: ConnectionID,
    identity: SessionIdentity
  ) {
    guard message.needsNoAnswer || isFree(number, on: connection) else { return }
    switch message {
    case .hello, .administer:
      preconditionFailure("A second hello, or an order, is refused before it gets here.")
    case .modify(let request):
      modify(request, number: number, byteCount: byteCount, from: connection, identity: identity)
    case .acknowledge(let through):
      began(connection)
      actions.append(.store(.acknowledge(connection, identity, through)))
    case .fetch(let ids):
      began(connection)
      ask(.fetch(connection, replyTo: number, identity, ids), number: number, for: connection)
    case .zones:
      began(connection)
      ask(.directory(connection, replyTo: number, identity), number: number, for: connection)
    case .history(let record, _) where record.zone.isPublic:
      actions.append(.send(connection, replyTo: number, .error(.publicZone)))
    case .trash(let zone, _) where zone.isPublic:
      actions.append(.send(connection, replyTo: number, .error(.publicZone)))
    case .history(let record, let below):
      began(connection)
      ask(
        .history(connection, replyTo: number, identity, record, below: below), number: number,
        for: connection)
    case .trash(let zone, let below):
      began(connection)
      ask(
        .trash(connection, replyTo: number, identity, zone, below: below), number: number,
        for: connection)
    case .cascaded(let zone, let request, let after):
      began(connection)
      ask(
        .cascaded(connection, replyTo: number, identity, zone, by: request, after: after),
        number: number, for: connection)
    case .query(let form):
      query(form, number: number, from: connection, identity: identity)
    case .saveSubscription(let form):
      save(form, number: number, byteCount: byteCount, from: connection, identity: identity)
    case .deleteSubscription(let id):
      began(connection)
      actions.append(.store(.deleteSubscription(connection, replyTo: number, identity, id)))
    case .subscriptions(let after):
      began(connection)
      ask(
        .subscriptions(connection, replyTo: number, identity, after: after), number: number,
        for: connection)
    case .followNotifications(let position):
      follow(position, number: number, from: connection, identity: identity)
    case .acknowledgeNotifications(let through):
      acknowledge(through, from: connection)
    case .attach(let positions):
      attach(positions, number: number, from: connection, identity: identity)
    case .detach(let zones): detach(zones, from: connection, identity: identity)
    case .checkpoint: checkpoint(number: number, from: connection)
    case .ping: actions.append(.send(connection, replyTo: number, .pong))
    case .offerAsset(let asset):
      offered(asset, number: number, from: connection, identity: identity)
    case .assetPiece(let piece): sent(piece, number: number, from: connection, identity: identity)
    case .fetchAsset(let fetch): asked(for: fetch, number: number, from: connection)
    case .wantedAssets(let digest): asked(forLossesAfter: digest, number, connection, identity)
    case .share(let order):
      share(order, number: number, from: connection, identity: identity)
    case .account(let order):
      account(order, number: number, from: connection, identity: identity)
    }
  }

  private mutating func detach(
    _ zones: [ZoneID], from connection: ConnectionID, identity: SessionIdentity
  ) {
    for zone in zones.map({ $0.resolved(for: identity.account) }) {
      sessions[connection]?.zones.remove(zone)
      unfollow(FeedKey(container: identity.container, zone: zone), connection)
    }
  }

  private mutating func modify(
    _ request: ModifyRequest, number: UInt64, byteCount: Int, from connection: ConnectionID,
    identity: SessionIdentity
  ) {
    if request.operationCount > Limits.operationsPerRequest {
      // NB: refused for good, yet no number is used: the request was never a valid one.
      let error = RecordsError.limit(
        "Operations of a request", limit: Limits.operationsPerRequest,
        actual: request.operationCount)
      actions.append(.send(connection, replyTo: number, .error(error)))
      return
    }
    do throws(RecordsError) {
      try queue.add(byteCount, of: connection, account: identity.accountKey)
    } catch {
      actions.append(.send(connection, replyTo: number, .error(error)))
      return
    }
    began(connection)
    actions.append(
      .store(.modify(connection, replyTo: number, identity, request, byteCount: byteCount)))
  }

  private mutating func attach(
    _ positions: [ZonePosition], number: UInt64, from connection: ConnectionID,
    identity: SessionIdentity
  ) {
    let followed = sessions[connection]?.zones.count ?? 0
    guard followed + positions.count <= Limits.zonesPerSession else {
      let error = RecordsError.limit(
        "Zones a connection follows", limit: Limits.zonesPerSession,
        actual: followed + positions.count)
      actions.append(.send(connection, replyTo: number, .error(error)))
      return
    }
    began(connection)
    sessions[connection]?.attachesUnderWay += 1
    actions.append(.store(.attach(connection, identity, positions)))
  }

  private mutating func checkpoint(number: UInt64, from connection: ConnectionID) {
    guard let session = sessions[connection] else { return }
    guard session.checkpoints.count + session.heldCheckpoints.count < Limits.requestsInFlight else {
      let error = RecordsError(
        .requestRateLimited, "Too many checkpoints wait already.", retryAfterSeconds: 1)
      actions.append(.send(connection, replyTo: number, .error(error)))
      return
    }
    // Zones that are being attached count too, and how far they are is not known yet.
    sessions[connection]?.heldCheckpoints.append(number)
    setCheckpoints(of: connection)
  }

  /// Counts an attach that is done; the checkpoints that waited for it go on.
  mutating func attached(_ connection: ConnectionID) {
    sessions[connection]?.attachesUnderWay -= 1
    setCheckpoints(of: connection)
  }

  private mutating func setCheckpoints(of connection: ConnectionID) {
    guard let session = sessions[connection], let identity = session.identity,
      session.attachesUnderWay == 0
    else { return }
    var missing: [ZoneID: Revision] = [:]
    for zone in session.zones {
      let feed = feeds[FeedKey(container: identity.container, zone: zone)]
      guard let feed, let follower = feed.follower(connection) else { continue }
      if follower.state != .level { missing[zone] = feed.head }
    }
    sessions[connection]?.checkpoints += session.heldCheckpoints.map {
      Session.Checkpoint(replyTo: $0, missing: missing)
    }
    sessions[connection]?.heldCheckpoints = []
    answerCheckpoints(of: connection)
  }

  // MARK: Counting

  /// Counts a request that waits.
  mutating func began(_ connection: ConnectionID) {
    sessions[connection]?.requestsInFlight += 1
    pauseOrResume(connection)
  }

  /// Counts a request that is done.
  mutating func finished(_ connection: ConnectionID) {
    sessions[connection]?.requestsInFlight -= 1
    pauseOrResume(connection)
  }

  /// Reads no further from who has asked too much, until half of it is done, nor from who does not
  /// take its answers: they would pile up here.
  mutating func pauseOrResume(_ connection: ConnectionID) {
    guard let session = sessions[connection] else { return }
    let bound = session.isPaused ? Limits.requestsInFlight / 2 + 1 : Limits.requestsInFlight
    let mustPause = !session.isOpen || session.requestsInFlight >= bound
    guard mustPause != session.isPaused else { return }
    sessions[connection]?.isPaused = mustPause
    actions.append(mustPause ? .pause(connection) : .resume(connection))
  }
}
