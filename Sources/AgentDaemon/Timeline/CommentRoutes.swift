// Comments: added to a post, listed by their state, edited and deleted by their authors.

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
    router.patch(AgentPath.comment().route) { request, context in
      try await edit(comment: name(context), request)
    }
    router.delete(AgentPath.comment().route) { _, context in
      let name = try name(context)
      guard try reader.comment(named: name) != nil else { throw RecordsError.noComment(name) }
      return try await delete(name)
    }
  }

  /// Deletes a post or a comment.
  func delete(_ name: RecordName) async throws -> Response {
    try await requireAuthor(of: name, to: "delete")
    let noun = try reader.post(named: name) == nil ? "comment" : "post"
    try await driver.edit { replica, now in
      let last = FinalDeletion(noun: noun, after: try replica.reader.lastAction())
      return ((), try replica.delete(timeline: name, choosing: last.setting, now: now))
    }
    return Response(status: .noContent)
  }

  /// Requires that this account wrote the post or the comment `name`, if there is one.
  /// - Throws: `permissionFailure` with the name of the author.
  func requireAuthor(of name: RecordName, to verb: String) async throws {
    let post = try reader.post(named: name)
    let comment = try reader.comment(named: name)
    guard post?.isOwn == false || comment?.isOwn == false,
      let author = post?.author ?? comment?.author
    else { return }
    let who = try await identity(knowing: [author])
    throw RecordsError.notAuthor(
      ofThe: post == nil ? "comment" : "post", mayNot: verb, author: who.knownName(of: author))
  }

  private func edit(comment name: RecordName, _ request: Request) async throws -> Response {
    let text = try CommentText(
      try await body(request, as: CommentForm.self).text ?? "", field: "text")
    try await requireAuthor(of: name, to: "edit")
    try await driver.edit { replica, now in
      ((), try replica.edit(comment: name, text, now: now))
    }
    return try await shown(comment: name)
  }

  private func comment(on post: RecordName, _ request: Request) async throws -> Response {
    let text = try CommentText(
      try await body(request, as: CommentForm.self).text ?? "", field: "text")
    let name = try await driver.edit { replica, now in
      var generator = SystemRandomNumberGenerator()
      return try replica.comment(on: post, text, now: now, using: &generator)
    }
    return try await shown(comment: name, status: .created)
  }

  private func shown(
    comment name: RecordName, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    guard let view = try reader.comment(named: name) else { throw RecordsError.noComment(name) }
    let who = try await identity(knowing: [view.author])
    return try .json(SingleView(CommentItem(view, who: who)), status: status)
  }
}
