// Sharing a group and its link. The agent waits for the broker's answer; without a broker the exit code is
// 75.

import AgentAPI
import ArgumentParser
import QRCodes
import Records

/// A permission, as users type it.
enum SharedRight: String, ExpressibleByArgument, Sendable, CaseIterable {
  case none, read, write

  /// The agent's name for it.
  var word: String {
    switch self {
    case .none: "none"
    case .read: "readOnly"
    case .write: "readWrite"
    }
  }
}

/// `--read` and `--write`.
struct RightFlags: ParsableArguments, Sendable {
  @Flag(help: "Read only.") var read = false
  @Flag(help: "Read and write.") var write = false

  /// The agent's name for the given permission; `nil` if none was given.
  var word: String? { write ? "readWrite" : read ? "readOnly" : nil }

  func validate() throws {
    if read && write { throw ValidationError("Use either --read or --write, not both.") }
  }
}

/// The expiration and the maximum number of uses of a link.
struct LinkFlags: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp("The link expires after this time.", valueName: "7d|24h|30m"))
  var expires: SpanArgument?
  @Option(help: "The maximum number of accounts that can join with the link.") var uses: Int?

  func validate() throws {
    if let uses, uses < 1 { throw ValidationError("--uses must be 1 or more.") }
  }
}

/// `share`: share a group.
struct ShareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "share", abstract: "Share a group and manage its link.",
    discussion: """
      Sharing a group again prints the same link. The link works for invited accounts; with \
      --anyone it works for anyone who has it. An account that joins sees each contact as it is \
      at that time and every later version, and in the trash what is deleted from then on.
      """,
    subcommands: [Create.self, Show.self, Renew.self, Revoke.self, Stop.self],
    defaultSubcommand: Create.self)

  /// `share create`.
  struct Create: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "create",
      abstract: "Share a group and print its link, or print the link of a shared group.",
      discussion: """
        --read and --write set the permission of invited accounts; the default is to read.
        """)

    @Argument(help: "The group, by id or title.", completion: CompletionSource.groups)
    var group: String
    @OptionGroup var right: RightFlags
    @Option(help: "The permission of anyone with the link.") var anyone: SharedRight?
    @Option(name: .customLong("with"), help: "Invite this account. Can be repeated.")
    var invited: [String] = []
    @OptionGroup var link: LinkFlags
    @Flag(help: "Show the link as a QR code.") var qr = false
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let form = SharingForm(
        anyone: anyone?.word, permission: right.word, invite: invited.isEmpty ? nil : invited,
        expiresSeconds: link.expires?.seconds, uses: link.uses)
      let reply = try await session.agent.send(.post, .share(ofGroup: group), body: form)
      return try ShareLines.link(of: reply, qr: qr, session.printer)
    }
  }

  /// `share show`.
  struct Show: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show a group's link, its permission and its participants."
    )

    @Argument(help: "The group, by id or title.", completion: CompletionSource.groups)
    var group: String
    @Flag(help: "Show the link as a QR code.") var qr = false
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let reply = try await session.agent.get(.share(ofGroup: group))
      guard session.printer.style != .json else {
        session.printer.json(reply.bytes)
        return .done
      }
      let share = try reply.decoded(as: ShareView.self)
      await session.printer.rows(ShareLines.details(of: share), whole: [1])
      if qr, let link = share.link { ShareLines.code(link, session.printer) }
      if share.linkIsElsewhere { session.printer.remark(ShareLines.elsewhere) }
      return .done
    }
  }

  /// `share renew`.
  struct Renew: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "renew", abstract: "Replace the link. The old one stops working.")

    @Argument(help: "The group, by id or title.", completion: CompletionSource.groups)
    var group: String
    @OptionGroup var link: LinkFlags
    @Flag(help: "Show the link as a QR code.") var qr = false
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let form = ShareLinkForm(expiresSeconds: link.expires?.seconds, uses: link.uses)
      let reply = try await session.agent.send(
        .post, .link(ofGroup: group), body: form)
      return try ShareLines.link(of: reply, qr: qr, session.printer)
    }
  }

  /// `share revoke`.
  struct Revoke: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "revoke", abstract: "Disable the link. Participants stay.")

    @Argument(help: "The group, by id or title.", completion: CompletionSource.groups)
    var group: String
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      let reply = try await session.agent.send(.delete, .link(ofGroup: group))
      if session.printer.style == .json { session.printer.json(reply.bytes) }
      return .done
    }
  }

  /// `share stop`.
  struct Stop: ControlCommand {
    static let configuration = CommandConfiguration(
      commandName: "stop", abstract: "Stop sharing. Other accounts lose access to the group.")

    @Argument(help: "The group, by id or title.", completion: CompletionSource.groups)
    var group: String
    @OptionGroup var confirmation: ConfirmationFlags
    @OptionGroup var global: GlobalFlags

    func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
      try confirmation.confirm(
        "The group “\(group)” will be removed from the devices of all its participants, "
          + "and its link stops working.",
        "Stop sharing it?", on: session.printer)
      _ = try await session.agent.send(.delete, .share(ofGroup: group))
      if session.printer.style == .json {
        session.printer.json(try JSONText.encoded(ChangedGroup(group: group, shared: false)))
      }
      return .done
    }
  }
}

/// The JSON output about a group that was left or is no longer shared.
struct ChangedGroup: Encodable, Sendable {
  let schema = 1
  let group: String
  let shared: Bool

  enum CodingKeys: CodingKey { case schema, group, shared }
}

/// The output format of shares.
enum ShareLines {
  static let elsewhere =
    "The link was created on another of your devices, and only that device can show it. "
    + "To create a new one here: contactsctl share renew"

  /// Prints the current link of a share.
  static func link(
    of reply: AgentReply, qr: Bool, _ printer: Printer
  ) throws(ControlFailure) -> ExitStatus {
    guard printer.style != .json else {
      printer.json(reply.bytes)
      return .done
    }
    let share = try reply.decoded(as: ShareView.self)
    if let link = share.link {
      printer.row([link])
      if qr { code(link, printer) }
    }
    if share.linkIsElsewhere { printer.remark(elsewhere) }
    if let standing = share.linkStanding, standing != "valid" {
      printer.remark(
        "The link is \(word(of: standing)). To create a new one: contactsctl share renew")
    }
    if share.anyone == "none" {
      printer.remark(
        "Only invited accounts can join with it. "
          + "“contactsctl invite” invites one; --anyone read lets anyone with the link join.")
    }
    printer.remark(
      "An account that joins sees the contacts as they are then, and all later changes and "
        + "deletions. Earlier ones stay hidden.")
    return .done
  }

  /// Returns the rows of a share: the link, its permissions, the participants, the requests.
  static func details(of share: ShareView) -> [[String]] {
    var rows = [["link", share.link ?? share.linkStanding.map(word) ?? "none"]]
    if share.linkIsElsewhere { rows[0][1] = "on another device" }
    if let expires = share.linkExpires { rows.append(["expires", expires.description]) }
    if let uses = share.linkUsesLeft { rows.append(["uses left", String(uses)]) }
    rows.append(["anyone", SharePermissionWord.shown(share.anyone)])
    rows += share.participants.map { one in
      let what = [one.role, SharePermissionWord.shown(one.permission), one.status]
      return [one.name, what.joined(separator: ", ")]
    }
    return rows + share.requests.map { [$0.name, "asks for access, \($0.standing)"] }
  }

  /// Prints a text as a QR code, for a camera.
  static func code(_ text: String, _ printer: Printer) {
    guard let code = QRCode(Array(text.utf8)) else {
      return printer.remark("The link is too long for a QR code.")
    }
    printer.text(code.lines(isOnLight: printer.isColored).joined(separator: "\n"))
  }

  private static func word(of standing: String) -> String {
    standing == "usedUp" ? "used up" : standing
  }
}
