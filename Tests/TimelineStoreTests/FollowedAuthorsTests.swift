import DeviceRoom
import Records
import SyncCore
import Testing
import Timeline
import TimelineStore

@testable import DeviceStore

@Suite("T6, T7 following on a device")
struct FollowedAuthorsTests {
  private let tests = TimelineTests()

  private func follow(_ post: RecordName, on device: TestDevice) throws {
    try device.perform(device.replica.follow(post: post, now: Room.now))
  }

  @Test func `a post is followed and no longer, on all devices of the account`() throws {
    let laptop = try tests.device("laptop")
    let phone = try tests.device("phone")
    let name = try tests.post(1, "Sunrise", on: laptop)
    #expect(try !laptop.reader.isFollowing(post: name))
    try follow(name, on: laptop)
    try follow(name, on: laptop)
    #expect(try laptop.reader.isFollowing(post: name) && phone.reader.isFollowing(post: name))
    #expect(try laptop.reader.subscriptions().count == 1)
    try phone.perform(phone.replica.unfollow(post: name, now: Room.now))
    #expect(try !laptop.reader.isFollowing(post: name) && !phone.reader.isFollowing(post: name))
    try phone.perform(phone.replica.unfollow(post: name, now: Room.now))
  }

  @Test func `a comment is stored before its notification is delivered`() throws {
    let laptop = try tests.device("laptop")
    let phone = try tests.device("phone")
    let name = try tests.post(1, "Sunrise", on: laptop)
    try tests.refresh(phone)
    try follow(name, on: laptop)
    try tests.comment("Nice", on: name, by: phone, at: 9)
    let told = try #require(laptop.notified.first)
    #expect(told.content.title == "New comment on “Sunrise”" && told.isAlert)
    #expect(told.change?.title == "Nice")
    #expect(try tests.texts(laptop, name) == ["Sunrise", "Nice"])
  }

  @Test func `what a device has itself told of is simply there, and nobody's to see`() throws {
    let laptop = try tests.device("laptop")
    try laptop.perform(laptop.replica.saveOwnSubscriptions(now: Room.now))
    try laptop.perform(laptop.replica.saveOwnSubscriptions(now: Room.now))
    #expect(try laptop.reader.subscriptions().isEmpty)
    for id in TimelineSubscription.own {
      #expect(try laptop.reader.subscription(id)?.state == .saved)
    }
    let phone = try tests.device("phone")
    try tests.post(1, "Sunrise", on: phone)
    #expect(try tests.captions(laptop) == ["Sunrise"])
    #expect(try laptop.reader.notifications(after: 0, limit: 10).notifications.isEmpty)
  }

  @Test func `each device of an account is notified of posts by other accounts`() throws {
    let laptop = try tests.device("laptop")
    try laptop.perform(laptop.replica.saveOwnSubscriptions(now: Room.now))
    let phone = try tests.device("phone")
    try phone.perform(phone.replica.saveOwnSubscriptions(now: Room.now))
    let tablet = try tests.device("tablet")
    try tests.post(1, "Sunrise", on: tablet)
    #expect(try tests.captions(laptop) == ["Sunrise"])
    #expect(try tests.captions(phone) == ["Sunrise"])
  }

  @Test func `a device saves its own subscriptions again if the broker rejected or lost them`()
    throws
  {
    let laptop = try tests.device("laptop")
    tests.room.broker.subscriptions.refusal = RecordsError(.quotaExceeded, "Too many.")
    try laptop.perform(laptop.replica.saveOwnSubscriptions(now: Room.now))
    let own = TimelineSubscription.own
    #expect(try laptop.reader.subscription(own[0])?.state == .refused)
    try laptop.perform(laptop.replica.saveOwnSubscriptions(now: Room.now))
    #expect(try own.allSatisfy { try laptop.reader.subscription($0)?.state == .saved })
    tests.room.broker.switchOff(own[1], because: RecordsError(.limitExceeded, "Too slow."))
    try tests.room.tell([tests.room.broker.directoryNews])
    #expect(try laptop.reader.subscription(own[1])?.state == .off)
    try laptop.perform(laptop.replica.saveOwnSubscriptions(now: Room.now))
    #expect(try own.allSatisfy { try laptop.reader.subscription($0)?.state == .saved })
  }

  @Test func `nobody follows themselves, or what is not here`() throws {
    let laptop = try tests.device("laptop")
    let name = try tests.post(1, "Sunrise", on: laptop)
    #expect(throws: RecordsError.self) {
      try laptop.replica.follow(authorOf: name, name: "me", now: Room.now)
    }
    #expect(throws: RecordsError.self) { try follow(RecordName(stored: "nowhere"), on: laptop) }
    #expect(try !laptop.reader.isFollowing(authorOf: name))
  }
}
