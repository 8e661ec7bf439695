import AgentStore
import DeviceRoom
import Records
import SyncCore
import Testing
import Timeline
import TimelineStore

@testable import DeviceStore

@Suite("T1 names of the authors of posts and comments on a device")
struct AuthorNameTests {
  private let tests = TimelineTests()
  /// The account that `MiniBroker.put` gives to records of the public database.
  private let author = AccountID.public

  private func profile(_ displayName: String) -> AccountProfile {
    AccountProfile(account: author, name: "bob", displayName: displayName, isDiscoverable: true)
  }

  private func names(_ device: TestDevice) throws -> [String] {
    try device.reader.people().map(\.displayName)
  }

  private func putPost() throws {
    let post = Post(
      id: RecordName(stored: "theirs"),
      photo: Asset(digest: [UInt8](repeating: 9, count: 32), sizeBytes: 5),
      mediaType: "image/png", width: 1, height: 1, timestamp: Room.now)
    tests.room.broker.put(
      "theirs", PostRecord.fields(of: post), type: PostRecord.type, in: .public)
  }

  private func laptopWithPost() throws -> TestDevice {
    try putPost()
    return try tests.device("laptop")
  }

  @Test func `the author of a post or comment is due once, the own account never`() throws {
    let laptop = try tests.device("laptop")
    let name = try tests.post(1, "Mine", on: laptop)
    #expect(try laptop.reader.accountsToLookUp() == [])
    let comment = Timeline.Comment(
      id: RecordName(stored: "c"), post: name, text: "Theirs", timestamp: Room.now)
    tests.room.broker.put(
      "c", CommentRecord.fields(of: comment), type: CommentRecord.type, in: .public)
    try tests.refresh(laptop)
    #expect(try laptop.reader.accountsToLookUp() == [author])
    try laptop.replica.keepNames([profile("Bob B.")], of: [author], now: Room.now)
    try putPost()
    try tests.refresh(laptop)
    #expect(try laptop.reader.accountsToLookUp() == [])
  }

  @Test func `a name is known offline and after a restart, and can change`() throws {
    let laptop = try laptopWithPost()
    try laptop.replica.keepNames([profile("Bob B.")], of: [author], now: Room.now)
    try laptop.goOffline()
    try laptop.restart()
    #expect(try names(laptop) == ["Bob B."])
    #expect(try laptop.reader.accountsToLookUp(since: Room.now) == [])
    let later = Room.now.adding(seconds: 60)
    #expect(try laptop.reader.accountsToLookUp(since: later) == [author])
    try laptop.replica.keepNames([profile("Bob Baker")], of: [author], now: later)
    #expect(try names(laptop) == ["Bob Baker"])
    #expect(try laptop.reader.accountsToLookUp(since: later) == [])
  }

  @Test func `the name of an account that is no longer discoverable is forgotten`() throws {
    let laptop = try laptopWithPost()
    try laptop.replica.keepNames([profile("Bob B.")], of: [author], now: Room.now)
    try laptop.replica.keepNames([], of: [author], now: Room.now)
    #expect(try names(laptop) == [])
    #expect(try laptop.reader.accountsToLookUp() == [])
  }

  @Test func `signing out erases the names`() throws {
    let laptop = try laptopWithPost()
    try laptop.replica.keepNames([profile("Bob B.")], of: [author], now: Room.now)
    try laptop.perform(laptop.replica.signOut(discarding: false, now: Room.now))
    #expect(try names(laptop) == [] && laptop.reader.accountsToLookUp() == [])
  }
}
