// Comments: added to a post, listed by their state, deleted by their authors.

import AgentAPI
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import Timeline
import TimelineStore

extension AgentRoutes {
  func addCommentRoutes(to router: Router<BasicRequestContext>) {
    router.post(AgentPath.postComments().route) { request, context in
      try await comment(on: name(context), request)
    }
    router.get(AgentPath.comments.route) { request, _ in
      let comments = try reader.comments(try Self.states(request))
      let who = try await identity(knowing: comments.map(\.author))
      return try Response.json(
        CommentsView(comments: comments.map { CommentItem($0, who: who) }),
        reservingBytes: 256 * (comments.count + 1))
    }
    router.delete(AgentPath.comment().route) { _, context in
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
    return try .json(SingleView(CommentItem(view, who: who)), status: .created)
  }
}
