import Records
import Testing

@testable import AgentAPI

@Suite("T1, T3 the timeline as JSON")
struct PostsViewTests {
  private static let time = Timestamp(microseconds: 7)
  private static let post = PostItem(
    id: "p", caption: nil, timestamp: time, author: "ada", authorName: "Ada L.", own: true,
    state: "unsynced", synced: false,
    photo: PostPhotoItem(
      type: "image/png", width: 300, height: 200, bytes: 9, digest: "d", here: false),
    commentCount: 1)
  /// The properties of the post, without the brackets of its object.
  private static let properties =
    #""id":"p","caption":null,"timestamp":"\#(time)","author":"ada","authorName":"Ada L.","#
    + #""own":true,"state":"unsynced","synced":false,"photo":{"type":"image/png","width":300,"height":200,"#
    + #""bytes":9,"digest":"d","here":false},"commentCount":1"#
  private static let comment = CommentItem(
    id: "c", post: "p", text: "Hello", timestamp: time, author: "bob", authorName: "someone",
    own: false, state: "synced", synced: true)
  private static let commentText =
    #"{"id":"c","post":"p","text":"Hello","timestamp":"\#(time)","author":"bob","#
    + #""authorName":"someone","own":false,"state":"synced","synced":true}"#

  @Test func `a post of a list has no comments, and its photo no path`() throws {
    try expectCoding(
      PostsView(posts: [Self.post], next: nil),
      as: #"{"schema":1,"posts":[{\#(Self.properties)}],"next":null}"#)
    try expectCoding(
      PostsView(posts: [], next: "n"), as: #"{"schema":1,"posts":[],"next":"n"}"#)
    #expect(PostsView.listKey == "posts")
  }

  @Test func `a single post has its comments in the same object`() throws {
    try expectCoding(
      SinglePostView(post: Self.post, comments: [Self.comment], fetchedBytes: nil, next: nil),
      as: #"{"schema":1,\#(Self.properties),"comments":[\#(Self.commentText)],"#
        + #""fetchedBytes":null,"next":null}"#)
    #expect(SinglePostView.listKey == "comments")
  }

  @Test func `a single post can be read as a post of a list`() throws {
    var post = Self.post
    post.photo.path = "/a"
    let single = SinglePostView(post: post, comments: [], fetchedBytes: 9, next: "n")
    let bytes = try OrderedJSON.bytes(of: single)
    #expect(try decoded(PostItem.self, bytes) == post)
    #expect(try decoded(SinglePostView.self, bytes) == single)
  }

  @Test func `comments are in a list, or alone behind the schema`() throws {
    try expectCoding(
      CommentsView(comments: [Self.comment]),
      as: #"{"schema":1,"comments":[\#(Self.commentText)]}"#)
    let single = try OrderedJSON.bytes(of: SingleView(Self.comment))
    #expect(
      String(decoding: single, as: UTF8.self) == #"{"schema":1,"# + Self.commentText.dropFirst())
    #expect(try decoded(CommentItem.self, single) == Self.comment)
    try expectBody(CommentForm(text: "Hello"), as: #"{"text":"Hello"}"#)
    try expectBody(CommentForm(text: nil), as: "{}")
    try expectBody(CaptionForm(caption: "Falls"), as: #"{"caption":"Falls"}"#)
  }

  @Test func `following and the state of the timeline have all keys`() throws {
    try expectCoding(
      FollowView(post: "p", following: true, followingAuthor: false),
      as: #"{"schema":1,"post":"p","following":true,"followingAuthor":false}"#)
    try expectCoding(
      TimelineView(
        state: "offline", syncing: false, unsyncedPosts: 1, unsyncedComments: 2, wantedPhotos: 3,
        wantedPhotoBytes: 4, lastSync: nil, refusal: nil),
      as: #"{"schema":1,"state":"offline","syncing":false,"unsyncedPosts":1,"#
        + #""unsyncedComments":2,"wantedPhotos":3,"wantedPhotoBytes":4,"lastSync":null,"#
        + #""refusal":null}"#)
    try expectBody(TimelineSyncForm(waitSeconds: 1.5), as: #"{"waitSeconds":1.5}"#)
  }
}
