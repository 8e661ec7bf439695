// Notifications in the broker's state machine: events in, actions out.

import BrokerCore
import Records
import Testing

@Suite("B1, B2, I18 notifications in the state machine")
struct BrokerNotificationTests {
  private let one = ConnectionID(1)
  private let two = ConnectionID(2)
  private var world = SmallBroker()

  init() {
    world.open(one)
    world.open(two)
  }

  private mutating func follow(_ connection: ConnectionID, receiver: StoreKey) -> [ReadRequest] {
    _ = world.say(.followNotifications(.none), from: connection)
    let start = NotificationStart(receiver: receiver, position: .none, predecessor: .none)
    return world.reads(in: world.broker.handle(.stored([client(.following(start), connection)])))
  }

  /// Answers a read with no notifications and the end of the list.
  private mutating func answer(_ read: ReadRequest, through: Int64) -> [BrokerAction] {
    guard case .notifications(let page, let connection) = read else { return [] }
    let batch = NotificationBatch(
      notifications: [], collapsed: [], through: NotificationNumber(through), end: .caughtUp)
    return world.broker.handle(.read(.notifications(batch, page, connection)))
  }

  /// Answers a read with notifications of these numbers; more follow.
  private mutating func answer(_ read: ReadRequest, _ numbers: ClosedRange<Int>) -> [BrokerAction] {
    guard case .notifications(let page, let connection) = read else { return [] }
    let batch = NotificationBatch(
      notifications: numbers.map { notification(Int64($0)) }, collapsed: [],
      through: NotificationNumber(Int64(numbers.upperBound)), end: .more)
    return world.broker.handle(.read(.notifications(batch, page, connection)))
  }

  private func notification(_ number: Int64) -> ChangeNotification {
    ChangeNotification(
      number: NotificationNumber(number), predecessor: .none, database: .private,
      record: RecordID(zone: .standard, name: RecordName(stored: "a")),
      type: RecordType(stored: "Contact"), tag: Revision(1), modified: stamp(), firings: [])
  }

  private mutating func commit(_ number: Int64, to receivers: [StoreKey]) -> [BrokerAction] {
    let effects = CommitEffects(notified: [
      NotificationCommit(number: NotificationNumber(number), receivers: receivers)
    ])
    let outcome = ModifyOutcome(number: RequestNumber(1), groups: [])
    return world.broker.handle(.stored([client(.modified(outcome, effects), one)]))
  }

  private func cleanups(in actions: [BrokerAction]) -> [NotificationCleanup] {
    actions.compactMap {
      if case .store(.maintain(.notifications(let cleanup))) = $0 { cleanup } else { nil }
    }
  }

  @Test mutating func `an invalid predicate is refused at once, with field and column`() {
    let form = SubscriptionForm(
      id: SubscriptionID(stored: "s"),
      kind: .query(
        type: RecordType(stored: "Contact"), predicate: PredicateText("a === 1"), zone: nil))
    let actions = world.say(.saveSubscription(form), from: one)
    guard case .error(let error)? = world.messages(in: actions).first else {
      Issue.record("\(actions)")
      return
    }
    #expect(error.field == "predicate" && error.column == 5 && actions.count == 1)
  }

  @Test mutating func `the broker reads for the notified receivers only, one page at a time`() {
    let first = follow(one, receiver: 1)
    let second = follow(two, receiver: 2)
    #expect(first.count == 1 && second.count == 1)
    let level = answer(first[0], through: 0) + answer(second[0], through: 0)
    #expect(world.messages(in: level).map(world.name) == ["notifications", "notifications"])
    let reads = world.reads(in: commit(1, to: [2]))
    #expect(reads.count == 1)
    #expect(world.reads(in: commit(2, to: [2])).isEmpty, "a page is being read")
    #expect(world.reads(in: answer(reads[0], through: 1)).count == 1, "the next page")
  }

  @Test mutating func `the broker reads nothing for a socket that is not writable`() {
    let read = follow(one, receiver: 1)
    _ = answer(read[0], through: 0)
    _ = world.broker.handle(.writabilityChanged(one, isWritable: false))
    #expect(world.reads(in: commit(1, to: [1])).isEmpty)
    let reads = world.reads(in: world.broker.handle(.writabilityChanged(one, isWritable: true)))
    #expect(reads.count == 1)
  }

  @Test mutating func `a page of an earlier subscription to notifications is not sent`() {
    let old = follow(one, receiver: 1)
    _ = world.say(.followNotifications(NotificationNumber(7)), from: one)
    let start = NotificationStart(
      receiver: 1, position: NotificationNumber(7), predecessor: NotificationNumber(7))
    let new = world.reads(in: world.broker.handle(.stored([client(.following(start), one)])))
    #expect(world.messages(in: answer(old[0], through: 9)).isEmpty)
    #expect(world.messages(in: answer(new[0], through: 9)).count == 1)
  }

  @Test mutating func `acknowledgements are written once a second, together with the cleanup`() {
    let start = cleanups(in: world.broker.handle(.ticked(seconds: 1)))
    #expect(start.map(\.through) == [nil], "the rows of an earlier run")
    _ = world.broker.handle(.stored([done(.notifications)]))
    #expect(cleanups(in: world.broker.handle(.ticked(seconds: 2))).isEmpty, "nothing happened")
    let read = follow(one, receiver: 1)
    _ = answer(read[0], through: 0)
    let next = world.reads(in: commit(5, to: [1]))
    guard case .notifications(let page, _)? = next.first else { return }
    _ = world.broker.handle(
      .read(
        .notifications(
          NotificationBatch(
            notifications: [notification(5)], collapsed: [], through: NotificationNumber(5),
            end: .caughtUp),
          page, one)))
    _ = world.say(.acknowledgeNotifications(NotificationNumber(5)), from: one)
    let cleanup = cleanups(in: world.broker.handle(.ticked(seconds: 3)))
    #expect(cleanup.map(\.acknowledged) == [[1: NotificationNumber(5)]])
    #expect(cleanup.map(\.through) == [NotificationNumber.none], "younger than a second")
    #expect(cleanups(in: world.broker.handle(.ticked(seconds: 4))).isEmpty, "one at a time")
    _ = world.broker.handle(.stored([failed(.notifications)]))
    let again = cleanups(in: world.broker.handle(.ticked(seconds: 5)))
    #expect(
      again.map(\.acknowledged) == [[1: NotificationNumber(5)]], "the failed step is repeated")
    #expect(again.map(\.through) == [NotificationNumber(5)])
  }

  @Test mutating func `an acknowledgement before the first page counts`() {
    _ = world.say(.followNotifications(.none), from: one)
    _ = world.say(.acknowledgeNotifications(NotificationNumber(300)), from: one)
    let start = NotificationStart(receiver: 1, position: .none, predecessor: .none)
    var reads = world.reads(in: world.broker.handle(.stored([client(.following(start), one)])))
    var sent = 0
    while let read = reads.popLast(), sent < 600 {
      let numbers = (sent + 1)...(sent + BrokerLimits.notificationsPerPage)
      sent = numbers.upperBound
      reads = world.reads(in: answer(read, numbers))
    }
    #expect(sent == 576, "300 acknowledged, and the maximum without acknowledgement")
  }

  @Test mutating func `a closed connection leaves no state`() {
    let read = follow(one, receiver: 1)
    _ = world.broker.handle(.closed(one))
    #expect(answer(read[0], through: 0).isEmpty)
    #expect(world.reads(in: commit(1, to: [1])).isEmpty)
  }

  @Test mutating func `concurrent queries are limited, an invalid one is refused with its column`()
  {
    let form = QueryForm(
      type: RecordType(stored: "Contact"), predicate: PredicateText("a == 1"))
    var first: ReadRequest?
    for number in 1...UInt64(Limits.queriesInFlight) {
      let reads = world.reads(in: world.say(.query(form), from: one, number: number))
      #expect(reads.count == 1)
      first = first ?? reads.first
    }
    let refused = world.messages(in: world.say(.query(form), from: one, number: 100))
    #expect(refused.first.map(world.name) == "error")
    guard case .client(let query, let context)? = first else {
      Issue.record("No query was read.")
      return
    }
    _ = world.broker.handle(
      .read(.client(.found(FoundPage(records: [], cursor: nil)), query, context)))
    #expect(world.reads(in: world.say(.query(form), from: one)).count == 1)
    let wrong = QueryForm(type: form.type, predicate: PredicateText("a == "))
    guard case .error(let error)? = world.messages(in: world.say(.query(wrong), from: two)).first
    else {
      Issue.record("It was not refused.")
      return
    }
    #expect(error.field == "predicate" && error.column != nil)
  }
}
