import Records
import Testing
import Timeline

@Suite("T3 order of posts and comments, search")
struct TimelineOrderTests {
  private static func post(_ name: String, _ time: Int64) -> Post {
    Post(
      id: RecordName(stored: name), photo: PostRecordTests.photo, mediaType: "image/png", width: 1,
      height: 1, timestamp: Timestamp(microseconds: time))
  }

  private static func comment(_ name: String, _ time: Int64) -> Timeline.Comment {
    Timeline.Comment(
      id: RecordName(stored: name), post: RecordName(stored: "p"), text: name,
      timestamp: Timestamp(microseconds: time))
  }

  @Test func `posts stand newest first, those of one moment by name`() {
    let posts = [Self.post("b", 5), Self.post("old", 1), Self.post("new", 9), Self.post("a", 5)]
    let sorted = posts.sorted(by: TimelineOrder.precedes).map(\.id.text)
    #expect(sorted == ["new", "a", "b", "old"])
  }

  @Test func `comments stand oldest first, those of one moment by name`() {
    let comments = [Self.comment("b", 5), Self.comment("new", 9), Self.comment("a", 5)]
    let sorted = comments.sorted(by: TimelineOrder.precedes).map(\.id.text)
    #expect(sorted == ["a", "b", "new"])
  }

  @Test func `a clock that is behind does not put a comment before the caption`() {
    let post = Self.post("p", 1_000)
    #expect(TimelineOrder.commentTime(Timestamp(microseconds: 3), on: post).microseconds == 1_001)
    #expect(
      TimelineOrder.commentTime(Timestamp(microseconds: 2_000), on: post).microseconds == 2000)
    let last = Self.post("p", .max)
    #expect(TimelineOrder.commentTime(Timestamp(microseconds: 3), on: last).microseconds == 3)
  }

  @Test(arguments: [
    ("fall", "Behind the waterfall"), ("FALL", "waterfall"), ("cafe", "Vor dem Café"),
    ("éte", "un ete"), ("water fall", "A fall of water"), ("straße", "STRASSE"), ("  ", "anything"),
  ])
  func `a word is found anywhere in a comment, without case and accents`(
    typed: String, text: String
  ) throws {
    #expect(try TimelineSearch(typed).matches(TimelineSearch.folded(text)))
  }

  @Test(arguments: [("falls", "waterfall"), ("water snow", "waterfall"), ("?", "why")])
  func `what is not there is not found`(typed: String, text: String) throws {
    #expect(try !TimelineSearch(typed).matches(TimelineSearch.folded(text)))
  }

  @Test func `a search beyond its bounds is refused`() {
    let long = String(repeating: "a", count: TimelineSearch.bytesMaximum + 1)
    #expect(throws: RecordsError.self) { try TimelineSearch(long) }
    let many = String(repeating: "a ", count: TimelineSearch.wordsMaximum + 1)
    #expect(throws: RecordsError.self) { try TimelineSearch(many) }
  }
}
