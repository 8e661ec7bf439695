// How changes reach the connections that follow a zone. Each commit is encoded once for all live
// subscribers. A subscriber that is catching up gets one segment or page at a time, the next one when its
// socket has accepted the last.

import Records

extension Broker {
  // MARK: Publishing

  mutating func publish(_ pending: inout PendingChanges) {
    publish(pending.directories)
    var order: [FeedKey] = []
    var commits: [FeedKey: [ZoneCommit]] = [:]
    for commit in pending.zones {
      let key = FeedKey(container: commit.container, zone: commit.zone.id)
      guard feeds[key] != nil else { continue }
      if commits[key] == nil { order.append(key) }
      commits[key, default: []].append(commit)
    }
    for key in order { publish(commits[key] ?? [], to: key) }
    // After the changes: a user who taps an alert finds the record in the local store.
    for notification in pending.notified { deliver(notification) }
    resume(pending.resumed)
    pending = PendingChanges()
  }

  mutating func publish(_ commits: [ZoneCommit], to key: FeedKey) {
    for connection in publishLive(commits, to: key) { mustCatchUp(connection, in: key.zone) }
  }

  /// Sends commits to the live subscribers. Returns the subscribers that are catching up: those that have
  /// just fallen behind, and those that have read a page beyond the published head.
  private mutating func publishLive(
    _ commits: [ZoneCommit], to key: FeedKey
  ) -> [ConnectionID] {
    let sessions = sessions
    let (publications, catchingUp) = feeds.publish(commits, to: key, encode: configuration.encode) {
      sessions[$0]?.socket.isWritable ?? false
    }
    for publication in publications {
      actions.append(.publish(publication.segments, to: publication.recipients))
    }
    return catchingUp
  }

  // MARK: Following

  mutating func follow(_ zones: [AttachedZone], _ connection: ConnectionID) {
    guard let identity = sessions[connection]?.identity else { return }
    for attached in zones {
      let zone = attached.position.zone
      guard !zone.isPublic else {
        reset(zone, .publicZone, on: connection)
        continue
      }
      guard let stored = attached.stored, let row = stored.key, !stored.isDeleted else {
        let error = RecordsError(
          .zoneNotFound, "The zone \(zone.name) does not exist.", reason: "noSuchZone")
        if zone.owner != identity.account { logDenial(of: connection, error, zone: zone) }
        reset(zone, error, on: connection)
        continue
      }
      if let error = invalidity(of: attached.position.token, in: stored, joined: attached.joined) {
        reset(zone, error, on: connection)
        continue
      }
      feeds.subscribe(
        connection, to: stored, row: row, key: FeedKey(container: identity.container, zone: zone),
        from: attached.position.token)
      sessions[connection]?.feeds.follow(zone)
      mustCatchUp(connection, in: zone)
    }
  }

  /// Returns the error if the zone cannot be read from `token` on.
  private func invalidity(
    of token: ChangeToken?, in zone: StoredZone, joined: Revision
  ) -> RecordsError? {
    guard let token else { return nil }
    if token.incarnation != zone.incarnation || token.revision > zone.head {
      return RecordsError(
        .changeTokenExpired, "The zone has a new history.",
        hint: "Read the zone again from its start.", reason: "otherHistory")
    }
    if token.isExpired(expiredThrough: zone.expiredThrough) {
      return RecordsError(
        .changeTokenExpired,
        "This device was offline for too long: deletions that it has not received have expired.",
        hint: "Read the zone again from its start.", reason: "expired")
    }
    if token.revision < joined {
      return RecordsError(
        .changeTokenExpired, "This account has joined the zone again since.",
        hint: "Read the zone again from its start.", reason: "expired")
    }
    return nil
  }

  /// Ends a connection's subscription to a zone and sends it the error.
  mutating func reset(_ zone: ZoneID, _ error: RecordsError, on connection: ConnectionID) {
    guard let identity = sessions[connection]?.identity else { return }
    unfollow(zone, on: connection, of: identity)
    actions.append(.send(connection, replyTo: 0, .reset(zone: zone, error)))
    answerCheckpoints(of: connection)
  }

  mutating func unfollow(
    _ zone: ZoneID, on connection: ConnectionID, of identity: SessionIdentity
  ) {
    sessions[connection]?.feeds.unfollow(zone)
    feeds.unsubscribe(connection, from: FeedKey(container: identity.container, zone: zone))
  }

  /// Removes the feed of a deleted zone.
  mutating func removeFeed(_ key: FeedKey) {
    for connection in feeds.remove(key) {
      sessions[connection]?.feeds.unfollow(key.zone)
      answerCheckpoints(of: connection)
    }
  }

  // MARK: Catching up

  mutating func writabilityChanged(of connection: ConnectionID, to isWritable: Bool) {
    guard let session = sessions[connection] else { return }
    if isWritable {
      sessions[connection]?.socket = .writable
    } else if session.socket.isWritable {
      sessions[connection]?.socket = .full(sinceSeconds: seconds)
    }
    pauseOrResume(connection)
    guard let identity = session.identity else { return }
    guard isWritable else { return answers.hold(connection, of: identity.accountKey) }
    beginReads(of: connection)
    readMissedDirectory(connection)
    deliverMore(connection)
    for zone in sessions[connection]?.feeds.zones ?? [] {
      let key = FeedKey(container: identity.container, zone: zone)
      if let subscriber = feeds[key]?.subscriber(connection), subscriber.state != .live {
        mustCatchUp(connection, in: zone)
      }
    }
    catchUp(connection)
  }

  mutating func mustCatchUp(_ connection: ConnectionID, in zone: ZoneID) {
    guard sessions[connection]?.feeds.enqueue(zone) == true else { return }
    catchUp(connection)
  }

  /// Moves the connection forward in its zones, until a segment or page is on its way.
  mutating func catchUp(_ connection: ConnectionID) {
    advance(connection)
    settleAnswers(of: connection)
  }

  /// Does the same as `catchUp`, without giving up the connection's turn at answers.
  mutating func advance(_ connection: ConnectionID) {
    while let session = sessions[connection], let identity = session.identity,
      session.socket.isWritable, !session.feeds.isCatchingUp, let zone = session.feeds.next,
      answers.begin(connection, of: identity.accountKey)
    {
      let key = FeedKey(container: identity.container, zone: zone)
      switch feeds.advance(connection, in: key) {
      case .segment(let segment):
        sessions[connection]?.feeds.isCatchingUp = true
        actions.append(.sendSegment(connection, frame: segment.frame))
      case .page(let after):
        guard let feed = feeds[key], let subscriber = feed.subscriber(connection) else { return }
        sessions[connection]?.feeds.isCatchingUp = true
        let request = PageRequest(
          reader: identity, key: feed.key, zone: zone, incarnation: feed.incarnation,
          lineage: subscriber.former?.lineage ?? Lineage(), after: after,
          scanStart: subscriber.scanStart, attachment: subscriber.attachment)
        actions.append(.read(.page(request, connection)))
      case .live(let needsSnapshotEnd):
        sessions[connection]?.feeds.dequeue()
        if needsSnapshotEnd { sendSnapshotEnd(connection, key) }
        answerCheckpoints(of: connection)
      case nil: sessions[connection]?.feeds.dequeue()
      }
    }
  }

  private mutating func sendSnapshotEnd(_ connection: ConnectionID, _ key: FeedKey) {
    guard let feed = feeds[key], let subscriber = feed.subscriber(connection) else { return }
    actions.append(
      .send(
        connection, replyTo: 0,
        .level(
          zone: key.zone, incarnation: feed.incarnation, head: subscriber.cursor,
          scanStart: subscriber.scanStart, former: subscriber.former)))
  }

  /// Continues to catch up, because the socket has accepted the last segment or page.
  mutating func segmentWasWritten(_ connection: ConnectionID) {
    sessions[connection]?.feeds.isCatchingUp = false
    catchUp(connection)
  }

  /// Sends a page that was read for a connection, or ends the subscription if it could not be read.
  mutating func read(
    _ result: Result<EncodedPage, RecordsError>, of request: PageRequest, _ connection: ConnectionID
  ) {
    let key = FeedKey(container: request.reader.container, zone: request.zone)
    let subscriber = feeds[key]?.subscriber(connection)
    // NB: meanwhile the connection may have detached from the zone, or attached again at another position.
    let isCurrent = subscriber?.attachment == request.attachment
    switch result {
    case .success(let page) where isCurrent && subscriber?.cursor == request.after:
      feeds.pageWasSent(page, to: connection, in: key)
      actions.append(.sendSegment(connection, frame: page.frame))
    case .success: segmentWasWritten(connection)
    case .failure(let error):
      sessions[connection]?.feeds.isCatchingUp = false
      if isCurrent { reset(request.zone, error, on: connection) }
      catchUp(connection)
    }
  }

  // MARK: Checkpoints

  mutating func addCheckpoint(_ context: RequestContext) {
    guard sessions[context.connection]?.feeds.add(checkpoint: context.replyTo) == true else {
      return reply(
        .error(
          RecordsError(
            .requestRateLimited, "This connection already waits for too many checkpoints.",
            retryAfterSeconds: 1)),
        to: context)
    }
    setCheckpoints(of: context.connection)
  }

  /// Lets the checkpoints that waited for attach requests wait for their zones, if all these have ended.
  mutating func setCheckpoints(of connection: ConnectionID) {
    guard let session = sessions[connection], let identity = session.identity else { return }
    let feeds = feeds
    sessions[connection]?.feeds.setCheckpoints {
      var missing: [ZoneID: Revision] = [:]
      for zone in session.feeds.zones {
        let feed = feeds[FeedKey(container: identity.container, zone: zone)]
        guard let feed, let subscriber = feed.subscriber(connection) else { continue }
        if subscriber.state != .live { missing[zone] = feed.head }
      }
      return missing
    }
    answerCheckpoints(of: connection)
  }

  /// Answers the checkpoints whose zones have all reached their revisions.
  mutating func answerCheckpoints(of connection: ConnectionID) {
    guard let identity = sessions[connection]?.identity else { return }
    let feeds = feeds
    let reached = sessions[connection]?.feeds.reachedCheckpoints { zone in
      feeds[FeedKey(container: identity.container, zone: zone)]?.subscriber(connection)?.cursor
    }
    for number in reached ?? [] { actions.append(.send(connection, replyTo: number, .checkpoint)) }
  }
}
