// Following a post notifies the account of its comments; following an author, of new posts. It applies to all
// devices of the account.

import AgentAPI
import ArgumentParser

/// `follow`: follow a post or its author.
struct FollowCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow", abstract: "Follow a post or its author.",
    discussion: """
      Prints “following” or “not following”. Desktop notifications appear after “contactsctl \
      permission notifications allow”; “contactsctl notifications” always lists them.
      """)

  @Argument(help: ArgumentHelp("The post's id.", valueName: "post")) var post: String
  @Flag(help: "Apply to the author of the post instead of its comments.") var author = false
  @Flag(help: "Only print whether it is followed.") var state = false
  @Flag(help: "Follow it if it is not followed, otherwise unfollow it.") var toggle = false
  @OptionGroup var global: GlobalFlags

  func validate() throws {
    if state && toggle { throw ValidationError("Use either --state or --toggle, not both.") }
  }

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let reply =
      state
      ? try await session.agent.get(.follow(post: post))
      : try await session.agent.send(
        toggle ? .post : .put, .follow(post: post), query: Self.query(isAboutAuthor: author))
    return try Self.show(reply, isAboutAuthor: author, session)
  }

  static func query(isAboutAuthor: Bool) -> [(String, String)] {
    isAboutAuthor ? [(AgentQuery.author, "true")] : []
  }

  static func show(
    _ reply: AgentReply, isAboutAuthor: Bool, _ session: CommandSession
  ) throws(ControlFailure) -> ExitStatus {
    if session.printer.style == .json {
      session.printer.json(reply.bytes)
    } else {
      let view = try reply.decoded(as: FollowView.self)
      let isFollowing = isAboutAuthor ? view.followingAuthor : view.following
      session.printer.row([isFollowing ? "following" : "not following"])
    }
    return .done
  }
}

/// `unfollow`: no longer follow a post or its author.
struct UnfollowCommand: ControlCommand {
  static let configuration = CommandConfiguration(
    commandName: "unfollow", abstract: "Stop following a post or its author.")

  @Argument(help: ArgumentHelp("The post's id.", valueName: "post")) var post: String
  @Flag(help: "Apply to the author of the post instead of its comments.") var author = false
  @OptionGroup var global: GlobalFlags

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let reply = try await session.agent.send(
      .delete, .follow(post: post), query: FollowCommand.query(isAboutAuthor: author))
    return try FollowCommand.show(reply, isAboutAuthor: author, session)
  }
}
