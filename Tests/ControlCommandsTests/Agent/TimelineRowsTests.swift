import AgentAPI
import Records
import Testing

@testable import ControlCommands

@Suite("T1 posts and comments in lists")
struct TimelineRowsTests {
  private static func comment(_ authorName: String) -> CommentItem {
    CommentItem(
      id: "c", post: "p", text: "Hello", timestamp: Timestamp(microseconds: 0), author: "a1",
      authorName: authorName, own: false, state: "synced", synced: true)
  }

  private static func post(_ authorName: String) -> PostItem {
    PostItem(
      id: "p", caption: "Falls", timestamp: Timestamp(microseconds: 0), author: "a1",
      authorName: authorName, own: false, state: "synced", synced: true,
      photo: PostPhotoItem(
        type: "image/png", width: 1, height: 1, bytes: 1, digest: "d", here: true),
      commentCount: 1)
  }

  @Test func `on a terminal a comment has its id, and says that it was edited or not sent`() {
    var comment = Self.comment("Bob B.")
    let time = LocalTime.shown(comment.timestamp.description)
    #expect(comment.heading(shortID: "0190ab") == "Bob B., \(time)  0190ab")
    (comment.edited, comment.state) = (true, "unsynced")
    #expect(comment.heading(shortID: "0190ab") == "Bob B., \(time), unsynced (edited)  0190ab")
  }

  @Test func `authors have the names that people read`() {
    #expect(Self.post("Bob B.").row[2] == "Bob B." && Self.comment("Bob B.").row[2] == "Bob B.")
    #expect(Self.post("someone").row[2] == "someone")
  }
}
