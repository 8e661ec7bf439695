// When a command of a subscription is to run, and for what: only here, only for the words it was made
// with, in order, and again after a crash that kept it from coming to its end.

import Contacts
import DeviceRoom
import Records
import TestTiers
import Testing

@testable import DeviceStore

@Suite("Hooks of a device")
struct HookTests {
  private let room = Room()
  private let ann: Fields = ["firstName": .string("Ann")]

  @Test func `each notification is run for in order, and after a restart goes on where it was`()
    throws
  {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try phone.subscribe(SubscriptionTests.form("s"), command: "cat")
    #expect(try phone.reader.subscriptions().map(\.command) == ["cat"])
    #expect(try laptop.reader.subscriptions().map(\.command) == [nil])
    for number in 1...3 { try laptop.save("c\(number)", ann) }
    let first = try #require(try phone.reader.hookRuns().first)
    #expect(first.command == "cat" && first.notification.sequence == 1)
    try phone.replica.hookRan(first)
    try phone.restart()
    #expect(try phone.reader.hookRuns().map(\.notification.sequence) == [2])
    #expect(try laptop.reader.hookRuns().isEmpty)
    for _ in 2...3 {
      let next = try #require(try phone.reader.hookRuns().first)
      try phone.replica.hookRan(next)
    }
    #expect(try phone.reader.hookRuns().isEmpty)
  }

  @Test func `what came before the command was set is not run for`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try phone.subscribe(SubscriptionTests.form("s"))
    try laptop.save("a", ann)
    try phone.subscribe(SubscriptionTests.form("s"), command: "cat")
    #expect(try phone.reader.hookRuns().isEmpty)
    try laptop.save("b", ann)
    #expect(try phone.reader.hookRuns().count == 1)
  }

  @Test func `what another device saves under the same id runs nothing here`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try phone.subscribe(SubscriptionTests.form("s"), command: "cat")
    try laptop.subscribe(SubscriptionTests.form("s", "age > 1"))
    #expect(try phone.reader.subscriptions().map(\.command) == [nil])
    try laptop.save("a", ann)
    #expect(try phone.reader.notifications(after: 0, limit: 9).notifications.count == 1)
    #expect(try phone.reader.hookRuns().isEmpty)
  }

  @Test func `a subscription that is over still runs for what it told`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try phone.subscribe(SubscriptionTests.form("s", once: true), command: "cat")
    try phone.goOffline()
    try laptop.save("a", ann)
    try phone.goOnline()
    #expect(try phone.reader.subscriptions().isEmpty)
    #expect(try phone.reader.hookRuns().map(\.command) == ["cat"])
    try laptop.subscribe(SubscriptionTests.form("s", "age > 1"))
    #expect(try phone.reader.hookRuns().isEmpty)
  }

  @Test(.onlyInCheck)
  func `what is no longer kept before its command came to it is run for once, by number`()
    throws
  {
    let phone = try TestDevice(room, "phone")
    try phone.subscribe(SubscriptionTests.form("s"), command: "cat")
    try phone.subscribe(SubscriptionTests.form("t"), command: "cat")
    let page = try Self.page(count: DeviceLimits.notifications + 3, of: "s")
    try phone.perform(
      phone.replica.received(.notifications(page), replyTo: nil, now: Room.now))
    let runs = try phone.reader.hookRuns()
    #expect(runs.map(\.notification.subject) == [.fold(count: 3)])
    let run = try #require(runs.first)
    #expect(run.subscription.text == "s" && run.notification.sequence == 3)
    try phone.restart()
    #expect(try phone.reader.hookRuns() == runs, "it did not come to its end")
    try phone.replica.hookRan(run)
    #expect(try phone.reader.hookRuns().map(\.notification.sequence) == [4])
  }

  @Test func `a command outlives its subscription until it has run, and no longer`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try phone.subscribe(SubscriptionTests.form("s", once: true), command: "cat")
    try laptop.save("a", ann)
    try phone.restart(at: Room.now.adding(seconds: 3 * 86_400))
    let run = try #require(try phone.reader.hookRuns().first)
    try phone.replica.hookRan(run)
    try phone.restart(at: Room.now.adding(seconds: 3 * 86_400))
    #expect(try !phone.holds("cat").contains("hook"))
  }

  /// Returns a page of `count` notifications that do not wait for their records.
  private static func page(count: Int64, of subscription: String) throws -> NotificationPage {
    let origin = Origin(account: AccountID(1), device: DeviceID(55), request: RequestNumber(1))
    let firing = Firing(
      subscription: try SubscriptionID(subscription), reason: .created,
      content: NotificationForm(), fields: .empty, isPruned: false)
    return NotificationPage(
      notifications: (1...count).map { number in
        ChangeNotification(
          number: NotificationNumber(number), predecessor: NotificationNumber(number - 1),
          database: .public,
          record: RecordID(
            zone: ZoneID(owner: AccountID(3), name: ZoneName(4)), name: RecordName(stored: "r")),
          type: ContactRecord.type, tag: Revision(number),
          modified: Stamp(time: Room.now, origin: origin), firings: [firing])
      }, isLevel: true)
  }

  @Test func `unsubscribing ends it at once, and an odd command is refused`() throws {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try phone.subscribe(SubscriptionTests.form("s"), command: "cat")
    try laptop.save("a", ann)
    try phone.unsubscribe("s")
    #expect(try phone.reader.hookRuns().isEmpty)
    for command in ["", "a\0b", String(repeating: "x", count: 20_000)] {
      #expect(throws: RecordsError.self) {
        try phone.subscribe(SubscriptionTests.form("t"), command: command)
      }
    }
    #expect(try phone.reader.subscriptions().isEmpty)
  }
}
