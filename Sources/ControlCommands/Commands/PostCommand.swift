// The timeline: photos that all accounts of the broker see, and comments on them. A post is named by its id;
// its caption is its first comment.

import AgentAPI
import ArgumentParser

/// `post`: the photo timeline.
struct PostCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "post",
    abstract: """
      Add, list, search, edit, export and delete posts of the photo timeline.
      """,
    discussion: """
      Every account on the broker can see and comment on a post. “contactsctl comment” adds a \
      comment; “contactsctl sync” synchronizes now.
      """,
    subcommands: [
      Add.self, List.self, Show.self, Search.self, Edit.self, Remove.self, Export.self,
    ], defaultSubcommand: List.self)

  /// `post add`.
  struct Add: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Post a photo with a caption and print the post's id.",
      discussion: """
        Every account on the broker can see the post. JPEG, PNG, WebP and HEIC are detected from the \
        file's contents. Without a broker the post is stored here and sent once the broker can be reached.
        """, aliases: ["new"])

    @Argument(
      help: ArgumentHelp("The image file; - is standard input.", valueName: "photo"),
      completion: .file())
    var photo: String
    @Option(help: ArgumentHelp("The caption, which becomes the first comment.", valueName: "text"))
    var caption: String
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let file = try PhotoFile(path: photo)
      let reply = try await session.agent.post(
        .posts, query: [(AgentQuery.caption, caption)], bytes: file.bytes,
        mediaType: file.mediaType)
      if session.printer.style == .json {
        session.printer.json(reply.bytes)
      } else {
        session.printer.row([try reply.decoded(as: PostItem.self).id])
        session.printer.remark("Every account on the broker can see it.")
      }
      return .done
    }
  }

  /// `post list`.
  struct List: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List posts, newest first: id, time, author, state, comments, caption.",
      discussion: """
        The state is synced, syncing or unsynced. With --comments, comments are listed instead, \
        newest first: id, time, author, state, text.
        """, aliases: ["ls"])

    @Option(name: .customShort("n"), help: "The maximum number of lines.") var count: Int?
    @Flag(help: "Only posts that the broker has.") var synced = false
    @Flag(help: "Only posts that the broker does not have yet.") var unsynced = false
    @Flag(help: "List comments instead of posts.") var comments = false
    @OptionGroup var global: GlobalFlags

    func validate() throws {
      if synced && unsynced {
        throw ValidationError("Use either --synced or --unsynced, not both.")
      }
      guard (count ?? 0) >= 0 else { throw ValidationError("-n must be 0 or more.") }
    }

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      var query: [(String, String)] = []
      if synced { query.append((AgentQuery.state, "synced")) }
      if unsynced { query.append((AgentQuery.state, "unsynced,syncing")) }
      guard comments else { return try await PostPages.show(query, atMost: count, session) }
      let reply = try await session.agent.get(.comments, query: query)
      if session.printer.style == .json {
        session.printer.json(reply.bytes)
      } else {
        let found = try reply.decoded(as: CommentsView.self).comments
        await session.printer.list(found.prefix(count ?? .max).map(\.row), leading: [4, 2])
      }
      return .done
    }
  }

  /// `post search`.
  struct Search: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "search", abstract: "Search posts by the text of their comments.",
      discussion: """
        Finds words anywhere in a comment, also within words (“fall” finds “waterfall”), ignoring \
        case and accents. One comment must contain all words.
        """, aliases: ["find"])

    @Argument(help: "The words to search for.") var text: [String]
    @Option(name: .customShort("n"), help: "The maximum number of lines.") var count: Int?
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      try await PostPages.show(
        [(AgentQuery.search, text.joined(separator: " "))], atMost: count, session)
    }
  }

  /// `post edit`.
  struct Edit: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "edit", abstract: "Replace the caption of one of your posts.",
      discussion: """
        The caption is the first comment. Only the author of a post can edit it. Without a broker \
        the new caption is stored here and sent once the broker can be reached.
        """)

    @Argument(help: ArgumentHelp("The post's id.", valueName: "post")) var post: String
    @Argument(help: ArgumentHelp("The new caption.", valueName: "caption")) var caption: [String]
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let reply = try await session.agent.send(
        .patch, .post(post), body: CaptionForm(caption: caption.joined(separator: " ")))
      if session.printer.style == .json { session.printer.json(reply.bytes) }
      return .done
    }
  }

  /// `post rm`.
  struct Remove: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "rm",
      abstract: "Permanently delete your own posts or comments, for all accounts.",
      discussion: "Deleting a post deletes its comments, including those of other accounts.",
      aliases: ["delete", "remove"])

    @Argument(help: ArgumentHelp("The ids of posts or comments.", valueName: "id"))
    var ids: [String]
    @OptionGroup var confirmation: ConfirmationFlags
    @OptionGroup var global: GlobalFlags

    private struct Deleted: Encodable, Sendable {
      let schema = 1
      let deleted: [String]

      enum CodingKeys: CodingKey { case schema, deleted }
    }

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      try confirmation.confirm(
        "Posts are deleted for all accounts, with all their comments. They cannot be restored.",
        "Delete them?", on: session.printer)
      var deleted: [String] = []
      var first: ControlFailure?
      for id in ids {
        do {
          _ = try await session.agent.send(.delete, .post(id))
          deleted.append(id)
        } catch {
          guard error.exitCode != .unreachable else { throw error }
          if first != nil || ids.count > 1 { session.printer.failed(error) }
          first = first ?? error
        }
      }
      if session.printer.style == .json {
        session.printer.json(try JSONText.encoded(Deleted(deleted: deleted)))
      } else {
        await session.printer.rows(deleted.map { [$0] })
      }
      if !deleted.isEmpty {
        session.printer.remark("Deleted for all accounts; this cannot be undone.")
      }
      guard let first else { return .done }
      guard ids.count > 1 else { throw first }
      return first.exitCode
    }
  }
}

/// Lists of posts, page by page.
enum PostPages {
  private static let postsPerPage = 500

  /// Shows up to `count` posts that match `query`.
  static func show(
    _ query: [(String, String)], atMost count: Int?, _ session: CommandSession
  ) async throws(ControlFailure) -> ExitStatus {
    var pages: [AgentReply] = []
    var left = count ?? .max
    var cursor: String?
    while left > 0 {
      let limit = min(left, postsPerPage)
      let page = try await session.agent.get(
        .posts,
        query: query + [(AgentQuery.limit, String(limit))]
          + (cursor.map { [(AgentQuery.cursor, $0)] } ?? []))
      pages.append(page)
      cursor = page.next
      left -= limit
      if cursor == nil { break }
    }
    if session.printer.style == .json {
      session.printer.json(try JSONText.joined(pages.map(\.bytes), list: PostsView.listKey))
      return .done
    }
    var posts: [PostItem] = []
    for page in pages { posts += try page.decoded(as: PostsView.self).posts }
    if session.printer.style == .terminal {
      await session.printer.page(PostList.lines(posts, limit: session.printer.terminal.columns))
    } else {
      await session.printer.rows(posts.map(\.row))
    }
    return .done
  }
}
