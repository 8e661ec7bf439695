// What the sync machine makes of subscriptions and notifications, one sentence at a time.

import Records
import Testing

@testable import SyncCore

@Suite("K4, B2, I16 subscriptions and notifications of the sync machine")
struct SubscriptionMachineTests {
  private var generator = SeededGenerator(seed: 2)
  private let account = AccountID(7)
  private let device = DeviceID(8)

  private mutating func ready(from position: Int64 = 0) -> (machine: SyncMachine, [SyncStep]) {
    var machine = SyncMachine(
      identity: SyncMachine.Identity(
        container: "contacts", accountName: nil, deviceName: "laptop", key: [], account: nil,
        device: nil),
      lastNumber: .zero, acknowledged: .zero, directory: .zero,
      zones: [.standard: FollowedZone(token: nil, incarnation: nil, sweep: .none)], abandoned: [],
      notifications: NotificationNumber(position), requests: [])
    _ = machine.wake()
    guard case .action(.send(let id, _)) = machine.connected().first else { return (machine, []) }
    let welcome = Welcome(
      version: 1, account: account, accountName: "ada", device: device, lastNumber: .zero,
      directory: .zero, heartbeatSeconds: 30)
    let steps = machine.received(.welcome(welcome), replyTo: id, using: &generator)
    return (machine, steps)
  }

  private func change(_ id: String, _ generation: Int64) throws -> PendingSubscriptionChange {
    PendingSubscriptionChange(id: try SubscriptionID(id), form: nil, generation: generation)
  }

  private func notification(_ number: Int64, behind: Int64) throws -> ChangeNotification {
    ChangeNotification(
      number: NotificationNumber(number), predecessor: NotificationNumber(behind),
      database: .private,
      record: RecordID(
        zone: ZoneID.standard.resolved(for: account), name: RecordName(stored: "r\(number)")),
      type: RecordType(stored: "T"), tag: Revision(number),
      modified: Stamp(
        time: Timestamp(microseconds: 1),
        origin: Origin(account: account, device: DeviceID(9), request: RequestNumber(1))),
      firings: [])
  }

  private func page(_ notifications: ChangeNotification...) -> BrokerMessage {
    .notifications(NotificationPage(notifications: notifications, isLevel: true))
  }

  private func sent(_ steps: [SyncStep]) -> [ClientMessage] {
    steps.compactMap { if case .action(.send(_, let message)) = $0 { message } else { nil } }
  }

  @Test mutating func `welcomed, it asks for what is behind the last that is stored`() {
    let (_, steps) = ready(from: 41)
    #expect(sent(steps) == [.followNotifications(NotificationNumber(41))])
  }

  @Test mutating func `one change at a time is sent for an id, sixteen in all`() throws {
    var (machine, _) = ready()
    let first = try change("a", 1)
    let steps = machine.send([first])
    guard case .action(.send(let id, .deleteSubscription)) = steps.first else {
      Issue.record("\(steps)")
      return
    }
    machine.subscriptionsChanged()
    #expect(machine.send([first, try change("a", 2)]).isEmpty)
    #expect(
      machine.received(.subscriptionDeleted, replyTo: id, using: &generator) == [
        .store(.subscriptionAccepted(first))
      ])
    #expect(machine.looksForSubscriptionChanges)
    #expect(machine.send(try (1...40).map { try change("w\($0)", $0) }).count == 16)
    #expect(!machine.looksForSubscriptionChanges)
  }

  @Test mutating func `“not now” waits, and a refusal is kept`() throws {
    for (code, isKept, isTimed) in [
      (RecordsError.Code.zoneBusy, false, true), (.quotaExceeded, true, false),
      (.incompatibleVersion, true, false), (.internalError, false, true),
    ] {
      var (machine, _) = ready()
      guard case .action(.send(let id, _)) = machine.send([try change("a", 1)]).first else {
        continue
      }
      let error = RecordsError(code, "No.", retryAfterSeconds: 2)
      let steps = machine.received(.error(error), replyTo: id, using: &generator)
      let rejection = StoreStep.subscriptionRejected(try change("a", 1), error)
      #expect(steps.contains(.store(rejection)) == isKept, "\(code)")
      let waits = steps.contains { step in
        if case .action(.wait(.subscriptions, let time)) = step { time >= 2000 } else { false }
      }
      #expect(waits == isTimed, "\(code)")
      #expect(machine.looksForSubscriptionChanges == isKept, "\(code)")
      if isTimed {
        #expect(machine.fired(.subscriptions, using: &generator).contains(.store(.sendMore)))
        #expect(machine.looksForSubscriptionChanges)
      }
    }
  }

  @Test mutating func `unanswered changes are sent again on the next connection`() throws {
    var (machine, _) = ready()
    _ = machine.send([try change("a", 1)])
    _ = machine.disconnected(using: &generator)
    #expect(!machine.looksForSubscriptionChanges)
    _ = machine.wake()
    guard case .action(.send(let id, _)) = machine.connected().first else { return }
    let welcome = Welcome(
      version: 1, account: account, accountName: "ada", device: device, lastNumber: .zero,
      directory: .zero, heartbeatSeconds: 30)
    _ = machine.received(.welcome(welcome), replyTo: id, using: &generator)
    #expect(machine.send([try change("a", 1)]).count == 1)
  }

  @Test mutating func `a page that joins on is kept, with its zone as the device calls it`() throws
  {
    var (machine, _) = ready()
    let steps = machine.received(
      page(try notification(3, behind: 0), try notification(7, behind: 3)), replyTo: 0,
      using: &generator)
    guard case .store(.storeNotifications(let kept)) = steps.first else {
      Issue.record("\(steps)")
      return
    }
    #expect(kept.notifications.map(\.record.zone) == [.standard, .standard])
  }

  @Test mutating func `a gap is asked for again, once; what the broker has lost is said`() throws {
    var (machine, _) = ready(from: 3)
    let gap = machine.received(page(try notification(9, behind: 5)), replyTo: 0, using: &generator)
    #expect(sent(gap) == [.followNotifications(NotificationNumber(3))])
    // What was under way already.
    let late = machine.received(
      page(try notification(10, behind: 9)), replyTo: 0, using: &generator)
    #expect(late.isEmpty)
    let again = machine.received(
      page(try notification(9, behind: 5)), replyTo: 0, using: &generator)
    #expect(again.contains { if case .action(.report) = $0 { true } else { false } })
    #expect(again.contains { if case .store(.storeNotifications) = $0 { true } else { false } })
  }

  @Test mutating func `a fold covers what it replaces`() throws {
    var (machine, _) = ready()
    let fold = CollapsedNotifications(
      subscription: try SubscriptionID("s"), zones: [], first: NotificationNumber(1),
      last: NotificationNumber(8), count: 5)
    let message = BrokerMessage.notifications(
      NotificationPage(
        notifications: [try notification(9, behind: 8)], collapsed: [fold], isLevel: true))
    let steps = machine.received(message, replyTo: 0, using: &generator)
    #expect(steps.count == 1)
  }

  @Test mutating func `acknowledged is what is stored, a moment later or when there is much`() {
    var (machine, _) = ready()
    let first = machine.keptNotifications(through: NotificationNumber(1), count: 1)
    #expect(sent(first).isEmpty)
    #expect(first.contains(.wait(.acknowledgement, milliseconds: 500)))
    #expect(machine.keptNotifications(through: NotificationNumber(2), count: 1).isEmpty)
    let fired = machine.fired(.acknowledgement, using: &generator)
    #expect(sent(fired) == [.acknowledgeNotifications(NotificationNumber(2))])
    let many = machine.keptNotifications(through: NotificationNumber(99), count: 97)
    #expect(sent(many) == [.acknowledgeNotifications(NotificationNumber(99))])
  }

  @Test mutating func `those that wait for their records are let go after a while`() {
    var (machine, _) = ready()
    let steps = machine.keptNotifications(through: NotificationNumber(1), count: 1)
    #expect(steps.contains(.wait(.release, milliseconds: 5_000)))
    #expect(machine.holdsNotifications)
    #expect(machine.fired(.release, using: &generator) == [.store(.releaseNotifications)])
    machine.releasedNotifications(isAll: true)
    #expect(machine.fired(.release, using: &generator).isEmpty)
  }
}
