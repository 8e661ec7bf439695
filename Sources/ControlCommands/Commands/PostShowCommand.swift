// Shows one post with its photo and comments. A terminal that supports pictures shows the photo; otherwise
// the output contains its size and the command that exports it.

import AgentAPI
import ArgumentParser
import ByteCounts
import Records

extension PostCommand {
  /// `post show`.
  struct Show: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show a post, its photo and its comments, oldest first.",
      discussion: """
        The photo is drawn if the terminal supports kitty's graphics protocol (PNG), or in any \
        terminal and format if “chafa” is installed.
        """)

    @Argument(help: ArgumentHelp("The post's id.", valueName: "post")) var post: String
    @Flag(name: .customLong("no-photo"), help: "Do not draw the photo.") var isWithoutPhoto = false
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let printer = session.printer
      var pages = [try await session.agent.get(.post(post))]
      while let next = pages.last?.next {
        pages.append(
          try await session.agent.get(.post(post), query: [(AgentQuery.cursor, next)]))
      }
      guard printer.style != .json else {
        printer.json(try JSONText.joined(pages.map(\.bytes), list: SinglePostView.listKey))
        return .done
      }
      let views = try pages.map { (page) throws(ControlFailure) in
        try page.decoded(as: SinglePostView.self)
      }
      let view = views[0].post
      let comments = views.flatMap(\.comments)
      guard printer.style == .terminal else {
        await printer.rows([view.row] + comments.map(\.row))
        return .done
      }
      if !isWithoutPhoto { try await draw(view, in: session) }
      await printer.page(lines(of: view, comments, printer))
      return .done
    }

    private func lines(
      of view: PostItem, _ comments: [CommentItem], _ printer: Printer
    ) -> [String] {
      let photo = view.photo
      let size = photo.width > 0 ? ", \(photo.width) × \(photo.height)" : ""
      let place = photo.path ?? (photo.here ? "" : "not on this device")
      let head = [
        "\(PlainText.clean(view.authorName)), \(LocalTime.shown(view.timestamp.description)), \(view.state)",
        printer.emphasized(
          PlainText.clean("\(photo.type)\(size), \(ByteCount(photo.bytes)) \(place)"), .dim),
      ]
      let short = ShortIDs(comments.map(\.id))
      let said = comments.flatMap { comment in
        ["", printer.emphasized(comment.heading(shortID: short[comment.id]), .dim)]
          + comment.text.split(separator: "\n", omittingEmptySubsequences: false).map {
            PlainText.clean(String($0))
          }
      }
      return head + said
    }

    private func draw(_ view: PostItem, in session: CommandSession) async throws(ControlFailure) {
      guard PictureRenderer.mayDraw else { return }
      do {
        let reply = try await session.agent.get(.postPhoto(post))
        // NB: The type that the agent determined from the bytes counts, not what the author claimed.
        guard let renderer = PictureRenderer(for: reply.mediaType) else {
          return session.printer.remark(
            "This terminal cannot show the photo. To save it to a file: contactsctl post export ID")
        }
        try await renderer.draw(reply.bytes, on: session.printer)
      } catch {
        // The comments are shown even if the photo is not available.
        session.printer.remark("The photo is not shown: \(error.message)")
      }
    }
  }
}
