// Comments on posts. All accounts of the broker see a comment; only its author can delete it (`post rm`).

import AgentAPI
import ArgumentParser

/// `comment`: comment on a post.
struct CommentCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "comment", abstract: "Comment on a post and print the comment's id.",
    discussion: "Every account on the broker can read it. “contactsctl post rm ID” deletes it.")

  @Argument(help: ArgumentHelp("The post's id.", valueName: "post")) var post: String
  @Argument(help: ArgumentHelp("The text of the comment.", valueName: "text")) var text: [String]
  @OptionGroup var global: GlobalFlags

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let reply = try await session.agent.send(
      .post, .postComments(post), body: CommentForm(text: text.joined(separator: " ")))
    if session.printer.style == .json {
      session.printer.json(reply.bytes)
    } else {
      session.printer.row([try reply.decoded(as: CommentItem.self).id])
    }
    return .done
  }
}
