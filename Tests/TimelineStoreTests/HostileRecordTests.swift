// Records that other clients write to the public database, with names, types and sizes that no agent would write.
// They must not affect posts of other accounts, or stop a device.

import AddressBook
import Contacts
import DeviceRoom
import Records
import SyncCore
import Testing
import Timeline
import TimelineStore

@testable import DeviceStore

@Suite("I16, T1 records of others that are not as ours")
struct HostileRecordTests {
  private let tests = TimelineTests()

  private func put(
    _ name: String, _ type: String = "Post", text: String = "Mine", about post: String? = nil
  ) throws {
    let fields: Fields
    if let post {
      fields = CommentRecord.fields(
        of: Timeline.Comment(
          id: RecordName(stored: name), post: RecordName(stored: post), text: text,
          timestamp: Room.now))
    } else {
      fields = PostRecord.fields(
        of: Post(
          id: RecordName(stored: name),
          photo: Asset(digest: [UInt8](repeating: 9, count: 32), sizeBytes: 5),
          mediaType: text, width: 1, height: 1, timestamp: Room.now))
    }
    tests.room.broker.put(name, fields, type: RecordType(stored: type), in: .public)
  }

  @Test func `zero bytes in what a field holds survive`() throws {
    let laptop = try tests.device("laptop")
    let phone = try tests.device("phone")
    try laptop.save("a", Fields([("note", .string("be\0hind")), ("raw", .bytes([0, 1, 0]))]))
    #expect(try phone.fields("a")?["note"] == .string("be\0hind"))
    #expect(try phone.fields("a")?["raw"] == .bytes([0, 1, 0]))
  }

  @Test func `a name that comes back as another type, and as a post again, stops nobody`() throws {
    let laptop = try tests.device("laptop")
    try put("x")
    try put("a later one")
    try tests.refresh(laptop)
    tests.room.broker.remove("x", in: .public)
    try put("x", "Foo")
    try laptop.perform(laptop.replica.saveOwnSubscriptions(now: Room.now))
    try put("x", "Foo", text: "told")
    #expect(try laptop.reader.post(named: RecordName(stored: "x")) == nil)
    tests.room.broker.remove("x", in: .public)
    try tests.refresh(laptop)
    try put("y")
    try put("x")
    try tests.refresh(laptop)
    #expect(laptop.runs.last == "done")
    #expect(
      try laptop.reader.posts(PostQuery()).posts.map(\.post.id.text) == ["a later one", "x", "y"])
    try put("x", "Comment", about: "y")
    try tests.refresh(laptop)
    #expect(try laptop.reader.posts(PostQuery()).posts.map(\.post.id.text) == ["a later one", "y"])
    #expect(try laptop.reader.comments(of: RecordName(stored: "y")).comments.count == 1)
  }

  @Test func `what the tables refuse is passed over, alone, and the device goes on`() throws {
    let laptop = try tests.device("laptop")
    try laptop.refuse(insertsInto: "post", where: "NEW.name = 'bad'")
    try laptop.refuse(insertsInto: "contact", where: "NEW.text LIKE '%unwanted%'")
    try put("bad")
    try put("good")
    try put("late")
    try tests.refresh(laptop)
    #expect(laptop.runs.last == "done" && laptop.isConnected)
    #expect(try laptop.reader.posts(PostQuery()).posts.map(\.post.id.text) == ["good", "late"])
    let phone = try tests.device("phone")
    try phone.save("a", Fields([("firstName", .string("Anna"))]))
    try phone.save("b", Fields([("firstName", .string("Unwanted"))]))
    try phone.save("c", Fields([("firstName", .string("Carl"))]))
    #expect(laptop.isConnected)
    #expect(try laptop.fields("a") != nil && laptop.fields("c") != nil)
    #expect(try laptop.fields("b") == nil)
    #expect(try laptop.reader.contactCount() == 2)
  }

  @Test func `a known record that this version cannot read ends no run and is asked for once`()
    throws
  {
    let laptop = try tests.device("laptop")
    try put("p")
    try put("c", "Comment", about: "p")
    try tests.refresh(laptop)
    tests.room.broker.putUnreadable("c", type: CommentRecord.type, in: .public)
    let fetches = tests.room.broker.fetches
    try tests.refresh(laptop, id: 3)
    #expect(laptop.runs.last == "done" && laptop.answered[3] == true)
    #expect(tests.room.broker.fetches <= fetches + 1)
    #expect(try tests.texts(laptop, RecordName(stored: "p")) == ["Mine"])
  }

  @Test func `a damaged record keeps no other deletion from being noticed`() throws {
    let laptop = try tests.device("laptop")
    for number in 1...30 { try put("p\(number)") }
    try tests.refresh(laptop)
    tests.room.broker.damaged = ["p7", "p20"].reduce(into: []) { $0.insert(RecordName(stored: $1)) }
    for number in 11...30 where number != 20 { tests.room.broker.remove("p\(number)", in: .public) }
    try tests.refresh(laptop, id: 4)
    #expect(laptop.runs.last == "done" && laptop.answered[4] == true)
    let left = try laptop.reader.posts(PostQuery()).posts.map(\.post.id.text)
    #expect(Set(left) == Set((1...10).map { "p\($0)" } + ["p20"]))
  }

  @Test func `records too large to be answered together are asked for in parts`() throws {
    let laptop = try tests.device("laptop")
    try laptop.perform(laptop.replica.saveOwnSubscriptions(now: Room.now))
    let runs = laptop.runs.count
    try put("p")
    try laptop.goOffline()
    for number in 1...5 {
      try put("c\(number)", "Comment", text: String(repeating: "a", count: 900), about: "p")
    }
    tests.room.broker.fetchBytesMaximum = 2_000
    try laptop.goOnline()
    #expect(try laptop.reader.comments(of: RecordName(stored: "p")).comments.count == 5)
    #expect(laptop.runs.count == runs + 2 && laptop.runs.last == "done")
    try tests.refresh(laptop)
    #expect(laptop.runs.last == "done")
  }

  @Test func `a caption is its author's, and others' comments stand behind the post`() throws {
    let laptop = try tests.device("laptop")
    let name = try tests.post(1, "Sunrise", on: laptop)
    let early = Timeline.Comment(
      id: RecordName(stored: "0"), post: name, text: "Not hers",
      timestamp: Timestamp(microseconds: 0))
    tests.room.broker.put(
      "0", CommentRecord.fields(of: early), type: CommentRecord.type, in: .public)
    try tests.refresh(laptop)
    #expect(try tests.captions(laptop) == ["Sunrise"])
    #expect(try tests.texts(laptop, name) == ["Sunrise", "Not hers"])
    let phone = try tests.device("phone")
    #expect(try tests.captions(phone) == ["Sunrise"])
    #expect(try tests.texts(phone, name) == ["Sunrise", "Not hers"])
    // Behind a post that comes later, too.
    try put("0 first", "Comment", text: "Early", about: "theirs")
    try tests.refresh(laptop)
    try put("theirs")
    try tests.refresh(laptop)
    #expect(try laptop.reader.post(named: RecordName(stored: "theirs"))?.caption == "Early")
  }

  @Test func `much that is said about a post comes in pages that join`() throws {
    let laptop = try tests.device("laptop", isOnline: false)
    let name = try tests.post(1, "Sunrise", on: laptop)
    for number in 1...150 {
      try tests.comment(
        "\(number) " + String(repeating: "a", count: 16_000), on: name, by: laptop,
        at: Int64(number / 3))
    }
    var texts: [String] = []
    var pages = 0
    var cursor: String?
    repeat {
      let page = try laptop.reader.comments(of: name, behind: cursor)
      #expect(page.comments.reduce(0) { $0 + $1.comment.text.utf8.count } < 1_100_000)
      texts += page.comments.map(\.comment.text)
      cursor = page.next
      pages += 1
    } while cursor != nil
    #expect(texts.count == 151 && Set(texts).count == 151 && pages == 3)
    #expect(texts.first == "Sunrise")
    #expect(try laptop.reader.comments([.unsynced]).count < 100)
    try laptop.perform(laptop.replica.delete(timeline: name, now: Room.now))
    #expect(try laptop.reader.status().waitingEntries == 0)
  }

  @Test func `what is deleted stays so, and nobody reads of it, whatever it became meanwhile`()
    throws
  {
    let laptop = try tests.device("laptop")
    let name = try tests.post(1, "Sunrise", on: laptop)
    try laptop.goOffline()
    try laptop.perform(laptop.replica.delete(timeline: name, now: Room.now))
    let changed = Post(
      id: name, photo: Asset(digest: [UInt8](repeating: 1, count: 32), sizeBytes: 100_000),
      mediaType: "image/webp", width: 5, height: 5, timestamp: Room.now)
    tests.room.broker.put(
      name.text, PostRecord.fields(of: changed), type: PostRecord.type, in: .public)
    try laptop.goOnline()
    #expect(laptop.runs.last == "done")
    #expect(try tests.captions(laptop) == [] && laptop.reader.status().conflicts == 0)
    let left = tests.room.broker.zones[.public]?.records.values.filter { $0.kind == .saved }
    #expect(left?.isEmpty == true)
  }

  @Test func `a comment refused only because its post is sent again goes out behind it`() throws {
    let laptop = try tests.device("laptop", isOnline: false)
    let name = try tests.post(1, "Sunrise", on: laptop)
    let said = try tests.comment("Nice", on: name, by: laptop, at: 5)
    tests.room.broker.refusesOnce = [
      name: RecordsError(.assetNotAvailable, "The file went."),
      said: RecordsError(
        .referenceViolation, "Its post is not there.", record: said, reason: "parentMissing"),
    ]
    try laptop.goOnline()
    #expect(try laptop.reader.rejectedEdits().isEmpty)
    #expect(try laptop.reader.post(named: name)?.state == .synced)
    #expect(try laptop.reader.comment(named: said)?.state == .synced)
  }

  @Test func `records of two actions that go with each other are refused, not sent for ever`()
    throws
  {
    let laptop = try TestDevice(tests.room, "laptop", isOnline: false)
    for (name, other) in [("a", "b"), ("b", "a")] {
      let reference = Reference(record: RecordName(stored: other), action: .deleteSelf)
      try laptop.save(name, ["with": .reference(reference)])
      tests.room.broker.refusesAlways[RecordName(stored: name)] = RecordsError(
        .referenceViolation, "It is not there.", record: RecordName(stored: name),
        reason: "parentMissing")
    }
    try laptop.goOnline()
    #expect(try laptop.reader.rejectedEdits().count == 2)
    #expect(tests.room.broker.requests.count < 8)
    #expect(try laptop.reader.status().ledger.isBalanced)
  }

  @Test func `photos that are stuck hold no reading up`() throws {
    let laptop = try tests.device("laptop", isOnline: false)
    for number in 1...70 {
      try tests.post(UInt8(number), "\(number)", on: laptop, at: Int64(number))
    }
    try put("theirs")
    tests.room.broker.assets.refusal = RecordsError(.serviceUnavailable, "Not now.")
    try laptop.goOnline()
    #expect(laptop.runs.last == "done")
    #expect(try laptop.reader.post(named: RecordName(stored: "theirs")) != nil)
  }

  @Test func `a post with a contact's name does not make that name ambiguous`() throws {
    let laptop = try tests.device("laptop")
    let theirs = ZoneID(owner: AccountID(0xB0B), name: ZoneName(0x9))
    tests.room.broker.share(theirs, title: "Family", owner: "bob", isWritable: true)
    try tests.room.tell([tests.room.broker.directoryNews])
    try laptop.save("anna", Fields([("firstName", .string("Anna"))]), in: theirs)
    try put("anna")
    try put("own")
    try laptop.save("own", Fields([("firstName", .string("Own"))]))
    try tests.refresh(laptop)
    let anna = RecordName(stored: "anna")
    let view = try #require(try laptop.reader.record(named: anna))
    #expect(view.id.zone == theirs)
    let found = try laptop.reader.records(identifiedBy: "anna", type: ContactRecord.type)
    #expect(found.map(\.id) == [view.id])
    #expect(try laptop.reader.history(of: anna).id.zone == theirs)
    #expect(try laptop.reader.history(of: RecordName(stored: "own")).id.zone == .standard)
  }

  @Test func `photos of the timeline are none that an export of contacts lacks`() throws {
    let laptop = try tests.device("laptop")
    try laptop.choose(PhotoRule.sizeSetting, "none")
    try put("p")
    try tests.refresh(laptop)
    #expect(try laptop.reader.missingAssets(in: nil, after: 0) == nil)
    #expect(try laptop.reader.post(named: RecordName(stored: "p"))?.isPhotoHere == false)
  }
}
