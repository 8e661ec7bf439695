// Something said about a post. Everybody sees it; only who said it takes it back (`post rm`).

import ArgumentParser

/// `comment`: something said about a post.
struct CommentVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "comment", abstract: "Comment on a post and print the comment's id.",
    discussion: "Every account on the broker can read it. “contactsctl post rm ID” deletes it.")

  @Argument(help: ArgumentHelp("The post's id.", valueName: "post")) var post: String
  @Argument(help: ArgumentHelp("The text of the comment.", valueName: "text")) var text: [String]
  @OptionGroup var global: GlobalFlags

  func run(in session: Session) async throws(ControlFailure) -> ExitStatus {
    let reply = try await session.agent.send(
      .post, ["posts", post, "comments"], body: CommentForm(text: text.joined(separator: " ")))
    if session.printer.style == .json {
      session.printer.json(reply.bytes)
    } else {
      session.printer.row([try reply.decoded(as: CommentView.self).id])
    }
    return .done
  }
}
