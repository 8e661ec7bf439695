// How changes reach those who follow a zone: encoded once, handed to everybody who is level, and
// step by step to everybody who is behind, never more than one piece ahead of what the socket has
// taken.

import Records

extension Broker {
  // MARK: Publishing

  mutating func publish(_ pending: inout PendingChanges) {
    for directory in DirectoryCommit.joined(pending.directories) {
      let key = DirectoryKey(container: directory.container, account: directory.account)
      let audience = readers[key] ?? []
      // Names of devices are for people, who have a few; a crowd learns them at its next greeting.
      if directory.page.isAboutDevicesOnly, audience.count > BrokerLimits.devicesTold { continue }
      push(directory.page, to: audience)
    }
    // One by one: a zone that was made again since is deleted in the earlier page only.
    for directory in pending.directories {
      // NB: for a member the zone may be gone while others go on; see `cut`.
      for entry in directory.page.entries where entry.isDeleted && entry.role == .owner {
        dropFeed(FeedKey(container: directory.container, zone: entry.zone))
      }
    }
    var order: [FeedKey] = []
    var commits: [FeedKey: [ZoneCommit]] = [:]
    for commit in pending.zones {
      let key = FeedKey(container: commit.container, zone: commit.zone.id)
      guard feeds[key] != nil else { continue }
      if commits[key] == nil { order.append(key) }
      commits[key, default: []].append(commit)
    }
    for key in order { publish(commits[key] ?? [], to: key) }
    // Behind the changes: who is shown an alert finds the record in the cache.
    for notification in pending.notified { deliver(notification) }
    unfolded(pending.unfolded)
    pending = PendingChanges()
  }

  private mutating func publish(_ commits: [ZoneCommit], to key: FeedKey) {
    guard var feed = feeds.removeValue(forKey: key) else { return }
    tailsBytes -= feed.tailBytes
    if tailsBytes > BrokerLimits.allTailsBytes { feed.dropTail() }
    for segments in seal(commits, feed: feed) {
      switch segments {
      case .live(let segments):
        let recipients = feed.publish(segments) { sessions[$0]?.isOpen ?? false }
        if !recipients.isEmpty { actions.append(.publish(segments, to: recipients)) }
      case .tooLarge(let head): feed.skip(to: head)
      }
    }
    tailsBytes += feed.tailBytes
    feeds[key] = feed
    // Who just fell behind, and who was read a page from disk beyond what was published.
    for connection in feed.connectionsBehind { becameBehind(connection, in: key.zone) }
  }

  private enum Sealed {
    case live([FeedSegment])
    case tooLarge(head: Revision)
  }

  /// Encodes commits into pieces of about `segmentBytes`, whole commits in each.
  private func seal(_ commits: [ZoneCommit], feed: ZoneFeed) -> [Sealed] {
    var sealed: [Sealed] = []
    var segments: [FeedSegment] = []
    var changes: [Change] = []
    var from = commits.first?.from ?? .zero
    var byteCount = 0
    func segment(to: Revision) -> FeedSegment {
      let stretch = ZoneChanges(
        zone: feed.zone, incarnation: feed.incarnation, from: from, to: to, scanStart: nil,
        changes: changes)
      return FeedSegment(from: from, to: to, frame: encode(stretch))
    }
    for commit in commits {
      let commitBytes = commit.changes.reduce(0) { $0 + $1.record.bytes.count + 128 }
      if byteCount > 0, byteCount + commitBytes > BrokerLimits.segmentBytes {
        segments.append(segment(to: commit.from))
        (from, changes, byteCount) = (commit.from, [], 0)
      }
      if commitBytes > BrokerLimits.liveCommitBytes {
        if !segments.isEmpty { sealed.append(.live(segments)) }
        sealed.append(.tooLarge(head: commit.zone.head))
        (segments, from) = ([], commit.zone.head)
        continue
      }
      changes += commit.changes
      byteCount += commitBytes
    }
    if let last = commits.last, byteCount > 0 { segments.append(segment(to: last.zone.head)) }
    if !segments.isEmpty { sealed.append(.live(segments)) }
    return sealed
  }

  // MARK: Following

  mutating func follow(_ zones: [AttachedZone], _ connection: ConnectionID) {
    guard let identity = sessions[connection]?.identity else { return }
    for attached in zones {
      let zone = attached.position.zone
      guard !zone.isPublic else {
        refuse(zone, .publicZone, to: connection)
        continue
      }
      guard let stored = attached.stored, let key = stored.key, !stored.isDeleted else {
        let error = RecordsError(.zoneNotFound, "There is no zone \(zone.name) here.")
        if zone.owner != identity.account { logDenial(of: connection, error, zone: zone) }
        refuse(zone, error, to: connection)
        continue
      }
      if let error = worthlessness(of: attached.position.token, in: stored) {
        refuse(zone, error, to: connection)
        continue
      }
      let feedKey = FeedKey(container: identity.container, zone: zone)
      var feed =
        feeds.removeValue(forKey: feedKey)
        ?? ZoneFeed(
          zone: zone, key: key, incarnation: stored.incarnation, head: stored.head)
      let token = attached.position.token
      attachments += 1
      feed.follow(
        connection, from: token?.revision ?? .zero, scanStart: token?.scanStart ?? stored.head,
        attachment: attachments, former: stored.former)
      feeds[feedKey] = feed
      sessions[connection]?.zones.insert(zone)
      becameBehind(connection, in: zone)
    }
  }

  private func worthlessness(of token: ChangeToken?, in zone: StoredZone) -> RecordsError? {
    guard let token else { return nil }
    if token.incarnation != zone.incarnation || token.revision > zone.head {
      return RecordsError(
        .changeTokenExpired, "The zone has a new history.",
        hint: "Read the zone again from its start.", reason: "otherHistory")
    }
    if token.isExpired(reapedThrough: zone.reapedThrough) {
      return RecordsError(
        .changeTokenExpired, "Deletions this device has not seen are no longer kept.",
        hint: "Read the zone again from its start.", reason: "expired")
    }
    return nil
  }

  mutating func refuse(_ zone: ZoneID, _ error: RecordsError, to connection: ConnectionID) {
    guard let session = sessions[connection], let identity = session.identity else { return }
    sessions[connection]?.zones.remove(zone)
    unfollow(FeedKey(container: identity.container, zone: zone), connection)
    actions.append(.send(connection, replyTo: 0, .reset(zone: zone, error)))
    answerCheckpoints(of: connection)
  }

  mutating func unfollow(_ key: FeedKey, _ connection: ConnectionID) {
    guard var feed = feeds.removeValue(forKey: key) else { return }
    feed.unfollow(connection)
    if feed.isAbandoned { tailsBytes -= feed.tailBytes } else { feeds[key] = feed }
  }

  private mutating func dropFeed(_ key: FeedKey) {
    guard let feed = feeds.removeValue(forKey: key) else { return }
    tailsBytes -= feed.tailBytes
    for connection in feed.connections {
      sessions[connection]?.zones.remove(key.zone)
      answerCheckpoints(of: connection)
    }
  }

  // MARK: Catching up

  mutating func opennessChanged(of connection: ConnectionID, to isOpen: Bool) {
    guard let identity = sessions[connection]?.identity else {
      sessions[connection]?.isOpen = isOpen
      pauseOrResume(connection)
      return
    }
    sessions[connection]?.isOpen = isOpen
    pauseOrResume(connection)
    guard isOpen else {
      sessions[connection]?.closedSeconds = seconds
      return answers.hold(connection, of: identity.accountKey)
    }
    beginHeldReads(connection)
    readMissedDirectory(connection)
    deliverMore(connection)
    for zone in sessions[connection]?.zones ?? [] {
      let key = FeedKey(container: identity.container, zone: zone)
      if let follower = feeds[key]?.follower(connection), follower.state != .level {
        becameBehind(connection, in: zone)
      }
    }
    catchUp(connection)
  }

  private mutating func becameBehind(_ connection: ConnectionID, in zone: ZoneID) {
    guard sessions[connection]?.behind.contains(zone) == false else { return }
    sessions[connection]?.behind.append(zone)
    catchUp(connection)
  }

  /// Takes the connection's zones that are behind one step further, until a piece is on its way.
  mutating func catchUp(_ connection: ConnectionID) {
    advance(connection)
    settleAnswers(of: connection)
  }

  /// The same, while the connection keeps its turn at answers.
  mutating func advance(_ connection: ConnectionID) {
    while let session = sessions[connection], let identity = session.identity,
      session.isOpen, !session.isCatchingUp, let zone = session.behind.first,
      answers.begin(connection, of: identity.accountKey)
    {
      let key = FeedKey(container: identity.container, zone: zone)
      switch feeds[key]?.advance(connection) {
      case .segment(let segment):
        sessions[connection]?.isCatchingUp = true
        actions.append(.sendPiece(connection, frame: segment.frame))
      case .page(let after):
        guard let feed = feeds[key], let follower = feed.follower(connection) else { return }
        sessions[connection]?.isCatchingUp = true
        let request = PageRequest(
          reader: identity, key: feed.key, zone: zone, incarnation: feed.incarnation, after: after,
          scanStart: follower.scanStart, attachment: follower.attachment)
        actions.append(.read(.page(connection, request)))
      case .level(let owed):
        sessions[connection]?.behind.removeFirst()
        if owed { tellLevel(connection, key) }
        answerCheckpoints(of: connection)
      case nil: sessions[connection]?.behind.removeFirst()
      }
    }
  }

  private mutating func tellLevel(_ connection: ConnectionID, _ key: FeedKey) {
    guard let feed = feeds[key], let follower = feed.follower(connection) else { return }
    actions.append(
      .send(
        connection, replyTo: 0,
        .level(
          zone: key.zone, incarnation: feed.incarnation, head: follower.cursor,
          scanStart: follower.scanStart, former: follower.former)))
  }

  /// Answers the checkpoints whose zones have all come up.
  mutating func answerCheckpoints(of connection: ConnectionID) {
    guard var session = sessions[connection], let identity = session.identity,
      !session.checkpoints.isEmpty
    else { return }
    for index in session.checkpoints.indices {
      session.checkpoints[index].missing = session.checkpoints[index].missing.filter { zone, head in
        let key = FeedKey(container: identity.container, zone: zone)
        guard let follower = feeds[key]?.follower(connection) else { return false }
        return follower.cursor < head
      }
    }
    for checkpoint in session.checkpoints where checkpoint.missing.isEmpty {
      actions.append(.send(connection, replyTo: checkpoint.replyTo, .checkpoint))
    }
    session.checkpoints.removeAll { $0.missing.isEmpty }
    sessions[connection] = session
  }
}
