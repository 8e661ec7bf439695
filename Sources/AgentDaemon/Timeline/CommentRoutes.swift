// Comments: added to a post, listed by their state, deleted by their authors.

import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import Timeline
import TimelineStore

extension AgentAPI {
  func addCommentRoutes(to router: Router<BasicRequestContext>) {
    let root = router.group("v1")
    root.post("posts/:id/comments") { request, context in
      try await comment(on: name(context), request)
    }
    root.get("comments") { request, _ in
      let comments = try reader.comments(try Self.states(request))
      let who = try await identity(knowing: comments.map(\.author))
      var json = JSONWriter(reservingBytes: 256 * (comments.count + 1))
      json.object { json in
        json.schema()
        json.key("comments")
        json.list(comments) { json, comment in json.comment(comment, who: who) }
      }
      return Response.json(json)
    }
    root.delete("comments/:id") { _, context in
      let name = try name(context)
      guard try reader.comment(named: name) != nil else {
        throw RecordsError(
          .unknownItem, "There is no comment “\(name.text.prefix(80))” here.", record: name)
      }
      try await driver.edit { replica, now in ((), try replica.delete(timeline: name, now: now)) }
      return Response(status: .noContent)
    }
  }

  private func comment(on post: RecordName, _ request: Request) async throws -> Response {
    let text = try CommentText(
      try await body(request, as: CommentForm.self).text ?? "", field: "text")
    let name = try await driver.edit { replica, now in
      var generator = SystemRandomNumberGenerator()
      return try replica.comment(on: post, text, now: now, using: &generator)
    }
    guard let view = try reader.comment(named: name) else { throw RecordsError.noPost(post) }
    let who = try await identity(knowing: [view.author])
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.properties(of: view, who: who)
    }
    return .json(json, status: .created)
  }
}

/// The body of `POST` on a post's comments.
private struct CommentForm: Decodable, Sendable {
  let text: String?
}
