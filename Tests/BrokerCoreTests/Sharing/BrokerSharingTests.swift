// What the machine does around an order: who is cut off and when, what is filled in, what is slowed
// down, and what the journal gets.

import BrokerCore
import Records
import Testing

@Suite("I11, Z4 losing access")
struct BrokerSharingTests {
  private let connection = ConnectionID(1)
  private let order = ShareOrder.accept(ShareSecret(0xFEED))

  /// Opens ada's connection, level with a zone of bob's.
  private func member() -> (SmallBroker, StoredZone) {
    var small = SmallBroker()
    let shared = zone(owner: bob)
    let token = ChangeToken(incarnation: shared.incarnation, revision: .zero, scanStart: .zero)
    small.open(connection, zone: shared, token: token)
    return (small, shared)
  }

  private func result(
    _ answer: Result<ShareAnswer, RecordsError>, losses: [AccessLoss] = [],
    showedLink: Bool = false
  ) -> StorageResult {
    var effects = CommitEffects()
    effects.losses = losses
    return .shared(
      ConnectionID(9), replyTo: 1, identity, showedLink: showedLink,
      ShareOutcome(answer, zone: nil, effects: effects))
  }

  @Test func `who lost access gets nothing more of the zone, whatever stands around the loss`() {
    var (small, shared) = member()
    shared.head = Revision(1)
    let loss = AccessLoss(container: 1, account: 10, zone: shared.id)
    func write(_ tag: Int64) -> StorageResult {
      let commit = ZoneCommit(
        container: 1, zone: shared, from: Revision(tag - 1), changes: [change("a", tag: tag)])
      return .modified(
        ConnectionID(8), replyTo: 1, ModifyOutcome(number: number(1), groups: []),
        CommitEffects(zones: [commit]), byteCount: 0)
    }
    let actions = small.broker.handle(
      .stored([write(1), result(.success(.done), losses: [loss]), write(2)]))
    #expect(small.publications(in: actions).isEmpty)
    let resets = small.messages(in: actions).compactMap { message -> RecordsError? in
      guard case .reset(let id, let error) = message, id == shared.id else { return nil }
      return error
    }
    #expect(resets.map(\.code) == [.permissionFailure])
    #expect(small.publications(in: small.broker.handle(.stored([write(3)]))).isEmpty)
  }

  @Test func `somebody else's loss is nobody else's`() {
    var (small, shared) = member()
    let other = AccessLoss(container: 1, account: 99, zone: shared.id)
    let actions = small.broker.handle(.stored([result(.success(.done), losses: [other])]))
    #expect(small.messages(in: actions).isEmpty)
  }

  @Test func `a page that was on its way when access ended is not sent`() {
    var small = SmallBroker()
    let shared = zone(owner: bob, head: 9)
    guard case .page(_, let request)? = small.reads(in: small.open(connection, zone: shared)).first
    else {
      Issue.record("a page should be read")
      return
    }
    #expect(request.reader == identity)
    let loss = AccessLoss(container: 1, account: 10, zone: shared.id)
    _ = small.broker.handle(.stored([result(.success(.done), losses: [loss])]))
    let page = ReadResult.page(connection, request, frame: [1], to: Revision(9))
    #expect(small.pieces(in: small.broker.handle(.read(page))) == 0)
  }

  @Test func `a directory that says a zone is gone for a member leaves the owner's feed`() {
    var small = SmallBroker()
    small.openLevel(connection)
    let gone = DirectoryEntry(
      revision: Revision(1), zone: zone().id, title: "", role: .member, isWritable: false,
      incarnation: Incarnation(7), isDeleted: true)
    let commit = DirectoryCommit(
      container: 1, account: 77,
      page: DirectoryPage(from: .zero, to: Revision(1), entries: [gone]))
    let effects = CommitEffects(directories: [commit])
    _ = small.broker.handle(
      .stored([.answered(connection, replyTo: 1, .pong, effects, byteCount: 0)]))
    let actions = small.commit([change("a", tag: 1)], from: 0, by: connection)
    #expect(small.publications(in: actions).map(\.connections) == [[connection]])
  }

  @Test func `a share says who has the newest change`() {
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
        .shared(
          connection, replyTo: 1, identity, showedLink: false,
          ShareOutcome(.success(.share(share)), zone: shared.id))
      ]))
    guard case .shared(.share(let told))? = small.messages(in: actions).first else {
      Issue.record("no share in \(actions)")
      return
    }
    #expect(told.participants.map(\.isLevel) == [true, nil])
  }

  // MARK: Guessing

  @Test func `links that lead nowhere are slowed down, real ones are not`() {
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
      _ = small.broker.handle(.stored([result(answer, showedLink: true)]))
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

  @Test func `the journal gets who, where and why, and no secret`() {
    var (small, shared) = member()
    let error = RecordsError(.permissionFailure, "No.", reason: "notInvited")
    let actions = small.broker.handle(
      .stored([
        .shared(
          connection, replyTo: 1, identity, showedLink: true,
          ShareOutcome(.failure(error), zone: shared.id))
      ]))
    let refusals = actions.compactMap { action -> Refusal? in
      if case .logRefusal(let refusal) = action { refusal } else { nil }
    }
    #expect(refusals == [Refusal(uid: 0, account: ada, zone: shared.id, error: error)])
    #expect(!"\(order)".contains("FEED") && !"\(order)".contains("65261"))
  }
}
