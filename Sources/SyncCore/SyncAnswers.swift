// Handles each message of the broker. An unexpected message, such as an answer without a request or changes after a
// gap, is either ignored because its content is known, or causes a new request. No message of the broker can stop the
// device from working.

import Records

extension SyncMachine {
  /// Handles a message; `replyTo` is the correlation number of the message that it answers.
  package mutating func received(
    _ message: BrokerMessage, replyTo: UInt64,
    using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    if case .pong = message { conversation.answered(replyTo) }
    let recovery = heard()
    let steps = handle(message, replyTo: replyTo, using: &generator)
    return recovery + steps + noteResponsiveness()
  }

  private mutating func handle(
    _ message: BrokerMessage, replyTo: UInt64,
    using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    switch (conversation.state, message) {
    case (.none, _), (.stopped, _), (.opening, _): return []
    case (_, .goodbye(let error)) where error.reason == "clonedDevice":
      return takeNewIdentity(using: &generator)
    case (_, .goodbye(let error)):
      return [.report("The broker ended the connection: \(error.logText).")]
        + hangUp(because: error, using: &generator)
    case (.greeting, .welcome(let welcome)): return welcomed(welcome, using: &generator)
    case (.greeting, .error(let error)):
      return [.report("The broker rejected the connection: \(error.logText).")]
        + hangUp(because: error, using: &generator)
    case (.greeting, _), (.ready, .welcome), (.ready, .pong): return []
    case (.ready, .fetched(let changes)): return fetched(changes, replyTo: replyTo)
    case (.ready, .found(let page)): return found(page, replyTo: replyTo)
    case (.ready, .assetStanding(let standing)): return stands(standing, replyTo: replyTo)
    case (.ready, .assetPiece(let piece)): return came(piece, replyTo: replyTo)
    case (.ready, .wantedAssets(let assets, let isWhole)):
      return wanted(assets, isWhole: isWhole, replyTo: replyTo)
    // A device sends no administrative requests.
    case (.ready, .administered), (.ready, .joined): return []
    case (.ready, .invited(let addresses, let expires)):
      return ordered(.invited(addresses: addresses, expires: expires), replyTo: replyTo)
    case (.ready, .deviceChanged): return ordered(.deviceChanged, replyTo: replyTo)
    case (.ready, .connections(let connections)):
      return ordered(.connections(connections), replyTo: replyTo)
    case (.ready, .shared(let answer)):
      return ordered(.share(relative(answer)), replyTo: replyTo)
    case (.ready, .accounts(let profiles, let isWhole)):
      return ordered(.accounts(profiles, isWhole: isWhole), replyTo: replyTo)
    case (.ready, .outcome(let outcome)): return ended(outcome, using: &generator)
    case (.ready, .directory(let page)):
      return read(page, isAnswer: replyTo != 0 && replyTo == feeds.directory.request)
    case (.ready, .subscriptionSaved), (.ready, .subscriptionDeleted):
      return confirmedSubscriptionChange(replyTo)
    case (.ready, .notifications(let page)): return read(page)
    // This device does not request them. The directory contains subscriptions, and the feed or the next run reports
    // cascading deletions.
    case (.ready, .subscriptions), (.ready, .cascaded): return []
    case (.ready, .history(let page)): return answered(page, replyTo: replyTo)
    case (.ready, .trash(let page)): return answered(page, replyTo: replyTo)
    case (.ready, .changes(let frame)): return read(frame)
    case (.ready, .level(let zone, let incarnation, let head, let scanStart, let former)):
      return reached(
        relative(zone),
        ChangeToken(incarnation: incarnation, revision: head, scanStart: scanStart),
        former: former)
    case (.ready, .reset(let zone, let error)):
      return reset(relative(zone), because: error, using: &generator)
    case (.ready, .checkpoint): return passedCheckpoint(replyTo)
    case (.ready, .error(let error)):
      return refused(error, replyTo: replyTo, using: &generator)
    }
  }

  /// The id of the zone on this device.
  func relative(_ zone: ZoneID) -> ZoneID {
    identity.account.map { zone.relative(to: $0) } ?? zone
  }

  // MARK: The greeting

  private mutating func welcomed(
    _ welcome: Welcome, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    if let refusal = otherAccount(welcome) {
      return [.report(refusal.message)] + hangUp(because: refusal, using: &generator)
    }
    let milliseconds = conversation.welcomed(welcome)
    window.welcomed()
    // A broker with a new database counts its directory from the start.
    let hasNewDatabase = identity.account.map { $0 != welcome.account } ?? false
    identity.account = welcome.account
    identity.accountName = welcome.accountName
    identity.device = welcome.device
    identity.former = nil
    feeds.directory.target = welcome.directory
    transfers.pieceBytesMaximum = welcome.assetPieceBytes
    transfers.fetchesMaximum = welcome.assetFetchesInFlight
    var steps: [SyncStep] = [.store(.storeWelcome(welcome))]
    if welcome.lastNumber > window.lastNumber {
      // Numbers this device never gave: an older copy of its database is at work.
      return steps + takeNewIdentity(using: &generator)
    }
    if welcome.lastNumber < window.acknowledged {
      steps += renumber(after: welcome.lastNumber) + restoreUnreadZones()
    }
    steps += enter(.catchingUp)
    steps.append(.wait(.heartbeat, milliseconds: milliseconds))
    if hasNewDatabase || welcome.directory < feeds.directory.revision {
      // Else its answer would be older than what is known.
      feeds.directory.revision = .zero
      steps += askForDirectory()
    }
    steps += detachAsked() + attachAsked() + sendRequests() + followNotifications()
    if !publicReading.types.isEmpty { publicReading.isWanted = true }
    return steps + beginPublicReading() + arriveIfLevel()
  }

  /// Returns an error if the broker registered the device for another account. A new account id with the same name is
  /// accepted, because the broker may have started with an empty database.
  private func otherAccount(_ welcome: Welcome) -> RecordsError? {
    guard let known = identity.account, known != welcome.account,
      identity.accountName != welcome.accountName
    else { return nil }
    return RecordsError(
      .notAuthenticated, "The broker has registered this device for another account.",
      hint: "Sign out first, or use another file.", reason: "otherAccount")
  }

  mutating func arriveIfLevel() -> [SyncStep] {
    guard conversation.isReady else { return [] }
    guard conversation.lateSince == nil else { return enter(.offline) }
    return enter(feeds.areLevel ? .live : .catchingUp)
  }

  // MARK: The directory

  private mutating func askForDirectory() -> [SyncStep] {
    guard feeds.directory.request == nil else { return [] }
    let id = freshID()
    feeds.directory.request = id
    return [.send(id: id, .zones)]
  }

  private mutating func read(_ page: DirectoryPage, isAnswer: Bool) -> [SyncStep] {
    if isAnswer { feeds.directory.request = nil }
    let isWhole = page.from == .zero
    feeds.directory.target = max(feeds.directory.target, page.to)
    // The broker may have read the answer before a change that it sent first. Then the answer lacks that change.
    guard !isAnswer || page.to >= feeds.directory.revision else { return askForDirectory() }
    guard isAnswer || page.to > feeds.directory.revision else { return [] }
    guard isWhole || page.from <= feeds.directory.revision else { return askForDirectory() }
    var entries = page.entries
    for index in entries.indices { entries[index].zone = relative(entries[index].zone) }
    feeds.directory.revision = page.to
    var steps: [SyncStep] = [
      .store(
        .storeDirectory(
          DirectoryPage(
            from: page.from, to: page.to, entries: entries, devices: page.devices,
            subscriptions: page.subscriptions.map { state in
              SubscriptionState(
                id: state.id, form: state.form.map(relative), failure: state.failure)
            }),
          isWhole: isWhole))
    ]
    if isWhole {
      let present = Set(entries.map(\.zone))
      // A zone that was deleted here and that the broker lost is forgotten, so that a new one of its id is followed.
      feeds.abandoned.formIntersection(present)
      for zone in feeds.followed.keys.sorted() where !present.contains(zone) && zone != .standard {
        steps += zone.owner == .current ? remake(zone) : lose(zone)
      }
    }
    for entry in entries { steps += read(entry) }
    // A change that arrived before the answer could not be applied, and the answer lacks it.
    if isAnswer, feeds.directory.revision < feeds.directory.target { steps += askForDirectory() }
    return steps + attachAsked() + arriveIfLevel()
  }

  private mutating func read(_ entry: DirectoryEntry) -> [SyncStep] {
    if entry.isDeleted {
      // Also a zone that is not followed: another device may have deleted a zone whose creation by this device is not
      // confirmed yet.
      feeds.abandoned.remove(entry.zone)
      // A zone that was taken from the account counts as shared; one that the account left does not.
      return lose(
        entry.zone, at: entry.deletion?.head,
        hasLeft: entry.zone.owner != .current && !entry.isShared)
    }
    guard !feeds.abandoned.contains(entry.zone) else { return [] }
    feeds.lost[entry.zone] = nil
    guard let reading = feeds[entry.zone] else {
      feeds[entry.zone] = FollowedZone(token: nil, incarnation: entry.incarnation, sweep: .none)
      feeds.toAttach.insert(entry.zone)
      return []
    }
    // Records that are saved in the zone before it is read get tags of this history.
    if reading.incarnation == nil { feeds[entry.zone]?.incarnation = entry.incarnation }
    if reading.isDoubted { feeds.toAttach.insert(entry.zone) }
    guard let known = reading.token?.incarnation ?? reading.incarnation, known != entry.incarnation
    else { return [] }
    // A zone that was deleted and restored before the device had read any of it. The broker ended that feed.
    guard reading.token != nil else {
      feeds.toAttach.insert(entry.zone)
      return []
    }
    return reread(entry.zone, sweep: .restored)
  }

  /// - Parameter head: the zone's revision when it was deleted; `nil` if it cannot be restored, or that is not known.
  private mutating func lose(
    _ zone: ZoneID, at head: Revision? = nil, hasLeft: Bool = false
  ) -> [SyncStep] {
    feeds[zone] = nil
    feeds.toAttach.remove(zone)
    feeds.lost[zone] = head ?? Revision(.max)
    return [
      .store(
        .dropZone(
          zone,
          RecordsError(
            .zoneNotFound, "The zone was deleted, or is no longer shared with the account.",
            reason: hasLeft ? "left" : "noSuchZone")))
    ]
  }

  /// Creates a zone again that a complete directory does not contain, because the broker lost it or it was deleted
  /// long ago. The device follows it once the directory contains it. If the zone was deleted, the directory reports
  /// that then, and the broker rejects the creation.
  private mutating func remake(_ zone: ZoneID) -> [SyncStep] {
    feeds[zone] = nil
    feeds.toAttach.remove(zone)
    return [.store(.recreateZone(zone))]
  }

  /// Without it, messages about the broker's earlier reading of a zone would be taken for those of a later one.
  private mutating func detachAsked() -> [SyncStep] {
    guard !feeds.toDetach.isEmpty else { return [] }
    defer { feeds.toDetach = [] }
    return [.send(id: freshID(), .detach(feeds.toDetach.sorted()))]
  }

  mutating func attachAsked() -> [SyncStep] {
    guard !feeds.toAttach.isEmpty else { return [] }
    let positions = feeds.toAttach.sorted().map { ZonePosition(zone: $0, token: feeds[$0]?.token) }
    feeds.toAttach = []
    return [.send(id: freshID(), .attach(positions))]
  }

  // MARK: Zones

  private mutating func read(_ frame: ZoneChanges) -> [SyncStep] {
    let zone = relative(frame.zone)
    guard var reading = feeds[zone] else { return [] }
    switch reading.verdict(on: frame) {
    case .known: return []
    case .gap:
      guard !reading.isResuming else { return [] }
      feeds[zone]?.isLevel = false
      feeds[zone]?.isResuming = true
      feeds.toAttach.insert(zone)
      return [.report("A segment of a zone's feed is missing; fetching it again.")] + attachAsked()
        + arriveIfLevel()
    case .otherHistory:
      return reread(zone, sweep: .restored) + attachAsked() + arriveIfLevel()
    case .fits(let token):
      let position = reading.token?.revision ?? .zero
      let wasSweeping = reading.sweep
      reading.began(frame.incarnation)
      reading.token = token
      reading.isResuming = false
      feeds[zone] = reading
      let kept = ZoneChanges(
        zone: zone, incarnation: frame.incarnation, from: frame.from, to: frame.to,
        scanStart: token.scanStart, lineage: frame.lineage,
        changes: frame.changes.filter { $0.tag > position })
      let turned: [SyncStep] =
        reading.sweep == wasSweeping ? [] : [.store(.reread(zone, sweep: reading.sweep))]
      return turned + [.store(.storeChanges(kept, token: token))]
    }
  }

  private mutating func reached(
    _ zone: ZoneID, _ told: ChangeToken, former: FormerHistory?
  ) -> [SyncStep] {
    guard var reading = feeds[zone] else { return [] }
    if let token = reading.token, token.incarnation != told.incarnation {
      return reread(zone, sweep: .restored) + attachAsked() + arriveIfLevel()
    }
    let wasSweeping = reading.sweep
    reading.began(told.incarnation)
    let token = ChangeToken(
      incarnation: told.incarnation, revision: max(told.revision, reading.token?.revision ?? .zero),
      scanStart: reading.token?.scanStart ?? told.scanStart)
    // The first run waits for the end of the stored pages. The last page does not say that it is the last one.
    let isComing = !reading.isLevel
    let isEnd = zone == .standard && isComing
    let isNews = token != reading.token || reading.sweep != .none || isEnd
    let sweep = reading.sweep
    let turned: [SyncStep] = sweep == wasSweeping ? [] : [.store(.reread(zone, sweep: sweep))]
    reading.token = token
    reading.sweep = .none
    reading.isLevel = true
    reading.isResuming = false
    feeds[zone] = reading
    feeds.deferred.remove(zone)
    if isComing { feeds.attachBackoff.reset() }
    let level = SyncStep.store(
      .reachLevel(zone, token: token, sweep: sweep, former: former))
    let kept: [SyncStep] = isNews ? [level] : []
    return turned + kept + arriveIfLevel()
  }

  /// Marks zones without a known history as restored, because the broker lost requests that it had answered. Reading
  /// such a zone could not show the loss, because the device knows no earlier incarnation of it.
  private mutating func restoreUnreadZones() -> [SyncStep] {
    let unread = feeds.followed.filter { $0.value.token == nil && $0.value.incarnation == nil }
    return unread.keys.sorted().map { zone in
      feeds[zone]?.sweep = .restored
      return .store(.reread(zone, sweep: .restored))
    }
  }

  private mutating func reread(_ zone: ZoneID, sweep: Sweep) -> [SyncStep] {
    feeds[zone]?.token = nil
    feeds[zone]?.sweep = sweep
    feeds[zone]?.isLevel = false
    feeds[zone]?.isResuming = false
    feeds.toAttach.insert(zone)
    return [.store(.reread(zone, sweep: sweep))]
  }

  private mutating func reset(
    _ zone: ZoneID, because error: RecordsError, using generator: inout some RandomNumberGenerator
  ) -> [SyncStep] {
    guard let reading = feeds[zone] else { return [] }
    if error.code == .changeTokenExpired {
      let sweep = reading.sweep == .restored ? Sweep.restored : .expired
      return reread(zone, sweep: sweep) + attachAsked() + arriveIfLevel()
    }
    if error.code == .zoneNotFound || error.code == .permissionFailure {
      guard zone != .standard else {
        // The standard zone exists without being created; the broker may not have stored it yet.
        feeds[zone]?.isLevel = true
        return [.report("A zone cannot be read: \(error.logText).")] + arriveIfLevel()
      }
      if mayDoubt(zone) { return doubt(zone) }
      feeds[zone] = nil
      feeds.lost[zone] = Revision(.max)
      return [.store(.dropZone(zone, error))] + arriveIfLevel()
    }
    return [.report("The broker stopped a zone's feed: \(error.logText).")]
      + putOff(zone, error, using: &generator) + arriveIfLevel()
  }

  /// Whether to ask the directory about a zone that the broker does not know: the zone belongs to this account, and the
  /// directory was not asked about it on this connection, or has not answered.
  package func mayDoubt(_ zone: ZoneID) -> Bool {
    guard zone.owner == .current, zone != .standard, let reading = feeds[zone] else { return false }
    return !reading.isDoubted || feeds.directory.request != nil
  }

  /// Asks the directory about a zone of this account that the broker does not know. Edits of the zone wait until the
  /// directory shows whether it was deleted or lost.
  package mutating func doubt(_ zone: ZoneID) -> [SyncStep] {
    feeds[zone]?.isDoubted = true
    feeds[zone]?.isLevel = false
    return askForDirectory() + arriveIfLevel()
  }

  /// Follows a zone that this device has created. From now on the broker is known to have it, even if the broker loses
  /// the zone before the directory contains it.
  package mutating func follow(_ zone: ZoneID) -> [SyncStep] {
    guard feeds[zone] == nil, !feeds.abandoned.contains(zone) else { return [] }
    feeds[zone] = FollowedZone(token: nil, incarnation: nil, sweep: .none)
    feeds.toAttach.insert(zone)
    guard conversation.isReady else { return [] }
    return attachAsked() + arriveIfLevel()
  }

  /// Stops following a zone that was deleted on this device. Later messages about it are ignored.
  package mutating func abandon(_ zone: ZoneID) -> [SyncStep] {
    feeds.abandoned.insert(zone)
    feeds.toAttach.remove(zone)
    guard feeds.followed.removeValue(forKey: zone) != nil else { return [] }
    feeds.toDetach.insert(zone)
    return conversation.isReady ? detachAsked() + arriveIfLevel() : []
  }

  /// Follows a zone again, from the start, because the broker rejected its deletion. It asks for the directory again,
  /// because it ignored the zone's entries while the deletion waited.
  package mutating func takeBack(_ zone: ZoneID) -> [SyncStep] {
    feeds.abandoned.remove(zone)
    return follow(zone) + (conversation.isReady ? askForDirectory() : [])
  }
}
