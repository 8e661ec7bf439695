import Records
import Testing
import Timeline

@Suite("T2 a caption and a comment say something")
struct CommentTextTests {
  @Test(arguments: ["", " ", "\n\t ", "\u{A0}"])
  func `nothing but blanks is refused`(text: String) {
    let error = #expect(throws: RecordsError.self) { try CommentText(text, field: "caption") }
    #expect(error?.code == .invalidArguments)
    #expect(error?.field == "caption")
    #expect(error?.message.contains("caption") == true)
  }

  @Test func `blanks around a comment do not count, line ends within do`() throws {
    #expect(try CommentText("  First\nsecond \n", field: "text").text == "First\nsecond")
  }

  @Test func `the longest comment is taken and one byte more is not`() throws {
    let longest = String(repeating: "a", count: CommentText.bytesMaximum)
    #expect(try CommentText(longest, field: "text").text == longest)
    let error = #expect(throws: RecordsError.self) { try CommentText(longest + "b", field: "text") }
    #expect(error?.code == .limitExceeded)
    #expect(error?.field == "text")
  }

  @Test(arguments: ["a\u{0}b", "\u{1B}[31mred", "x\u{7F}y", "a\u{9B}b"])
  func `what a terminal would obey is refused`(text: String) {
    let error = #expect(throws: RecordsError.self) { try CommentText(text, field: "text") }
    #expect(error?.code == .invalidArguments)
  }

  @Test func `an excerpt is one short line`() {
    #expect(CommentText.excerpt(of: "one\n\ntwo\tthree") == "one two three")
    let long = CommentText.excerpt(of: String(repeating: "word ", count: 100_000))
    #expect(long.count == 80)
    #expect(long.hasSuffix("…"))
  }

  @Test func `an excerpt has few bytes, whatever its characters are made of`() throws {
    let accents = "e" + String(repeating: "\u{301}", count: 500_000)
    #expect(CommentText.excerpt(of: accents) == "…")
    let families = String(repeating: "👨‍👩‍👧‍👦", count: 80)
    #expect(CommentText.excerpt(of: families).utf8.count <= CommentText.excerptBytes + 3)
    // A title that is written out of one can be saved.
    let form = try TimelineSubscription.commentsForm(RecordName(stored: "p"), caption: families)
    #expect((form.notification.title?.utf8.count ?? 0) < 1024)
  }

  @Test
  func `a comment longer than any that can be said is none, and a type longer than any no type`() {
    func comment(_ count: Int) -> Timeline.Comment? {
      CommentRecord.comment(
        named: RecordName(stored: "c"),
        fields: CommentRecord.fields(
          of: Timeline.Comment(
            id: RecordName(stored: "c"), post: RecordName(stored: "p"),
            text: String(repeating: "a", count: count), timestamp: Timestamp(microseconds: 1))))
    }
    #expect(comment(CommentText.bytesMaximum) != nil)
    #expect(comment(CommentText.bytesMaximum + 1) == nil)
    let post = Post(
      id: RecordName(stored: "p"),
      photo: Asset(digest: Array(repeating: 1, count: 32), sizeBytes: 1),
      mediaType: String(repeating: "x", count: 300), width: 1, height: 1,
      timestamp: Timestamp(microseconds: 1))
    #expect(PostRecord.post(named: post.id, fields: PostRecord.fields(of: post))?.mediaType == "")
  }
}
