// What the state machine does around share requests: when it cuts off a feed, what it adds to a share, how it
// limits attempts, and what it logs.

import BrokerCore
import Records
import Testing

@Suite("I11, Z4 loss of access")
struct BrokerSharingTests {
  private let connection = ConnectionID(1)
  private let order = SharingRequest.accept(ShareSecret(0xFEED))

  /// Opens ada's connection, live in a zone of bob's.
  private func member() -> (SmallBroker, StoredZone) {
    var small = SmallBroker()
    let shared = zone(owner: bob)
    let token = ChangeToken(incarnation: shared.incarnation, revision: .zero, scanStart: .zero)
    small.open(connection, zone: shared, token: token)
    return (small, shared)
  }

  private func result(
    _ answer: Result<ShareAnswer, RecordsError>, losses: [AccessLoss] = [],
    wasTry: Bool = false
  ) -> StorageResult {
    var effects = CommitEffects()
    effects.losses = losses
    let outcome = ShareOutcome(answer, zone: nil, effects: effects)
    return client(.shared(outcome, isLinkAttempt: wasTry), ConnectionID(9))
  }

  @Test func `an account that lost access receives no commit of the batch that contains the loss`()
  {
    var (small, shared) = member()
    shared.head = Revision(1)
    let loss = AccessLoss(container: 1, account: 10, zone: shared.id)
    func write(_ tag: Int64) -> StorageResult {
      let commit = ZoneCommit(
        container: 1, zone: shared, from: Revision(tag - 1), changes: [change("a", tag: tag)])
      let outcome = ModifyOutcome(number: number(1), groups: [])
      return client(.modified(outcome, CommitEffects(zones: [commit])), ConnectionID(8))
    }
    let actions = small.broker.handle(
      .stored([write(1), result(.success(.done), losses: [loss]), write(2)]))
    #expect(small.publications(in: actions).isEmpty)
    let resets = small.messages(in: actions).compactMap { message -> RecordsError? in
      guard case .reset(let id, let error) = message, id == shared.id else { return nil }
      return error
    }
    #expect(resets.map(\.code) == [.permissionFailure])
    #expect(resets.map(\.reason) == ["accessLost"])
    #expect(small.publications(in: small.broker.handle(.stored([write(3)]))).isEmpty)
  }

  @Test func `the devices of an account that left a zone learn that it left`() {
    var (small, shared) = member()
    let loss = AccessLoss(container: 1, account: 10, zone: shared.id, isDeparture: true)
    let actions = small.broker.handle(.stored([result(.success(.done), losses: [loss])]))
    let reasons = small.messages(in: actions).compactMap { message -> String? in
      guard case .reset(_, let error) = message else { return nil }
      return error.reason
    }
    #expect(reasons == ["left"])
  }

  @Test func `a read that was in progress when access ended is repeated before its result is sent`()
    throws
  {
    var (small, shared) = member()
    let digest = try #require(AssetDigest(bytes: Array(repeating: 1, count: 32)))
    let id = RecordID(zone: shared.id, name: RecordName(stored: "a"))
    func read(in actions: [BrokerAction]) -> Int { small.reads(in: actions).count }
    let fetch = small.broker.handle(
      .received(connection, number: 5, .fetch([id]), byteCount: 1))
    let form = QueryForm(
      database: .shared, zone: shared.id, type: RecordType(stored: "Contact"),
      predicate: PredicateText("TRUEPREDICATE"))
    let query = small.broker.handle(
      .received(connection, number: 6, .query(form), byteCount: 1))
    let chunk = AssetFetch(
      zone: shared.id, digest: digest, offset: 0, byteCount: 10)
    _ = small.broker.handle(
      .received(connection, number: 7, .fetchAsset(chunk), byteCount: 1))
    #expect(read(in: fetch) == 1 && read(in: query) == 1)
    let loss = AccessLoss(container: 1, account: 10, zone: shared.id)
    _ = small.broker.handle(.stored([result(.success(.done), losses: [loss])]))
    let fetched = context(connection, replyTo: 5)
    let old = small.broker.handle(
      .read(.client(.fetched([change("a", tag: 1)]), .fetch([id]), fetched)))
    #expect(small.messages(in: old).isEmpty && read(in: old) == 1)
    let found = BrokerMessage.found(FoundPage(records: [], cursor: nil))
    guard case .client(let operation, let queried)? = small.reads(in: query).first else { return }
    let oldQuery = small.broker.handle(.read(.client(found, operation, queried)))
    #expect(small.messages(in: oldQuery).isEmpty && read(in: oldQuery) == 1)
    let content = AssetPiece(digest: digest, offset: 0, content: [1])
    let oldChunk = small.broker.handle(
      .assetDone(.read(content, chunk, context(connection, replyTo: 7))))
    #expect(small.messages(in: oldChunk).isEmpty)
    #expect(oldChunk.count { if case .asset(.read) = $0 { true } else { false } } == 1)
    let new = small.broker.handle(.read(.client(.fetched([nil]), .fetch([id]), fetched)))
    #expect(small.messages(in: new).map(small.name) == ["fetched"])
    let newQuery = small.broker.handle(.read(.client(found, operation, queried)))
    #expect(small.messages(in: newQuery).map(small.name) == ["found"])
    let refused = RecordsError(.assetNotAvailable, "No.")
    let newChunk = small.broker.handle(
      .assetDone(.unreadable(refused, chunk, context(connection, replyTo: 7))))
    #expect(small.messages(in: newChunk).map(small.name) == ["error"])
  }

  @Test func `notifications that were being read when access ended are read again`() {
    var (small, shared) = member()
    _ = small.say(.followNotifications(.none), from: connection)
    let start = NotificationStart(receiver: 1, position: .none, predecessor: .none)
    let first = small.reads(
      in: small.broker.handle(.stored([client(.following(start), connection)])))
    guard case .notifications(let page, _)? = first.first else {
      Issue.record("no page is read")
      return
    }
    let loss = AccessLoss(container: 1, account: 10, zone: shared.id)
    _ = small.broker.handle(.stored([result(.success(.done), losses: [loss])]))
    let notification = ChangeNotification(
      number: NotificationNumber(5), predecessor: .none, database: .shared,
      record: RecordID(zone: shared.id, name: RecordName(stored: "a")),
      type: RecordType(stored: "Contact"), tag: Revision(1), modified: stamp(), firings: [])
    let batch = NotificationBatch(
      notifications: [notification], collapsed: [], through: NotificationNumber(5), end: .caughtUp)
    let actions = small.broker.handle(.read(.notifications(batch, page, connection)))
    #expect(small.messages(in: actions).isEmpty)
    #expect(small.reads(in: actions).count == 1)
  }

  @Test func `an account's loss of access does not affect other accounts`() {
    var (small, shared) = member()
    let other = AccessLoss(container: 1, account: 99, zone: shared.id)
    let actions = small.broker.handle(.stored([result(.success(.done), losses: [other])]))
    #expect(small.messages(in: actions).isEmpty)
  }

  @Test func `a feed page that was being read when access ended is not sent`() {
    var small = SmallBroker()
    let shared = zone(owner: bob, head: 9)
    guard case .page(let request, _)? = small.reads(in: small.open(connection, zone: shared)).first
    else {
      Issue.record("a page should be read")
      return
    }
    #expect(request.reader == identity)
    let loss = AccessLoss(container: 1, account: 10, zone: shared.id)
    _ = small.broker.handle(.stored([result(.success(.done), losses: [loss])]))
    let page = ReadResult.page(
      .success(EncodedPage(frame: [1], to: Revision(9))), request, connection)
    #expect(small.segments(in: small.broker.handle(.read(page))) == 0)
  }

  @Test(arguments: [Int64(4), 5])
  func
    `H3 a device whose account has joined again since its position reads the zone from its start`(
      position: Int64
    )
  {
    var small = SmallBroker()
    let shared = zone(owner: bob, head: 9)
    let token = ChangeToken(
      incarnation: shared.incarnation, revision: Revision(position), scanStart: Revision(position))
    let actions = small.open(connection, zone: shared, token: token, joined: Revision(5))
    let resets = small.messages(in: actions).compactMap {
      if case .reset(let zone, let error) = $0 { (zone, error.reason) } else { nil }
    }
    #expect(resets.map(\.1) == (position < 5 ? ["expired"] : []))
  }

  @Test func `a refused page of an earlier attachment does not end the current one`() {
    var small = SmallBroker()
    let shared = zone(owner: bob, head: 9)
    guard case .page(let request, _)? = small.reads(in: small.open(connection, zone: shared)).first
    else {
      Issue.record("a page should be read")
      return
    }
    let loss = AccessLoss(container: 1, account: 10, zone: shared.id)
    let again = AttachedZone(position: ZonePosition(zone: shared.id, token: nil), stored: shared)
    _ = small.say(.attach([again.position]), from: connection)
    let actions = small.broker.handle(
      .stored([
        result(.success(.done), losses: [loss]), client(.attached(.success([again])), connection),
      ]))
    #expect(small.messages(in: actions).map(small.name) == ["reset"])
    let error = RecordsError(.permissionFailure, "It is no longer shared with this account.")
    let late = small.broker.handle(.read(.page(.failure(error), request, connection)))
    #expect(small.messages(in: late).isEmpty)
    #expect(small.reads(in: late).count == 1)
  }

  @Test func `a directory entry that removes a zone from a member leaves the owner's feed`() {
    var small = SmallBroker()
    small.openLive(connection)
    let gone = DirectoryEntry(
      revision: Revision(1), zone: zone().id, title: "", role: .member, isWritable: false,
      incarnation: Incarnation(7), isDeleted: true)
    let commit = DirectoryCommit(
      container: 1, account: 77,
      page: DirectoryPage(from: .zero, to: Revision(1), entries: [gone]))
    let effects = CommitEffects(directories: [commit])
    _ = small.broker.handle(
      .stored([client(.answered(.pong, effects), connection)]))
    let actions = small.commit([change("a", tag: 1)], from: 0, by: connection)
    #expect(small.publications(in: actions).map(\.connections) == [[connection]])
  }

  @Test func `a share says which participants are up to date`() {
    var (small, shared) = member()
    func participant(_ account: AccountID) -> Participant {
      Participant(
        account: account, name: "", role: .member, permission: .readOnly, status: .accepted)
    }
    let share = Share(
      zone: shared.id, title: "", publicPermission: .none, link: nil,
      participants: [participant(ada), participant(AccountID(77))])
    let actions = small.broker.handle(
      .stored([
        client(
          .shared(
            ShareOutcome(.success(.share(share)), zone: shared.id), isLinkAttempt: false),
          connection)
      ]))
    guard case .shared(.share(let received))? = small.messages(in: actions).first else {
      Issue.record("no share in \(actions)")
      return
    }
    #expect(received.participants.map(\.isLevel) == [true, nil])
  }

  // MARK: Link attempts

  @Test func `attempts with unknown links are limited, valid links are not`() {
    var (small, _) = member()
    let unknown = RecordsError(.invalidArguments, "No.", reason: "unknownLink")
    func ask() -> (stored: Int, refusal: RecordsError?) {
      let actions = small.say(.share(order), from: connection)
      var refusal: RecordsError?
      for case .error(let error) in small.messages(in: actions) { refusal = error }
      let stored = actions.count { if case .store = $0 { true } else { false } }
      return (stored, refusal)
    }
    func answer(_ answer: Result<ShareAnswer, RecordsError>) {
      _ = small.broker.handle(.stored([result(answer, wasTry: true)]))
    }
    for _ in 0..<50 {
      #expect(ask().stored == 1)
      answer(.success(.done))
    }
    for _ in 0..<10 {
      #expect(ask().stored == 1)
      answer(.failure(unknown))
    }
    let refused = ask()
    #expect(refused.stored == 0)
    #expect(refused.refusal?.code == .requestRateLimited)
    #expect(refused.refusal?.retryAfterSeconds == 10)
    _ = small.broker.handle(.ticked(seconds: 10))
    #expect(ask().stored == 1)
    #expect(ask().stored == 0)
  }

  @Test func `creating a link that exists already counts as an attempt`() {
    var (small, shared) = member()
    let known = RecordsError(.invalidArguments, "Made before.", reason: "knownLink")
    let form = LinkForm(digest: Array(repeating: 3, count: 32))
    func stored(_ order: SharingRequest) -> Int {
      small.say(.share(order), from: connection).count {
        if case .store = $0 { true } else { false }
      }
    }
    func answer(_ answer: Result<ShareAnswer, RecordsError>) {
      _ = small.broker.handle(.stored([result(answer, wasTry: true)]))
    }
    for _ in 0..<20 {
      #expect(stored(.renewLink(shared.id, form)) == 1)
      answer(.success(.done))
    }
    for _ in 0..<10 {
      #expect(stored(.create(shared.id, ShareForm(publicPermission: .none, link: form))) == 1)
      answer(.failure(known))
    }
    #expect(stored(.renewLink(shared.id, form)) == 0)
    #expect(stored(.fetch(shared.id)) == 1, "it creates no link")
  }

  @Test func `the log names the account, zone and reason, and no secret`() {
    var (small, shared) = member()
    let error = RecordsError(.permissionFailure, "No.", reason: "notInvited")
    let actions = small.broker.handle(
      .stored([
        client(
          .shared(ShareOutcome(.failure(error), zone: shared.id), isLinkAttempt: true), connection)
      ]))
    let refusals = actions.compactMap { action -> Refusal? in
      if case .logRefusal(let refusal) = action { refusal } else { nil }
    }
    #expect(refusals == [Refusal(peer: .localUser(0), account: ada, zone: shared.id, error: error)])
    #expect(!"\(order)".contains("FEED") && !"\(order)".contains("65261"))
  }
}
