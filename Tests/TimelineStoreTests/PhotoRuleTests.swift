import DeviceRoom
import Records
import Testing
import Timeline
import TimelineStore

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

  @Test func `a photo that the rule excludes is downloaded when it is requested`() throws {
    let tests = TimelineTests()
    let laptop = try tests.device("laptop")
    let phone = try tests.device("phone")
    try phone.choose(PhotoRule.sizeSetting, "64KiB")
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
    try laptop.choose(PhotoRule.sizeSetting, "64KiB")
    try laptop.replica.keepPhoto(theirs.id, until: later.adding(seconds: 10), now: later)
    #expect(try laptop.replica.collectAssets(now: later).isEmpty)
    #expect(try laptop.replica.collectAssets(now: later.adding(seconds: 20)) == [theirs.id])
    #expect(try laptop.reader.post(named: post.id)?.isPhotoHere == false)
    #expect(try laptop.reader.post(named: own)?.isPhotoHere == true)
  }

  /// Adds a post of another account, with a photo of `bytes` bytes.
  private func put(_ name: String, _ seed: UInt8, bytes: Int, in tests: TimelineTests) -> Asset {
    let photo = tests.room.broker.assets.hold([UInt8](repeating: seed, count: bytes))
    let post = Post(
      id: RecordName(stored: name), photo: photo, mediaType: "image/png", width: 1, height: 1,
      timestamp: Room.now)
    tests.room.broker.put(name, PostRecord.fields(of: post), type: PostRecord.type, in: .public)
    return photo
  }

  @Test func `a rule that is chosen counts for what is here already, and for what is on its way`()
    throws
  {
    let tests = TimelineTests()
    let laptop = try tests.device("laptop")
    try laptop.choose(PhotoRule.sizeSetting, "none")
    let small = put("small", 1, bytes: 1_000, in: tests)
    let large = put("large", 2, bytes: 100_000, in: tests)
    try tests.refresh(laptop)
    #expect(try laptop.reader.wantedAssets() == 0)
    try laptop.choose(PhotoRule.sizeSetting, "64KiB")
    #expect(try laptop.reader.isHere(small) && !laptop.reader.isHere(large))
    try laptop.goOffline()
    try laptop.choose(PhotoRule.sizeSetting, nil)
    #expect(try laptop.reader.wantedAssets() == 1)
    try laptop.choose(PhotoRule.sizeSetting, "none")
    #expect(try laptop.reader.wantedAssets() == 0)
    try laptop.goOnline()
    #expect(try !laptop.reader.isHere(large))
  }

  @Test func `a clock that jumps takes no photo away, and put back it brings back what went`()
    throws
  {
    let tests = TimelineTests()
    let laptop = try tests.device("laptop")
    try laptop.choose(PhotoRule.ageSetting, "month")
    let photo = put("p", 1, bytes: 1_000, in: tests)
    try tests.refresh(laptop)
    #expect(try laptop.reader.isHere(photo))
    func collect(_ seconds: Int64) throws -> [AssetDigest] {
      try laptop.replica.collectAssets(now: Room.now.adding(seconds: seconds))
    }
    let year: Int64 = 366 * 86_400
    #expect(try collect(60).isEmpty)
    #expect(try collect(year).isEmpty)
    #expect(try collect(year + 600).isEmpty)
    #expect(try collect(660).isEmpty)
    #expect(try collect(1_260).isEmpty && laptop.reader.isHere(photo))
    // It may also be that so much time has passed.
    #expect(try collect(year).isEmpty && collect(year + 3_000).isEmpty)
    #expect(try collect(year + 3_660) == [photo.id])
    #expect(try !laptop.reader.isHere(photo))
    #expect(try collect(1_860).isEmpty)
    try tests.refresh(laptop)
    #expect(try laptop.reader.isHere(photo))
  }
}
