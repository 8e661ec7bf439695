import Records
import Testing
import Timeline

@Suite("T1 posts and comments as records")
struct PostRecordTests {
  static let photo = Asset(digest: [UInt8](repeating: 7, count: 32), sizeBytes: 2048)
  static let post = Post(
    id: RecordName(stored: "p1"), photo: photo, mediaType: "image/jpeg", width: 4032,
    height: 3024, timestamp: Timestamp(microseconds: 1_000_000))

  @Test func `a post outlives the way into a record and back`() {
    let read = PostRecord.post(named: Self.post.id, fields: PostRecord.fields(of: Self.post))
    #expect(read == Self.post)
    #expect(read?.title == "Photo 4032 × 3024")
  }

  @Test func `a record without a photo or a time is no post`() {
    var fields = PostRecord.fields(of: Self.post)
    fields[PostRecord.photo] = nil
    #expect(PostRecord.post(named: Self.post.id, fields: fields) == nil)
    fields = PostRecord.fields(of: Self.post)
    fields[PostRecord.timestamp] = .string("yesterday")
    #expect(PostRecord.post(named: Self.post.id, fields: fields) == nil)
  }

  @Test func `odd fields beside the photo hide nothing`() {
    var fields = PostRecord.fields(of: Self.post)
    fields["width"] = .int64(-5)
    fields["mediaType"] = .boolean(true)
    let read = PostRecord.post(named: Self.post.id, fields: fields)
    #expect(read?.width == 0)
    #expect(read?.title == "Photo")
  }

  @Test func `a comment refers to its post and goes with it`() {
    let comment = Timeline.Comment(
      id: RecordName(stored: "c1"), post: Self.post.id, text: "By the waterfall",
      timestamp: Timestamp(microseconds: 5))
    let fields = CommentRecord.fields(of: comment)
    #expect(
      fields[CommentRecord.post] == .reference(Reference(record: Self.post.id, action: .deleteSelf))
    )
    #expect(CommentRecord.comment(named: comment.id, fields: fields) == comment)
  }

  @Test(arguments: ["text", "timestamp", "post"])
  func `a record that lacks one of its three fields is no comment`(key: String) throws {
    var fields = CommentRecord.fields(
      of: Timeline.Comment(
        id: RecordName(stored: "c1"), post: Self.post.id, text: "Hello",
        timestamp: Timestamp(microseconds: 5)))
    fields[try FieldKey(key)] = nil
    #expect(CommentRecord.comment(named: RecordName(stored: "c1"), fields: fields) == nil)
  }
}
