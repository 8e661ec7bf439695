// Lists of posts on a terminal.

import AgentAPI
import Records
import Testing

@testable import ControlCommands

@Suite("T1 the list of posts on a terminal")
struct PostListTests {
  private static func post(_ id: String, _ caption: String, state: String = "synced") -> PostItem {
    PostItem(
      id: id, caption: caption, timestamp: Timestamp(microseconds: 1_764_000_000_000_000),
      author: "alice", authorName: "alice", own: true, state: state, synced: state == "synced",
      photo: PostPhotoItem(
        type: "image/png", width: 1, height: 1, bytes: 1, digest: "d", here: true),
      commentCount: 2)
  }

  private static let caption = "The upper falls after three days of rain in the mountains"

  @Test func `the caption has the room that short ids and times leave`() throws {
    let posts = [
      Self.post("01a1fd03-0f97-766f-8eda-3a366f278a75", Self.caption),
      Self.post("01a1fd03-1a02-7111-8eda-3a366f278a75", "Boats"),
    ]
    let lines = PostList.lines(posts, limit: 80)
    #expect(lines[0].hasPrefix("The upper falls after three days of …  alice  20"))
    #expect(lines.allSatisfy { TextWidth.columns(of: $0) == 80 })
    #expect(lines[0].hasSuffix("  2  01a1fd03-0f97") && lines[1].hasSuffix("  2  01a1fd03-1a02"))
    #expect(PostList.lines(posts, limit: 200)[0].hasPrefix(Self.caption + "  alice  "))
  }

  @Test func `ids of one millisecond are longer, and a post that is not sent shows its state`() {
    let posts = [
      Self.post("01a1fd03-0f97-766f-8eda-3a366f278a75", Self.caption, state: "unsynced"),
      Self.post("01a1fd03-0f97-7111-8eda-3a366f278a75", "Boats"),
    ]
    let lines = PostList.lines(posts, limit: 80)
    #expect(lines[0].hasSuffix("  2  unsynced  01a1fd03-0f97-76"))
    #expect(lines[1].hasSuffix("  2            01a1fd03-0f97-71"))
    #expect(lines.allSatisfy { TextWidth.columns(of: $0) == 80 })
  }
}
