// Subscriptions as one device saves them and another learns of them, with a broker and without.

import Contacts
import DeviceRoom
import Records
import SyncCore
import Testing

@testable import AgentStore
@testable import DeviceStore

@Suite("K4, B1, I16 subscriptions of a device")
struct SubscriptionTests {
  private let room = Room()

  static func form(
    _ id: String, _ predicate: String = "TRUEPREDICATE", title: String? = "news",
    options: FiringOptions = [.creation, .update, .deletion], once: Bool = false,
    echo: Bool = false
  ) throws -> SubscriptionForm {
    var notification = NotificationForm()
    notification.title = title
    notification.raisesBadge = true
    return SubscriptionForm(
      id: try SubscriptionID(id),
      kind: .query(type: ContactRecord.type, predicate: PredicateText(predicate), zone: nil),
      options: options, firesOnce: once, includesOwnChanges: echo, notification: notification)
  }

  @Test func `one saved without a broker is listed at once and known everywhere later`() throws {
    let laptop = try TestDevice(room, "laptop", isOnline: false)
    let phone = try TestDevice(room, "phone")
    try laptop.subscribe(Self.form("s"))
    #expect(try laptop.reader.subscriptions().map(\.state) == [.saving])
    #expect(try laptop.reader.status().waitingEdits == 1)
    try laptop.restart()
    #expect(try laptop.reader.subscriptions().map(\.state) == [.saving])
    try laptop.goOnline()
    #expect(try laptop.reader.subscriptions().map(\.state) == [.saved])
    #expect(try laptop.reader.status().waitingEdits == 0)
    #expect(try phone.reader.subscriptions().map(\.form) == [try Self.form("s")])
  }

  @Test func `saving again replaces; the last word holds, however fast they come`() throws {
    let laptop = try TestDevice(room, "laptop", isOnline: false)
    for number in 1...40 { try laptop.subscribe(Self.form("s\(number % 20)", "age == \(number)")) }
    try laptop.goOnline()
    let phone = try TestDevice(room, "phone")
    let shown = try phone.reader.subscriptions()
    #expect(shown.count == 20)
    #expect(shown.contains { $0.form == (try? Self.form("s7", "age == 27")) })
    #expect(try shown.map(\.form) == laptop.reader.subscriptions().map(\.form))
  }

  @Test func `a subscription deleted offline is gone there at once, and later on the other device`()
    throws
  {
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try laptop.subscribe(Self.form("s"))
    try phone.goOffline()
    try phone.unsubscribe("s")
    #expect(try phone.reader.subscriptions().isEmpty)
    #expect(throws: RecordsError.self) { try phone.unsubscribe("s") }
    #expect(try laptop.reader.subscriptions().count == 1)
    try phone.goOnline()
    #expect(try laptop.reader.subscriptions().isEmpty)
    #expect(try phone.reader.status().waitingEdits == 0)
  }

  @Test func `what breaks a rule is refused at once, with field and column, without a broker`()
    throws
  {
    let laptop = try TestDevice(room, "laptop", isOnline: false)
    let wrong = #expect(throws: RecordsError.self) {
      try laptop.subscribe(Self.form("s", "firstName === 'A'"))
    }
    #expect(wrong?.field == "predicate" && wrong?.column == 13)
    let template = #expect(throws: RecordsError.self) {
      try laptop.subscribe(Self.form("s", title: "a {b"))
    }
    #expect(template?.field == "title" && template?.column == 3)
    let elsewhere = SubscriptionForm(
      id: try SubscriptionID("z"), kind: .zone(ZoneID(name: ZoneName(77)), type: nil))
    let zone = #expect(throws: RecordsError.self) { try laptop.subscribe(elsewhere) }
    #expect(zone?.code == .zoneNotFound)
    #expect(try laptop.reader.subscriptions().isEmpty)
  }

  @Test func `one the broker refuses stays listed with its reason until it is deleted`() throws {
    let laptop = try TestDevice(room, "laptop")
    room.broker.subscriptions.refusal = RecordsError(.quotaExceeded, "Too many.")
    try laptop.subscribe(Self.form("s"))
    let shown = try #require(try laptop.reader.subscription(SubscriptionID("s")))
    #expect(shown.state == .refused && shown.error?.message == "Too many.")
    #expect(try laptop.reader.status().unheldSubscriptions == 1)
    #expect(try laptop.reader.status().waitingEdits == 0)
    try laptop.unsubscribe("s")
    #expect(try laptop.reader.subscriptions().isEmpty)
  }

  @Test func `a change the broker refuses leaves what it had, and says so`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.subscribe(Self.form("s", "age == 1"))
    room.broker.subscriptions.refusal = RecordsError(.limitExceeded, "Too long.")
    try laptop.subscribe(Self.form("s", "age == 2"))
    let shown = try #require(try laptop.reader.subscription(SubscriptionID("s")))
    #expect(shown.state == .saved && shown.error?.message == "Too long.")
    #expect(shown.form == (try Self.form("s", "age == 1")))
  }

  @Test func `“not now” is tried again, and an answer that got lost costs nothing`() throws {
    let laptop = try TestDevice(room, "laptop")
    room.broker.subscriptions.refusal = RecordsError(.zoneBusy, "Busy.")
    try laptop.subscribe(Self.form("s"))
    #expect(try laptop.reader.subscriptions().map(\.state) == [.saving])
    try laptop.fire(.subscriptions)
    #expect(try laptop.reader.subscriptions().map(\.state) == [.saved])
    laptop.isDeaf = true
    try laptop.subscribe(Self.form("t"))
    try laptop.goOffline()
    #expect(try laptop.reader.subscription(SubscriptionID("t"))?.state == .saving)
    try laptop.goOnline()
    #expect(try laptop.reader.subscription(SubscriptionID("t"))?.state == .saved)
  }

  @Test func `one that was switched off says why, until it is saved again`() throws {
    let laptop = try TestDevice(room, "laptop")
    try laptop.subscribe(Self.form("s"))
    room.broker.switchOff(
      try SubscriptionID("s"), because: RecordsError(.limitExceeded, "It takes too long."))
    try laptop.goOffline()
    try laptop.goOnline()
    let shown = try #require(try laptop.reader.subscription(SubscriptionID("s")))
    #expect(shown.state == .off && shown.error?.message == "It takes too long.")
    try laptop.subscribe(Self.form("s", "age == 2"))
    #expect(try laptop.reader.subscription(SubscriptionID("s"))?.state == .saved)
  }

  @Test func `one that a later version saved is listed by its name, and runs nothing here`() throws
  {
    let laptop = try TestDevice(room, "laptop")
    try laptop.subscribe(Self.form("s"), command: "cat")
    try laptop.goOffline()
    room.broker.obscure(try SubscriptionID("s"))
    room.broker.obscure(try SubscriptionID("t"))
    try laptop.goOnline()
    let phone = try TestDevice(room, "phone")
    for device in [laptop, phone] {
      let shown = try device.reader.subscriptions()
      #expect(shown.map(\.form.id.text) == ["s", "t"])
      #expect(shown.map(\.state) == [.unreadable, .unreadable])
      #expect(shown.first?.error?.code == .incompatibleVersion)
      #expect(shown.map(\.command) == [nil, nil])
    }
    try laptop.subscribe(Self.form("s"))
    try laptop.unsubscribe("t")
    for device in [laptop, phone] {
      #expect(try device.reader.subscriptions().map(\.state) == [.saved])
    }
  }

  @Test func `one of this device alone belongs to it, whenever its id becomes known`() throws {
    let laptop = try TestDevice(room, "laptop", isOnline: false)
    try laptop.subscribe(Self.form("s"), forThisDevice: true)
    #expect(try laptop.reader.subscriptions().map(\.isForThisDevice) == [true])
    try laptop.goOnline()
    #expect(try laptop.reader.subscriptions().map(\.form.device) == [laptop.device])
    #expect(try laptop.reader.subscriptions().map(\.isForThisDevice) == [true])
    let phone = try TestDevice(room, "phone")
    #expect(try phone.reader.subscriptions().map(\.isForThisDevice) == [false])
  }

  @Test func `a copy with a new identity saves the subscriptions of its device again`() throws {
    let database = try DeviceDatabase.inMemory()
    let laptop = try TestDevice(room, "laptop", database: database)
    try laptop.subscribe(Self.form("own"), forThisDevice: true)
    try laptop.subscribe(Self.form("all"))
    let other = try DeviceDatabase.inMemory()
    try database.copy(to: other)
    try laptop.save("a", ["firstName": .string("Ann")])
    let copy = try TestDevice(room, "copy", database: other)
    try copy.fire(.reconnect)
    #expect(copy.device != laptop.device)
    let own = try #require(try copy.reader.subscription(SubscriptionID("own")))
    #expect(own.form.device == copy.device && own.state == .saved && own.isForThisDevice)
    #expect(try copy.reader.subscription(SubscriptionID("all"))?.form.device == nil)
  }

  @Test func `a whole directory replaces: what it does not name is gone, what waits stays`() throws
  {
    let laptop = try TestDevice(room, "laptop")
    try laptop.subscribe(Self.form("a"))
    try laptop.goOffline()
    try laptop.subscribe(Self.form("b"))
    let id = try SubscriptionID("a")
    let page = DirectoryPage(from: .zero, to: Revision(99), entries: [])
    try laptop.apply(page)
    #expect(try laptop.reader.subscription(id) == nil)
    #expect(try laptop.reader.subscriptions().map(\.state) == [.saving])
  }
}

extension TestDevice {
  func subscribe(
    _ form: SubscriptionForm, forThisDevice: Bool = false, command: String? = nil
  ) throws {
    try perform(
      replica.subscribe(form, forThisDevice: forThisDevice, command: command, now: Room.now))
  }

  func unsubscribe(_ id: String) throws {
    try perform(replica.unsubscribe(SubscriptionID(id), now: Room.now))
  }

  /// Takes up a whole directory, as if a broker had sent it.
  func apply(_ page: DirectoryPage) throws {
    try perform(
      replica.transact(Room.now) { transaction, _ in
        try ReplicaSubscriptionTable.apply(page.subscriptions, isWhole: true, transaction)
        return []
      })
  }
}
