import Records
import Testing
import Timeline

@testable import DeviceStore

@Suite("T1 which photos are kept on a device")
struct PhotoRuleTests {
  private static func post(bytes: UInt64, ageDays: Int64) -> Post {
    Post(
      id: RecordName(stored: "p"),
      photo: Asset(digest: [UInt8](repeating: 1, count: 32), sizeBytes: bytes),
      mediaType: "image/jpeg", width: 1, height: 1,
      timestamp: Room.now.adding(seconds: -ageDays * 86_400))
  }

  private static let cases: [(size: String, age: String, bytes: UInt64, days: Int64, is: Bool)] = [
    ("all", "always", 20 << 20, 4000, true), ("none", "always", 1, 0, false),
    ("2MiB", "always", 2 << 20, 0, true), ("2MiB", "always", (2 << 20) + 1, 0, false),
    ("all", "week", 1, 7, true), ("all", "week", 1, 8, false), ("64KiB", "day", 64 << 10, 2, false),
    ("odd", "word", 20 << 20, 4000, true),
  ]

  @Test func `size and age decide, words of another version count as the default`() {
    for one in Self.cases {
      let rule = PhotoRule(size: one.size, age: one.age)
      #expect(rule.wants(Self.post(bytes: one.bytes, ageDays: one.days), at: Room.now) == one.is)
    }
  }

  @Test func `a photo that the rule leaves out is fetched when somebody looks`() throws {
    let tests = TimelineTests()
    let laptop = try tests.device("laptop")
    let phone = try tests.device("phone")
    try phone.replica.choose(setting: PhotoRule.sizeSetting, value: "64KiB")
    let name = try tests.post(1, "Sunrise", on: laptop)
    try tests.refresh(phone)
    let post = try #require(try phone.reader.post(named: name))
    #expect(!post.isPhotoHere)
    try phone.perform(phone.replica.want(post.post.photo, in: .public, now: Room.now))
    #expect(try phone.reader.post(named: name)?.isPhotoHere == true)
  }

  @Test func `what the rule no longer keeps goes, but not one's own, nor what was looked at`()
    throws
  {
    let tests = TimelineTests()
    let laptop = try tests.device("laptop")
    let content = [UInt8](repeating: 5, count: 70_000)
    let theirs = tests.room.broker.assets.hold(content)
    let post = Post(
      id: RecordName(stored: "theirs"), photo: theirs, mediaType: "image/png", width: 1, height: 1,
      timestamp: Room.now)
    tests.room.broker.put(
      "theirs", PostRecord.fields(of: post), type: PostRecord.type, in: .public)
    try tests.refresh(laptop)
    let own = try tests.post(1, "Mine", on: laptop)
    try tests.refresh(laptop)
    let later = Room.now.adding(seconds: 60)
    #expect(try laptop.replica.collectAssets(now: later).isEmpty)
    try laptop.replica.choose(setting: PhotoRule.sizeSetting, value: "64KiB")
    try laptop.replica.keepPhoto(theirs.id, until: later.adding(seconds: 10))
    #expect(try laptop.replica.collectAssets(now: later).isEmpty)
    #expect(try laptop.replica.collectAssets(now: later.adding(seconds: 20)) == [theirs.id])
    #expect(try laptop.reader.post(named: post.id)?.isPhotoHere == false)
    #expect(try laptop.reader.post(named: own)?.isPhotoHere == true)
  }
}
