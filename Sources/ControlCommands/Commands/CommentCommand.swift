// Comments on posts. All accounts of the broker see a comment; only its author can edit or delete it (`post rm`).

import AgentAPI
import ArgumentParser

/// `comment`: comment on a post.
struct CommentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "comment", abstract: "Comment on a post, or edit a comment.",
    discussion: """
      Every account on the broker can read a comment. “contactsctl post rm ID” deletes it.
      """,
    subcommands: [Add.self, Edit.self], defaultSubcommand: Add.self)

  /// `comment add`.
  struct Add: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Comment on a post and print the comment's id.",
      discussion: "“contactsctl comment POST TEXT” does the same.", aliases: ["new"])

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

  /// `comment edit`.
  struct Edit: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "edit", abstract: "Replace the text of one of your comments.",
      discussion: """
        Only the author of a comment can edit it. Without a broker the new text is stored here \
        and sent once the broker can be reached.
        """)

    @Argument(help: ArgumentHelp("The comment's id.", valueName: "comment")) var comment: String
    @Argument(help: ArgumentHelp("The new text.", valueName: "text")) var text: [String]
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let reply = try await session.agent.send(
        .patch, .comment(comment), body: CommentForm(text: text.joined(separator: " ")))
      if session.printer.style == .json { session.printer.json(reply.bytes) }
      return .done
    }
  }
}
