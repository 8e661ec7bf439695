// The timeline on devices of one account, with a broker that has the public database: posts, comments, and the runs
// that read it. The end-to-end tests use several accounts.

import DeviceRoom
import Records
import SyncCore
import Testing
import Timeline
import TimelineStore

@testable import AddressBook
@testable import DeviceStore

@Suite("T1, T2, T3, T5 the timeline on a device")
struct TimelineTests {
  let room = Room()

  func device(_ name: String, isOnline: Bool = true) throws -> TestDevice {
    try TestDevice(room, name, isOnline: isOnline, hasTimeline: true)
  }

  @discardableResult
  func post(
    _ seed: UInt8, _ caption: String, on device: TestDevice, at seconds: Int64 = 0
  ) throws -> RecordName {
    let content = [UInt8](repeating: seed, count: 100_000)
    let asset = Asset(digest: Array(repeating: seed, count: 32), sizeBytes: 100_000)
    device.files[asset.id] = content
    var generator = SystemRandomNumberGenerator()
    let (name, actions) = try device.replica.post(
      PostedPhoto(asset: asset, mediaType: "image/jpeg", width: 30, height: 20),
      caption: CommentText(caption, field: "caption"), now: Room.now.adding(seconds: seconds),
      using: &generator)
    try device.perform(actions)
    return name
  }

  @discardableResult
  func comment(
    _ text: String, on post: RecordName, by device: TestDevice, at seconds: Int64 = 0
  ) throws -> RecordName {
    var generator = SystemRandomNumberGenerator()
    let (name, actions) = try device.replica.comment(
      on: post, CommentText(text, field: "text"), now: Room.now.adding(seconds: seconds),
      using: &generator)
    try device.perform(actions)
    return name
  }

  func refresh(_ device: TestDevice, id: UInt64? = nil) throws {
    try device.perform(device.replica.refreshPublicRecords(id: id, now: Room.now))
  }

  func captions(_ device: TestDevice, _ search: String? = nil) throws -> [String?] {
    let search = try search.map { try TimelineSearch($0) }
    return try device.reader.posts(PostQuery(search: search)).posts.map(\.caption)
  }

  func texts(_ device: TestDevice, _ post: RecordName) throws -> [String] {
    try device.reader.comments(of: post).comments.map(\.comment.text)
  }

  // MARK: Alone

  @Test func `what is posted without a broker is there, unsynced, with its caption`() throws {
    let laptop = try device("laptop", isOnline: false)
    let name = try post(1, "By the waterfall", on: laptop)
    let view = try #require(try laptop.reader.post(named: name))
    #expect(view.state == .unsynced && view.isOwn && view.isPhotoHere)
    #expect(view.caption == "By the waterfall" && view.comments == 1)
    #expect(view.post.width == 30 && view.post.mediaType == "image/jpeg")
    let standing = try laptop.reader.timelineStanding()
    #expect(standing.unsyncedPosts == 1 && standing.unsyncedComments == 1)
    try laptop.restart()
    #expect(try captions(laptop) == ["By the waterfall"])
  }

  @Test func `posts stand newest first, comments oldest first, and are found by any of them`()
    throws
  {
    let laptop = try device("laptop", isOnline: false)
    let first = try post(1, "Sunrise", on: laptop, at: 0)
    try post(2, "Noon", on: laptop, at: 10)
    try comment("Like a waterfall", on: first, by: laptop, at: 30)
    try comment("Too early", on: first, by: laptop, at: 20)
    #expect(try captions(laptop) == ["Noon", "Sunrise"])
    #expect(try texts(laptop, first) == ["Sunrise", "Too early", "Like a waterfall"])
    #expect(try captions(laptop, "FALL") == ["Sunrise"])
    #expect(try captions(laptop, "fall early") == [])
    #expect(try captions(laptop, "nöon") == ["Noon"])
  }

  @Test func `pages of posts join without a gap and without a double`() throws {
    let laptop = try device("laptop", isOnline: false)
    for number in 1...25 {
      try post(UInt8(number), "Post \(number)", on: laptop, at: Int64(number / 3))
    }
    var all: [RecordName] = []
    var query = PostQuery(limit: 4)
    repeat {
      let page = try laptop.reader.posts(query)
      all += page.posts.map(\.post.id)
      query.cursor = page.next
    } while query.cursor != nil
    #expect(all.count == 25 && Set(all).count == 25)
    #expect(all == (try laptop.reader.posts(PostQuery(limit: 1000)).posts.map(\.post.id)))
    #expect(throws: RecordsError.self) { try laptop.reader.posts(PostQuery(cursor: "x")) }
    #expect(throws: RecordsError.self) { try laptop.reader.posts(PostQuery(limit: 0)) }
  }

  @Test func `what is posted between the first reading and being told is there`() throws {
    let laptop = try device("laptop")
    let phone = try device("phone")
    try post(1, "Meanwhile", on: phone)
    #expect(try captions(laptop) == [])
    try laptop.perform(laptop.replica.saveOwnSubscriptions(now: Room.now))
    #expect(try captions(laptop) == ["Meanwhile"])
    #expect(laptop.runs == ["began", "done", "began", "done"])
    try laptop.perform(laptop.replica.saveOwnSubscriptions(now: Room.now))
    #expect(laptop.runs.count == 4)
  }

  @Test func `a comment on a post that is not here is refused`() throws {
    let laptop = try device("laptop", isOnline: false)
    let error = #expect(throws: RecordsError.self) {
      try comment("Hello", on: RecordName(stored: "nowhere"), by: laptop)
    }
    #expect(error?.code == .unknownItem)
  }

  @Test func `an unsent post that is deleted leaves nothing to send`() throws {
    let laptop = try device("laptop", isOnline: false)
    let name = try post(1, "Oops", on: laptop)
    try comment("Really", on: name, by: laptop, at: 5)
    try laptop.perform(laptop.replica.delete(timeline: name, now: Room.now))
    #expect(try captions(laptop) == [])
    #expect(try laptop.reader.status().waitingEntries == 0)
    try laptop.goOnline()
    #expect(room.broker.requests.isEmpty)
  }

  @Test func `no list of contacts, groups, trash or undone actions knows of the timeline`() throws {
    let laptop = try device("laptop")
    let name = try post(1, "Sunrise", on: laptop)
    #expect(try laptop.reader.groups().map(\.zone) == [.standard])
    #expect(try laptop.reader.contactCount() == 0)
    try laptop.perform(laptop.replica.delete(timeline: name, now: Room.now))
    #expect(try laptop.reader.trash(before: nil, limit: 10).isEmpty)
    #expect(try laptop.reader.actions(limit: 10).isEmpty)
  }

  // MARK: Synced

  @Test func `another device has posts, comments and photos after its first run`() throws {
    let laptop = try device("laptop")
    let name = try post(1, "Sunrise", on: laptop)
    try comment("Nice", on: name, by: laptop, at: 5)
    #expect(try laptop.reader.post(named: name)?.state == .synced)
    let phone = try device("phone")
    #expect(phone.runs == ["began", "done"])
    #expect(try captions(phone) == ["Sunrise"])
    #expect(try texts(phone, name) == ["Sunrise", "Nice"])
    #expect(try phone.reader.post(named: name)?.isPhotoHere == true)
    #expect(try phone.reader.timelineStanding().lastSync == Room.now)
  }

  @Test func `a post goes before its comments, after a week offline too`() throws {
    let laptop = try device("laptop", isOnline: false)
    let names = try (1...5).map { try post(UInt8($0), "Post \($0)", on: laptop, at: Int64($0)) }
    try comment("Later", on: names[0], by: laptop, at: 500)
    try laptop.goOnline()
    let sent = room.broker.requests.flatMap(\.groups).flatMap(\.operations).compactMap {
      if case .save(let save) = $0 { save.type } else { nil }
    }
    #expect(sent.count == 11)
    var posts = 0
    var captions = 0
    for type in sent {
      if type == PostRecord.type { posts += 1 } else { captions += 1 }
      #expect(captions <= posts + 1)
    }
    #expect(try laptop.reader.timelineStanding().unsyncedPosts == 0)
    #expect(try laptop.reader.comments([.synced]).count == 6)
    #expect(try laptop.reader.comments([.unsynced, .syncing]).isEmpty)
    #expect(try laptop.reader.posts(PostQuery(states: [.synced])).posts.count == 5)
  }

  @Test func `what is synced is not doubled by runs that follow`() throws {
    let laptop = try device("laptop")
    for number in 1...7 { try post(UInt8(number), "Post \(number)", on: laptop, at: Int64(number)) }
    let phone = try device("phone")
    let events = try phone.reader.status().lastEvent
    for _ in 1...3 { try refresh(phone) }
    #expect(try captions(phone).count == 7)
    #expect(try phone.reader.status().lastEvent == events)
    #expect(phone.runs.filter { $0 == "done" }.count == 4)
  }

  @Test func `a comment that comes before its post waits unseen and is there with it`() throws {
    let laptop = try device("laptop")
    let post = Post(
      id: RecordName(stored: "p"),
      photo: Asset(digest: [UInt8](repeating: 9, count: 32), sizeBytes: 5),
      mediaType: "image/png", width: 1, height: 1, timestamp: Room.now)
    let comment = Timeline.Comment(
      id: RecordName(stored: "c"), post: post.id, text: "Early", timestamp: Room.now)
    room.broker.put("c", CommentRecord.fields(of: comment), type: CommentRecord.type, in: .public)
    try refresh(laptop)
    #expect(try laptop.reader.comments([.synced]).isEmpty)
    #expect(try laptop.reader.comment(named: comment.id) == nil)
    #expect(try laptop.reader.status().lastEvent == 0)
    room.broker.put("p", PostRecord.fields(of: post), type: PostRecord.type, in: .public)
    try refresh(laptop)
    #expect(try texts(laptop, post.id) == ["Early"])
    let events = try laptop.reader.events(after: 0, limit: 10).events
    #expect(events.map(\.type) == [PostRecord.type, CommentRecord.type])
    #expect(events.map(\.kind) == [.created, .created])
    #expect(events.last?.title == "Early")
  }

  @Test func `what the broker no longer has goes, and only that`() throws {
    let laptop = try device("laptop")
    let phone = try device("phone")
    let gone = try post(1, "Gone", on: laptop, at: 1)
    try post(2, "Stays", on: laptop, at: 2)
    try refresh(phone)
    let unsent = try { () -> RecordName in
      try phone.goOffline()
      return try post(3, "Unsent", on: phone, at: 3)
    }()
    try laptop.perform(laptop.replica.delete(timeline: gone, now: Room.now))
    try phone.goOnline()
    #expect(try captions(phone) == ["Unsent", "Stays"])
    #expect(try phone.reader.post(named: unsent)?.state == .synced)
    #expect(try phone.reader.comments(Set(SyncState.allCases)).count == 2)
    try refresh(laptop)
    #expect(try captions(laptop) == ["Unsent", "Stays"])
  }

  /// A notification names the record.
  /// - Returns: the number of the device's fetch, whose answer is still on its way.
  private func notify(_ device: TestDevice, of change: Change) throws -> UInt64? {
    let notification = ChangeNotification(
      number: NotificationNumber(1), predecessor: .none, database: .public,
      record: RecordID(zone: .public, name: change.name), type: change.type, tag: change.tag,
      modified: change.modified, firings: [])
    let page = NotificationPage(notifications: [notification], isLevel: true)
    var fetch: UInt64?
    let actions = try device.replica.received(.notifications(page), replyTo: 0, now: Room.now)
    for action in actions {
      guard case .conversation(.send(let id, .fetch)) = action else { continue }
      fetch = id
    }
    return fetch
  }

  @Test func `what was deleted here stays so, though a fetch from before is answered after a run`()
    throws
  {
    let laptop = try device("laptop")
    let name = try post(1, "Sunrise", on: laptop)
    let former = try #require(room.broker.change(name.text, in: .public))
    let fetch = try #require(try notify(laptop, of: former))
    try laptop.perform(laptop.replica.delete(timeline: name, now: Room.now))
    try refresh(laptop)
    try laptop.hear(.fetched([former]), replyTo: fetch)
    #expect(try captions(laptop) == [])
  }

  @Test func `a post of another account can be commented on, and not deleted`() throws {
    let laptop = try device("laptop")
    let theirs = Post(
      id: RecordName(stored: "theirs"),
      photo: Asset(digest: [UInt8](repeating: 9, count: 32), sizeBytes: 5),
      mediaType: "image/png", width: 1, height: 1, timestamp: Room.now)
    room.broker.put("theirs", PostRecord.fields(of: theirs), type: PostRecord.type, in: .public)
    try refresh(laptop)
    let view = try #require(try laptop.reader.post(named: theirs.id))
    #expect(!view.isOwn && view.author == AccountID.public && view.caption == nil)
    try comment("Nice", on: theirs.id, by: laptop, at: 3)
    #expect(try laptop.reader.comments(of: theirs.id).comments.map(\.state) == [.synced])
    let error = #expect(throws: RecordsError.self) {
      try laptop.replica.delete(timeline: theirs.id, now: Room.now)
    }
    #expect(error?.code == .permissionFailure)
  }

  @Test func `a comment on a post that is gone is refused and kept for its author`() throws {
    let laptop = try device("laptop")
    let name = try post(1, "Sunrise", on: laptop)
    try laptop.goOffline()
    let said = try comment("Too late", on: name, by: laptop, at: 9)
    room.broker.remove(name.text, in: .public)
    room.broker.poison = (
      said, RecordsError(.referenceViolation, "The post is gone.", record: said)
    )
    try laptop.goOnline()
    #expect(try captions(laptop) == [])
    let rejected = try #require(try laptop.reader.rejectedEdits().first)
    #expect(rejected.code == .referenceViolation && rejected.title == "Too late")
    #expect(laptop.runs.last == "done")
  }

  @Test func `a request during a run starts one more run, and is answered after it`() throws {
    let laptop = try device("laptop")
    let queries = room.broker.queries
    try refresh(laptop, id: 7)
    #expect(laptop.answered == [7: true])
    #expect(room.broker.queries == queries + 2)
  }

  @Test func `“not now” is asked again later, a broker without the timeline is not`() throws {
    let laptop = try device("laptop")
    room.broker.queryRefusal = RecordsError(.zoneBusy, "Busy.", retryAfterSeconds: 2)
    try refresh(laptop, id: 1)
    #expect(laptop.runs.last == "interrupted" && laptop.answered.isEmpty)
    try laptop.fire(.publicReading)
    #expect(laptop.runs.last == "done" && laptop.answered == [1: true])
    room.broker.queryRefusal = RecordsError(.invalidArguments, "There is no public database.")
    try refresh(laptop, id: 2)
    #expect(laptop.runs.last == "refused" && laptop.answered[2] == false)
    #expect(laptop.timers[.publicReading] == nil)
  }

  @Test func `a broker that lost history counts again, and what is newer here gives way`() throws {
    let laptop = try device("laptop")
    let post = Post(
      id: RecordName(stored: "p"),
      photo: Asset(digest: [UInt8](repeating: 9, count: 32), sizeBytes: 5),
      mediaType: "image/png", width: 1, height: 1, timestamp: Room.now)
    room.broker.put("p", PostRecord.fields(of: post), type: PostRecord.type, in: .public)
    let backup = room.broker.backup()
    var changed = post
    changed.mediaType = "image/webp"
    room.broker.put("p", PostRecord.fields(of: changed), type: PostRecord.type, in: .public)
    try refresh(laptop)
    #expect(try laptop.reader.post(named: post.id)?.post.mediaType == "image/webp")
    room.broker.restore(backup)
    try refresh(laptop)
    #expect(try laptop.reader.post(named: post.id)?.post.mediaType == "image/png")
  }

  @Test func `a restored backup gets back this account's posts, comments and photos`() throws {
    let laptop = try device("laptop")
    try post(1, "Before", on: laptop)
    let backup = room.broker.backup()
    let files = room.broker.assets.files
    let name = try post(2, "Behind", on: laptop)
    try comment("And this", on: name, by: laptop)
    try refresh(laptop)
    try laptop.goOffline()
    room.broker.restore(backup)
    room.broker.assets.files = files
    try laptop.goOnline()
    try refresh(laptop)
    #expect(
      try captions(laptop) == ["Behind", "Before"] || captions(laptop) == ["Before", "Behind"])
    #expect(try room.broker.fields(name.text, in: .public) != nil)
    #expect(try texts(laptop, name) == ["Behind", "And this"])
    #expect(room.broker.assets.files.count == 2)
    #expect(try laptop.reader.status().waitingEntries == 0)
    #expect(laptop.runs.last == "done")
    // Another device of the account has it too, and what is deleted from here on stays deleted.
    let phone = try device("phone")
    #expect(try captions(phone).count == 2)
    try laptop.goOffline()
    try phone.perform(phone.replica.delete(timeline: name, now: Room.now))
    try laptop.goOnline()
    try refresh(laptop)
    #expect(try captions(laptop) == ["Before"])
  }

  @Test func `a post that no run has read yet is sent again as well`() throws {
    let laptop = try device("laptop")
    let backup = room.broker.backup()
    let name = try post(2, "Behind", on: laptop)
    try laptop.goOffline()
    room.broker.restore(backup)
    try laptop.goOnline()
    #expect(try captions(laptop) == ["Behind"])
    #expect(try room.broker.fields(name.text, in: .public) != nil)
  }

  @Test func `signed out, nothing of the timeline is left, and nothing is posted`() throws {
    let laptop = try device("laptop")
    let name = try post(1, "Sunrise", on: laptop)
    try laptop.perform(laptop.replica.signOut(discarding: false, now: Room.now))
    #expect(try captions(laptop) == [])
    #expect(try laptop.reader.post(named: name) == nil)
    let error = #expect(throws: RecordsError.self) { try post(2, "More", on: laptop) }
    #expect(error?.code == .notAuthenticated)
    laptop.forgetDevice()
    try laptop.perform(laptop.replica.signIn(account: "ada", now: Room.now))
    #expect(try captions(laptop) == ["Sunrise"])
  }
}
