import DaemonKit
import DeviceStore
import Foundation
import NIOCore
import NIOHTTP1
import Records
import Testing
import Timeline
import TimelineStore

@testable import AgentDaemon
@testable import DeviceDriver

@Suite("T1, T2, T3, T5 post routes")
struct PostRoutesTests {
  /// A whole picture of 300 × 200.
  static func picture() -> [UInt8] { PhotoRoutesTests.picture(byteCount: 50_000) }

  private func send(
    _ bytes: [UInt8], caption: String?, to agent: RunningAgent
  ) async throws -> (status: Int, json: [String: Any]) {
    let text = caption?.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
    let path = "/v1/posts" + (text.map { "?caption=\($0)" } ?? "")
    let response = try await HTTPTestClient(socket: agent.socket).send(
      HTTPTestRequest(.POST, path, bytes: bytes))
    let body = try await response.body.collect(upTo: 16 << 20)
    let json = try? JSONSerialization.jsonObject(with: Data(body.readableBytesView))
    return (Int(response.status.code), json as? [String: Any] ?? [:])
  }

  private func post(_ caption: String, to agent: RunningAgent) async throws -> String {
    let made = try await send(Self.picture(), caption: caption, to: agent)
    #expect(made.status == 201)
    return try #require(made.json["id"] as? String)
  }

  private func code(_ json: [String: Any]) -> String? {
    (json["error"] as? [String: Any])?["code"] as? String
  }

  @Test func `a post is made, listed, looked at, commented on and deleted`() async throws {
    try await RunningAgent.with { agent in
      let id = try await post("Behind the Waterfall", to: agent)
      let shown = try await agent.ask(.GET, "/v1/posts/\(id)")
      #expect(shown.status == 200)
      #expect(shown.json["caption"] as? String == "Behind the Waterfall")
      #expect(shown.json["state"] as? String == "unsynced")
      #expect(shown.json["author"] as? String == "ada" && shown.json["own"] as? Bool == true)
      let photo = try #require(shown.json["photo"] as? [String: Any])
      #expect(photo["type"] as? String == "image/png")
      #expect(photo["width"] as? Int == 300 && photo["height"] as? Int == 200)
      #expect(photo["here"] as? Bool == true)
      let path = try #require(photo["path"] as? String)
      #expect(FileManager.default.contents(atPath: path).map(Array.init) == Self.picture())
      let said = try await agent.ask(
        .POST, "/v1/posts/\(id)/comments", #"{"text": " Where is that? "}"#)
      #expect(said.status == 201)
      #expect(said.json["text"] as? String == "Where is that?")
      let again = try await agent.ask(.GET, "/v1/posts/\(id)")
      #expect(
        again.list("comments").map { $0["text"] as? String }
          == ["Behind the Waterfall", "Where is that?"])
      #expect(try await agent.ask(.GET, "/v1/posts?q=FALL").list("posts").count == 1)
      #expect(try await agent.ask(.GET, "/v1/posts?q=snow").list("posts").isEmpty)
      let bytes = try await agent.open(.GET, "/v1/posts/\(id)/photo").body.collect(upTo: 1 << 20)
      #expect(Array(bytes.readableBytesView) == Self.picture())
      #expect(try await agent.ask(.DELETE, "/v1/posts/\(id)").status == 204)
      #expect(try await agent.ask(.GET, "/v1/posts/\(id)").status == 404)
      #expect(try await agent.ask(.GET, "/v1/posts").list("posts").isEmpty)
    }
  }

  @Test func `six characters of an id name a post or a comment, and five name none`()
    async throws
  {
    try await RunningAgent.with { agent in
      let id = try await post("Behind the Waterfall", to: agent)
      // The first comment was written in the same millisecond: its id begins like that of the post.
      let shown = try await agent.ask(.GET, "/v1/posts/\(id.prefix(6))")
      #expect(shown.json["id"] as? String == id)
      #expect(try await agent.ask(.GET, "/v1/posts/\(id.prefix(5))").status == 404)
      #expect(try await agent.ask(.GET, "/v1/posts/\(id)0").status == 404)
      let said = try await agent.ask(
        .POST, "/v1/posts/\(id.dropLast())/comments", #"{"text": "Where is that?"}"#)
      #expect(said.status == 201)
      let comment = try #require(said.json["id"] as? String)
      #expect(try await agent.ask(.DELETE, "/v1/posts/\(comment.dropLast())").status == 204)
      let other = try await post("Another one", to: agent)
      // Ids begin with the time. The first six characters change every 4.6 hours, perhaps just now.
      let ambiguous = id.commonPrefix(with: other)
      if ambiguous.count >= 6 {
        let refused = try await agent.ask(.DELETE, "/v1/posts/\(ambiguous)")
        #expect(refused.code == "invalidArguments")
      }
      #expect(try await agent.ask(.GET, "/v1/posts").list("posts").count == 2)
      #expect(try await agent.ask(.DELETE, "/v1/posts/\(id.dropLast())").status == 204)
      #expect(try await agent.ask(.GET, "/v1/posts/\(id)").status == 404)
      #expect(try await agent.ask(.GET, "/v1/posts/\(other.dropLast())").status == 200)
    }
  }

  @Test func `on a full disk a photo that is here is looked at all the same`() async throws {
    let nowhere = DiskReserve(path: "/nowhere/at/all/reserve")
    try await RunningAgent.with(reserve: nowhere) { agent in
      let asset = try await agent.driver.files.save(Self.picture())
      let id = try await agent.driver.put(asset)
      let refused = try await agent.ask(
        .POST, "/v1/posts/\(id)/comments", #"{"text": "No room"}"#)
      #expect(refused.status == 507)
      let photo = try await agent.open(.GET, "/v1/posts/\(id)/photo")
      #expect(photo.status == .ok)
      let bytes = try await photo.body.collect(upTo: 1 << 20)
      #expect(Array(bytes.readableBytesView) == Self.picture())
    }
  }

  @Test func `posts and comments are listed by whether the broker has them`() async throws {
    try await RunningAgent.with { agent in
      _ = try await post("One", to: agent)
      #expect(try await agent.ask(.GET, "/v1/posts?state=synced").list("posts").isEmpty)
      let unsynced = try await agent.ask(.GET, "/v1/posts?state=unsynced,syncing")
      #expect(unsynced.list("posts").count == 1)
      #expect(try await agent.ask(.GET, "/v1/comments?state=unsynced").list("comments").count == 1)
      #expect(try await agent.ask(.GET, "/v1/comments?state=synced").list("comments").isEmpty)
      #expect(try await agent.ask(.GET, "/v1/posts?state=odd").code == "invalidArguments")
      let standing = try await agent.ask(.GET, "/v1/timeline")
      #expect(standing.json["unsyncedPosts"] as? Int == 1)
      #expect(standing.json["syncing"] as? Bool == false)
    }
  }

  @Test func `without a caption, or with an empty one, nothing is posted`() async throws {
    try await RunningAgent.with { agent in
      for caption in [nil, "", " \n"] {
        let refused = try await send(Self.picture(), caption: caption, to: agent)
        #expect(refused.status == 400 && code(refused.json) == "invalidArguments")
        #expect((refused.json["error"] as? [String: Any])?["field"] as? String == "caption")
      }
      #expect(try await agent.ask(.GET, "/v1/posts").list("posts").isEmpty)
    }
  }

  @Test func `an incomplete picture is rejected with a message and changes nothing`() async throws {
    try await RunningAgent.with { agent in
      let before = try await agent.ask(.GET, "/v1/status").json["waitingEdits"] as? Int
      let whole = Self.picture()
      var bomb = whole
      bomb.replaceSubrange(16..<20, with: [0x7F, 0xFF, 0xFF, 0xFF])
      for (bytes, code) in [
        ([], "invalidArguments"), (Array("%PDF-1.7 no picture".utf8), "invalidArguments"),
        (Array(whole.dropLast(9)), "invalidArguments"),
        (Array(whole.prefix(2000)), "invalidArguments"), (bomb, "limitExceeded"),
        (whole + [UInt8](repeating: 0, count: 21 << 20), "limitExceeded"),
      ] {
        let refused = try await send(bytes, caption: "Look", to: agent)
        #expect(self.code(refused.json) == code, "\(bytes.count) bytes")
        let message = (refused.json["error"] as? [String: Any])?["message"] as? String
        #expect(message?.hasSuffix(".") == true)
      }
      #expect(try await agent.ask(.GET, "/v1/posts").list("posts").isEmpty)
      let after = try await agent.ask(.GET, "/v1/status").json["waitingEdits"] as? Int
      #expect(before != nil && after == before)
    }
  }

  @Test func `an empty comment, and one on nothing, are refused`() async throws {
    try await RunningAgent.with { agent in
      let id = try await post("One", to: agent)
      let empty = try await agent.ask(.POST, "/v1/posts/\(id)/comments", #"{"text": "  "}"#)
      #expect(empty.status == 400 && empty.code == "invalidArguments")
      let missing = try await agent.ask(.POST, "/v1/posts/\(id)/comments", "{}")
      #expect(missing.code == "invalidArguments")
      let nowhere = try await agent.ask(.POST, "/v1/posts/x/comments", #"{"text": "Hello"}"#)
      #expect(nowhere.status == 404)
      #expect(try await agent.ask(.GET, "/v1/posts/\(id)").list("comments").count == 1)
    }
  }

  @Test func `a caption and a comment are edited, within the limits of new ones`() async throws {
    try await RunningAgent.with { agent in
      let id = try await post("Behind the Waterfal", to: agent)
      let edited = try await agent.ask(.PATCH, "/v1/posts/\(id)", #"{"caption": " Falls "}"#)
      #expect(edited.status == 200 && edited.json["caption"] as? String == "Falls")
      #expect(edited.list("comments").map { $0["text"] as? String } == ["Falls"])
      #expect(try await agent.ask(.GET, "/v1/posts?q=waterfal").list("posts").isEmpty)
      let said = try await agent.ask(.POST, "/v1/posts/\(id)/comments", #"{"text": "Wher?"}"#)
      let comment = try #require(said.json["id"] as? String)
      let path = "/v1/comments/\(comment.dropLast())"
      let again = try await agent.ask(.PATCH, path, #"{"text": "Where?"}"#)
      #expect(again.status == 200 && again.json["text"] as? String == "Where?")
      #expect(again.json["timestamp"] as? String == said.json["timestamp"] as? String)
      let long = String(repeating: "x", count: CommentText.bytesMaximum + 1)
      for (path, key) in [(path, "text"), ("/v1/posts/\(id)", "caption")] {
        for body in ["{}", "{\"\(key)\": \" \"}", "{\"\(key)\": \"a\\u0007\"}"] {
          let refused = try await agent.ask(.PATCH, path, body)
          #expect(refused.status == 400 && refused.code == "invalidArguments", "\(body)")
        }
        let refused = try await agent.ask(.PATCH, path, "{\"\(key)\": \"\(long)\"}")
        #expect(refused.code == "limitExceeded")
      }
      let shown = try await agent.ask(.GET, "/v1/posts/\(id)").list("comments")
      #expect(shown.map { $0["text"] as? String } == ["Falls", "Where?"])
    }
  }

  @Test func `a post or comment that is not here is not edited`() async throws {
    try await RunningAgent.with { agent in
      let id = try await post("One", to: agent)
      let lines = [
        ("/v1/posts/nowhere", #"{"caption": "x"}"#), ("/v1/comments/nowhere", #"{"text": "x"}"#),
        ("/v1/comments/\(id)", #"{"text": "x"}"#),
      ]
      for (path, body) in lines {
        let refused = try await agent.ask(.PATCH, path, body)
        #expect(refused.status == 404 && refused.code == "unknownItem", "\(path)")
      }
    }
  }

  @Test func `writes to the timeline are no actions that could be undone`() async throws {
    try await RunningAgent.with { agent in
      let before = try await agent.ask(.GET, "/v1/actions").list("actions").count
      let id = try await post("One", to: agent)
      let comment = try await agent.ask(.POST, "/v1/posts/\(id)/comments", #"{"text": "Two"}"#)
      let commentID = try #require(comment.json["id"] as? String)
      let follow = try await agent.ask(.PUT, "/v1/posts/\(id)/follow")
      #expect(follow.status == 200, "\(follow.json)")
      let answers = [
        comment, follow,
        try await agent.ask(.PATCH, "/v1/comments/\(commentID)", #"{"text": "Three"}"#),
        try await agent.ask(.PATCH, "/v1/posts/\(id)", #"{"caption": "Four"}"#),
        try await agent.ask(.DELETE, "/v1/comments/\(commentID)"),
        try await agent.ask(.DELETE, "/v1/posts/\(id)"),
      ]
      #expect(answers.map(\.status) == [201, 200, 200, 200, 204, 204])
      for answer in answers { #expect(answer.headers.first(name: "undo-action") == nil) }
      #expect(try await agent.ask(.GET, "/v1/actions").list("actions").count == before)
    }
  }

  @Test func `an undo right after a deleted post undoes no older action, unless it is named`()
    async throws
  {
    try await RunningAgent.with { agent in
      let made = try await agent.ask(.POST, "/v1/contacts", #"{"firstName": "Greta"}"#)
      let action = try #require(made.headers.first(name: "undo-action"))
      let id = try await post("One", to: agent)
      #expect(try await agent.ask(.DELETE, "/v1/posts/\(id)").status == 204)
      let answer = try await agent.ask(.POST, "/v1/undo", "{}")
      #expect(answer.code == "constraintViolation")
      let error = answer.json["error"] as? [String: Any]
      #expect(
        error?["message"] as? String
          == "The last change was the deletion of a post, which cannot be undone.")
      #expect(
        error?["hint"] as? String
          == "To undo the change before it, of “Greta”: contactsctl undo \(action)")
      #expect(try await agent.ask(.POST, "/v1/undo", #"{"action": \#(action)}"#).status == 200)
    }
  }

  @Test func `an action after a deleted comment is undone as usual`() async throws {
    try await RunningAgent.with { agent in
      let id = try await post("One", to: agent)
      let comment = try await agent.ask(.POST, "/v1/posts/\(id)/comments", #"{"text": "Two"}"#)
      let commentID = try #require(comment.json["id"] as? String)
      #expect(try await agent.ask(.DELETE, "/v1/comments/\(commentID)").status == 204)
      _ = try await agent.ask(.POST, "/v1/contacts", #"{"firstName": "Greta"}"#)
      #expect(try await agent.ask(.POST, "/v1/undo", "{}").status == 200)
    }
  }

  @Test func `the album folder is a whole path`() async throws {
    try await RunningAgent.with { agent in
      let path = "/v1/settings/album"
      #expect(try await agent.ask(.GET, path).json["value"] as? String == "")
      #expect(try await agent.ask(.PUT, path, #"{"value": "photos"}"#).code == "invalidArguments")
      let set = try await agent.ask(.PUT, path, #"{"value": "/home/ada/Album"}"#)
      #expect(set.json["value"] as? String == "/home/ada/Album")
      let rule = try await agent.ask(.PUT, "/v1/settings/photo-size", #"{"value": "3MB"}"#)
      #expect(rule.code == "invalidArguments")
    }
  }

  @Test func `who watches hears a run begin and end, without numbers`() async throws {
    let started = try EventFeed.text(of: .started)
    #expect(String(buffer: started).hasPrefix("event: sync.started\ndata: {"))
    let finished = String(buffer: try EventFeed.text(of: .finished(isDone: true, nil)))
    #expect(finished.hasPrefix("event: sync.finished\ndata: {"))
    #expect(finished.contains("\"done\":true") && !finished.contains("id:"))
  }
}

extension ReplicaDriver {
  /// Posts a photo without a request, so that nothing checks the free space.
  fileprivate func put(_ asset: Asset) throws -> RecordName {
    var name: RecordName?
    act { now in
      var generator = SystemRandomNumberGenerator()
      let (posted, actions) = try replica.post(
        PostedPhoto(asset: asset, mediaType: "image/png", width: 300, height: 200),
        caption: CommentText("Here", field: "caption"), now: now, using: &generator)
      name = posted
      return actions
    }
    return try #require(name)
  }
}
