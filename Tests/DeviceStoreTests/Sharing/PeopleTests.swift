import DeviceRoom
import Records
import SyncCore
import Testing

@testable import AddressBook
@testable import DeviceStore

@Suite("Z6, K1 the people of a group on a device")
struct PeopleTests {
  private let bobs = BobsGroup()
  private static let eve = AccountID(0xE)

  private func asks(
    _ standing: AccessRequest.Standing = .waiting, at second: Int64 = 1
  ) -> AccessRequest {
    AccessRequest(
      account: Self.eve, name: "eve", displayName: "Eve E.",
      asked: Timestamp(microseconds: second * 1_000_000), standing: standing)
  }

  private func tell(members: [ZoneMember] = [], asking: [AccessRequest] = []) throws {
    bobs.room.broker.tell(bobs.zone, owner: "Bob B.", members: members, asking: asking)
    try bobs.room.tell([bobs.room.broker.directoryNews])
  }

  private func told(_ device: TestDevice) throws -> [NotificationView] {
    try device.reader.notifications(after: 0, limit: 1_000).notifications
  }

  @Test func `a request for access is notified once, and listed without a connection`() throws {
    let ada = try TestDevice(bobs.room, "laptop")
    try tell(asking: [asks()])
    let news = try #require(try told(ada).first)
    #expect(
      news.subject
        == .access(NotificationView.Access(zone: bobs.zone, account: Self.eve, name: "Eve E.")))
    #expect(news.content.body == "Eve E. asks for access to “Rowing”")
    #expect(news.isAlert && news.content.raisesBadge && news.change == nil)
    #expect(ada.notified == [news])
    try ada.goOffline()
    #expect(try ada.reader.requests(for: bobs.zone) == [asks()])
    try ada.goOnline()
    try ada.restart()
    try tell(asking: [asks()])
    #expect(try told(ada).count == 1, "told again by the directory, it is no news")
    #expect(try ada.reader.status().badge == 1)
  }

  @Test func `a repeated request after a refusal is notified, and the answer to a request is not`()
    throws
  {
    let ada = try TestDevice(bobs.room, "laptop")
    try tell(asking: [asks()])
    try tell(asking: [asks(.denied)])
    #expect(try told(ada).count == 1)
    #expect(try ada.reader.requests(for: bobs.zone).map(\.standing) == [.denied])
    try tell(asking: [asks(at: 9)])
    #expect(try told(ada).count == 2)
    try tell()
    #expect(try told(ada).count == 2)
    #expect(try ada.reader.requests(for: bobs.zone).isEmpty)
  }

  @Test func `a request waits its turn behind what waits for its record`() throws {
    let ada = try TestDevice(bobs.room, "laptop")
    try ada.subscribe(SubscriptionTests.form("s"))
    let phone = try TestDevice(bobs.room, "phone")
    try ada.goOffline()
    try phone.save("a", ["firstName": .string("Ann")])
    bobs.room.broker.tell(bobs.zone, owner: "Bob B.", members: [], asking: [asks()])
    try ada.goOnline()
    let all = try told(ada)
    #expect(all.map(\.sequence) == [1, 2])
    #expect(ada.notified == all, "each is shown once, in order")
  }

  @Test func `names are known of who is in, and kept of who has left, until the group is lost`()
    throws
  {
    let ada = try TestDevice(bobs.room, "laptop")
    let eve = ZoneMember(account: Self.eve, name: "eve", displayName: "Eve E.")
    try tell(members: [eve])
    let bob = ZoneMember(account: BobsGroup.account, name: "bob", displayName: "Bob B.")
    #expect(Set(try ada.reader.people()) == [eve, bob])
    #expect(try ada.reader.groups().last?.ownerDisplayName == "Bob B.")
    try tell()
    #expect(Set(try ada.reader.people()) == [eve, bob])
    try bobs.take()
    #expect(try ada.reader.people().isEmpty)
  }

  @Test func `losing access to a group deletes its requests and their notifications`() throws {
    let ada = try TestDevice(bobs.room, "laptop")
    try tell(asking: [asks()])
    try bobs.take()
    #expect(try told(ada).map(\.subscription) == [.lostGroups])
    #expect(try ada.reader.requests(for: bobs.zone).isEmpty)
  }

  @Test func `a group that is no longer shared is notified once, also after a restart`() throws {
    let ada = try TestDevice(bobs.room, "laptop")
    try bobs.take()
    let news = try #require(try told(ada).first)
    #expect(news.subject == .loss(bobs.zone, title: "Rowing"))
    #expect(news.content.title == "Rowing")
    #expect(news.content.body == "The group “Rowing” is no longer shared with you.")
    #expect(news.isAlert && news.content.raisesBadge && news.change == nil)
    #expect(ada.notified == [news])
    try ada.restart()
    try ada.goOffline()
    try ada.goOnline()
    try bobs.take()
    #expect(try told(ada) == [news], "told again by the directory, it is no news")
  }

  @Test func `a loss while the device was away is notified with its unsent changes`() throws {
    let ada = try TestDevice(bobs.room, "laptop")
    try ada.goOffline()
    try ada.save("zelda", ["company": .string("Acme")], in: bobs.zone)
    bobs.room.broker.take(bobs.zone)
    try ada.restart()
    #expect(try told(ada).isEmpty)
    try ada.goOnline()
    #expect(
      try told(ada).map(\.content.body) == [
        "The group “Rowing” is no longer shared with you. "
          + "Your changes that were not sent are in: contactsctl refused list"
      ])
    #expect(try ada.reader.rejectedEdits().count == 1)
  }

  @Test func `a group that the account left is not notified, and its unsent changes say so`()
    throws
  {
    let ada = try TestDevice(bobs.room, "laptop")
    try ada.goOffline()
    try ada.save("zelda", ["company": .string("Acme")], in: bobs.zone)
    bobs.room.broker.take(bobs.zone, isDeparture: true)
    try ada.goOnline()
    #expect(try told(ada).isEmpty)
    #expect(try ada.reader.groups().count == 1)
    #expect(try ada.reader.rejectedEdits().map(\.message) == ["You have left the group “Rowing”."])
  }

  /// Bob shares the group with Ada.
  private func share(as role: DirectoryEntry.Role = .member) throws {
    bobs.room.broker.share(
      bobs.zone, title: "Rowing", owner: "bob", isWritable: true, role: role)
    try bobs.room.tell([bobs.room.broker.directoryNews])
  }

  @Test func `a group that is shared again and lost again is notified again`() throws {
    let ada = try TestDevice(bobs.room, "laptop")
    try bobs.take()
    try share()
    #expect(try ada.reader.groups().last?.title == "Rowing")
    try bobs.take()
    #expect(try told(ada).map(\.subject) == [.loss(bobs.zone, title: "Rowing")])
    #expect(ada.notified.count == 3)
  }

  private func gains(_ device: TestDevice) throws -> [NotificationView] {
    try told(device).filter { $0.subscription == .gainedGroups }
  }

  @Test func `an approved request is notified: the group is now shared`() throws {
    let ada = try TestDevice(bobs.room, "laptop")
    #expect(try told(ada).isEmpty, "what the first directory lists is no news")
    try bobs.take()
    try share()
    let news = try #require(try gains(ada).first)
    #expect(news.subject == .gain(bobs.zone, title: "Rowing"))
    #expect(news.content.title == "Rowing")
    #expect(news.content.body == "The group “Rowing” of bob is now shared with you.")
    #expect(news.isAlert && news.content.raisesBadge && news.change == nil)
    try share()
    try ada.restart()
    #expect(try gains(ada) == [news], "told again by the directory, it is no news")
  }

  @Test func `a group that the user joins on this device is not notified, but on the others it is`()
    throws
  {
    let laptop = try TestDevice(bobs.room, "laptop")
    let phone = try TestDevice(bobs.room, "phone")
    try bobs.take()
    laptop.replica.expectedZones.insert(bobs.zone)
    try share()
    #expect(try gains(laptop).isEmpty)
    #expect(laptop.replica.expectedZones.isEmpty)
    #expect(try gains(phone).map(\.subject) == [.gain(bobs.zone, title: "Rowing")])
  }

  @Test func `who joins is notified once to those who manage the group, and to no other member`()
    throws
  {
    let ada = try TestDevice(bobs.room, "laptop")
    let eve = ZoneMember(account: Self.eve, name: "eve", displayName: "Eve E.")
    try tell(members: [eve])
    #expect(try told(ada).isEmpty)
    try tell()
    try share(as: .administrator)
    try tell(members: [eve])
    let news = try #require(try told(ada).first)
    #expect(
      news.subject
        == .join(NotificationView.Access(zone: bobs.zone, account: Self.eve, name: "Eve E.")))
    #expect(news.content.body == "Eve E. joined “Rowing”")
    #expect(news.isAlert && news.content.raisesBadge)
    try tell(members: [eve])
    try ada.restart()
    #expect(try told(ada) == [news], "told again by the directory, it is no news")
  }

  @Test(arguments: AccessRequest.Standing.allCases)
  func `an account whose request was approved is not notified as one who joined`(
    standing: AccessRequest.Standing
  ) throws {
    let ada = try TestDevice(bobs.room, "laptop")
    try share(as: .administrator)
    try tell(asking: [asks()])
    try tell(asking: [asks(standing)])
    try tell(members: [ZoneMember(account: Self.eve, name: "eve", displayName: "Eve E.")])
    #expect(try told(ada).map(\.subscription) == [.accessRequests])
  }

  @Test func `with another key a device goes on as it is, and what waits is sent`() throws {
    let ada = try TestDevice(bobs.room, "laptop")
    try ada.goOffline()
    try ada.save("zelda", ["company": .string("Acme")], in: bobs.zone)
    let device = ada.device
    var generator = SystemRandomNumberGenerator()
    let key = DeviceKey.random(using: &generator)
    ada.isOnline = true
    try ada.perform(try ada.replica.takeKey(key, now: Room.now))
    #expect(ada.device == device && ada.device != nil)
    #expect(try bobs.room.broker.fields("zelda", in: bobs.zone)?["company"] == .string("Acme"))
    #expect(try ada.reader.status().waitingEdits == 0)
    #expect(bobs.room.broker.lastKey == key.bytes)
  }

  @Test func `a device that no broker knows, or that is signed out, takes no key`() throws {
    var generator = SystemRandomNumberGenerator()
    let key = DeviceKey.random(using: &generator)
    let fresh = try TestDevice(bobs.room, "new", isOnline: false)
    let unknown = #expect(throws: RecordsError.self) {
      _ = try fresh.replica.takeKey(key, now: Room.now)
    }
    #expect(unknown?.code == .constraintViolation)
    let ada = try TestDevice(bobs.room, "laptop")
    try ada.perform(try ada.replica.signOut(discarding: false, now: Room.now))
    let out = #expect(throws: RecordsError.self) {
      _ = try ada.replica.takeKey(key, now: Room.now)
    }
    #expect(out?.reason == "signedOut")
  }
}
