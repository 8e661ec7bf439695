import DeviceRoom
import GRDB
import Records
import SyncCore
import Testing
import Timeline
import TimelineStore

@testable import DeviceStore

@Suite("T1, T2, T5 editing captions and comments on a device")
struct TimelineEditsTests {
  private let tests = TimelineTests()

  private func edit(
    captionOf post: RecordName, _ caption: String, on device: TestDevice
  ) throws {
    let text = try CommentText(caption, field: "caption")
    try device.perform(device.replica.edit(captionOf: post, text, now: Room.now))
  }

  private func edit(comment: RecordName, _ text: String, on device: TestDevice) throws {
    let text = try CommentText(text, field: "text")
    try device.perform(device.replica.edit(comment: comment, text, now: Room.now))
  }

  @Test func `an edited caption replaces the old one on all devices, in searches too`() throws {
    let laptop = try tests.device("laptop")
    let name = try tests.post(1, "By the waterfal", on: laptop)
    try tests.comment("Wet", on: name, by: laptop, at: 5)
    let phone = try tests.device("phone")
    let events = try phone.reader.status().lastEvent
    try edit(captionOf: name, "At the cascade", on: laptop)
    try tests.refresh(phone)
    for device in [laptop, phone] {
      #expect(try tests.texts(device, name) == ["At the cascade", "Wet"])
      #expect(try tests.captions(device, "cascade") == ["At the cascade"])
      #expect(try tests.captions(device, "waterfal") == [])
      #expect(try device.reader.comments([.synced]).count == 2)
    }
    let news = try phone.reader.events(after: events, limit: 10).events
    #expect(news.map(\.type) == [CommentRecord.type] && news.map(\.kind) == [.updated])
    #expect(news.first?.title == "At the cascade")
  }

  @Test func `an edited comment keeps its time and its place`() throws {
    let laptop = try tests.device("laptop")
    let name = try tests.post(1, "Sunrise", on: laptop)
    let first = try tests.comment("Frist", on: name, by: laptop, at: 5)
    try tests.comment("Second", on: name, by: laptop, at: 9)
    let before = try laptop.reader.comment(named: first)
    try edit(comment: first, "First", on: laptop)
    #expect(try tests.texts(laptop, name) == ["Sunrise", "First", "Second"])
    #expect(try laptop.reader.comment(named: first)?.comment.timestamp == before?.comment.timestamp)
  }

  @Test func `a comment says that it was edited, here and on other devices`() throws {
    let laptop = try tests.device("laptop")
    let name = try tests.post(1, "Sunrise", on: laptop)
    let first = try tests.comment("Frist", on: name, by: laptop, at: 5)
    try tests.refresh(laptop)
    #expect(try laptop.reader.comments(of: name).comments.map(\.isEdited) == [false, false])
    try edit(comment: first, "First", on: laptop)
    let phone = try tests.device("phone")
    try tests.refresh(phone)
    for device in [laptop, phone] {
      #expect(try device.reader.comments(of: name).comments.map(\.isEdited) == [false, true])
    }
  }

  @Test func `an edit waits for the broker like a comment, and what was never sent is sent once`()
    throws
  {
    let laptop = try tests.device("laptop")
    let sent = try tests.post(1, "Sent", on: laptop)
    try laptop.goOffline()
    let unsent = try tests.post(2, "Unsent", on: laptop, at: 9)
    try edit(captionOf: unsent, "Unsent, edited", on: laptop)
    try edit(captionOf: sent, "Sent, edited", on: laptop)
    #expect(try laptop.reader.comments([.unsynced]).count == 2)
    try laptop.restart()
    let requests = tests.room.broker.requests.count
    try laptop.goOnline()
    let saves = tests.room.broker.requests.dropFirst(requests).flatMap(\.groups)
      .flatMap(\.operations)
    #expect(saves.count == 3)
    #expect(try laptop.reader.comments([.synced]).count == 2)
    let phone = try tests.device("phone")
    #expect(try tests.captions(phone) == ["Unsent, edited", "Sent, edited"])
  }

  @Test func `only the author edits a post or a comment`() throws {
    let laptop = try tests.device("laptop")
    let theirs = Post(
      id: RecordName(stored: "theirs"),
      photo: Asset(digest: [UInt8](repeating: 9, count: 32), sizeBytes: 5),
      mediaType: "image/png", width: 1, height: 1, timestamp: Room.now)
    let said = Timeline.Comment(
      id: RecordName(stored: "said"), post: theirs.id, text: "Theirs", timestamp: Room.now)
    tests.room.broker.put(
      "theirs", PostRecord.fields(of: theirs), type: PostRecord.type, in: .public)
    tests.room.broker.put(
      "said", CommentRecord.fields(of: said), type: CommentRecord.type, in: .public)
    try tests.refresh(laptop)
    let post = #expect(throws: RecordsError.self) {
      try edit(captionOf: theirs.id, "Mine", on: laptop)
    }
    let comment = #expect(throws: RecordsError.self) {
      try edit(comment: said.id, "Mine", on: laptop)
    }
    #expect(post?.code == .permissionFailure && comment?.code == .permissionFailure)
    #expect(try tests.texts(laptop, theirs.id) == ["Theirs"])
    #expect(try laptop.reader.status().waitingEntries == 0)
  }

  @Test func `what is not here is not edited, a deleted caption neither`() throws {
    let laptop = try tests.device("laptop")
    let name = try tests.post(1, "Sunrise", on: laptop)
    let nowhere = RecordName(stored: "nowhere")
    for wrong in [
      #expect(throws: RecordsError.self) { try edit(captionOf: nowhere, "x", on: laptop) },
      #expect(throws: RecordsError.self) { try edit(comment: nowhere, "x", on: laptop) },
      #expect(throws: RecordsError.self) { try edit(comment: name, "x", on: laptop) },
    ] {
      #expect(wrong?.code == .unknownItem)
    }
    let caption = try #require(try laptop.reader.post(named: name)?.captionName)
    try laptop.perform(laptop.replica.delete(timeline: caption, now: Room.now))
    let gone = #expect(throws: RecordsError.self) { try edit(captionOf: name, "x", on: laptop) }
    #expect(gone?.code == .unknownItem)
    #expect(try tests.texts(laptop, name) == [])
  }

  @Test func `a post is not deleted if the setting that changes with it cannot be stored`() throws {
    let laptop = try tests.device("laptop")
    let name = try tests.post(1, "Sunrise", on: laptop)
    let setting = ChosenSetting("last", value: "post")
    let refusal = "BEFORE INSERT ON setting BEGIN SELECT RAISE(ABORT, 'refused'); END"
    try laptop.replica.database.write { db in
      try db.execute(sql: "CREATE TRIGGER refusal \(refusal)")
    }
    #expect(throws: (any Error).self) {
      try laptop.replica.delete(timeline: name, choosing: setting, now: Room.now)
    }
    #expect(try tests.captions(laptop) == ["Sunrise"])
    #expect(try laptop.reader.status().waitingEntries == 0)
    try laptop.replica.database.write { try $0.execute(sql: "DROP TRIGGER refusal") }
    try laptop.perform(laptop.replica.delete(timeline: name, choosing: setting, now: Room.now))
    #expect(try tests.captions(laptop) == [])
    #expect(try laptop.reader.setting("last") == "post")
  }

  @Test(arguments: [true, false])
  func `a deletion wins over an edit on another device, whichever is sent first`(
    isDeletedFirst: Bool
  ) throws {
    let laptop = try tests.device("laptop")
    let phone = try tests.device("phone")
    let name = try tests.post(1, "Sunrise", on: laptop)
    let said = try tests.comment("Oops", on: name, by: laptop, at: 5)
    try tests.refresh(phone)
    for device in [laptop, phone] { try device.goOffline() }
    try edit(comment: said, "Oops, edited", on: laptop)
    try phone.perform(phone.replica.delete(timeline: said, now: Room.now))
    for device in isDeletedFirst ? [phone, laptop] : [laptop, phone] {
      try device.goOnline()
      try tests.refresh(device)
    }
    for device in [laptop, phone] {
      try tests.refresh(device)
      #expect(try tests.texts(device, name) == ["Sunrise"])
      #expect(try device.reader.status().waitingEntries == 0)
      #expect(try device.reader.conflicts().isEmpty && device.reader.rejectedEdits().isEmpty)
    }
    #expect(try tests.room.broker.fields(said.text, in: .public) == nil)
  }

  @Test func `two devices that edit one caption end with the same text`() throws {
    let laptop = try tests.device("laptop")
    let phone = try tests.device("phone")
    let name = try tests.post(1, "Sunrise", on: laptop)
    try tests.refresh(phone)
    for device in [laptop, phone] { try device.goOffline() }
    try edit(captionOf: name, "Sunrise at home", on: laptop)
    try edit(captionOf: name, "Sunrise abroad", on: phone)
    for device in [laptop, phone, laptop] {
      try device.goOnline()
      try tests.refresh(device)
    }
    let captions = try tests.captions(laptop)
    #expect(captions == ["Sunrise abroad"] || captions == ["Sunrise at home"])
    #expect(try tests.captions(phone) == captions)
    #expect(try laptop.reader.conflicts().isEmpty && phone.reader.conflicts().isEmpty)
  }
}
