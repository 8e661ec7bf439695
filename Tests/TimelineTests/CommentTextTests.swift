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
}
