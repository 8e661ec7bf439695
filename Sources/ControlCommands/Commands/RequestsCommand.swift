// Requests for access to groups. Without a group it lists those of all groups that the user manages, so that the user
// need not know which group a request is for.

import AgentAPI
import ArgumentParser
import Records

/// `requests`: show or answer requests for access.
struct RequestsCommand: ControlCommand {
  /// The answer to a request.
  enum Deed: String, ExpressibleByArgument, Sendable, CaseIterable { case approve, deny, block }

  static let configuration = CommandConfiguration(
    commandName: "requests", abstract: "List requests to join a group: name, state, time.",
    discussion: """
      Without a group it lists the requests of all groups that you manage, after the group's \
      title. “requests GROUP approve NAME” accepts a request, “deny” declines it, “block” also \
      declines all later ones.
      """)

  @Argument(help: "The group, by id or title.", completion: CompletionSource.groups)
  var group: String?
  @Argument(help: "approve, deny or block.") var deed: Deed?
  @Argument(help: "The account name or display name of the person.") var name: String?
  @OptionGroup var right: RightFlags
  @OptionGroup var global: GlobalFlags

  func validate() throws {
    guard deed == nil || name != nil else {
      throw ValidationError("Give the name of the person.")
    }
    guard right.word == nil || deed == .approve else {
      throw ValidationError("--read and --write can only be used with “approve NAME”.")
    }
  }

  func run(in session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    guard let group else { return try await listAll(session) }
    let reply = try await session.agent.get(.requests(forGroup: group))
    let requests = try reply.decoded(as: AccessRequestsView.self).requests
    guard let deed, let name else {
      await show(requests.map { $0.row(in: session.printer.style) }, json: reply.bytes, session)
      return .done
    }
    let account = try PersonName.account(
      named: name, among: requests.map { ($0.name, $0.displayName) })
    let answer = try await session.agent.send(
      .post, .request(of: account, forGroup: group),
      body: DecisionForm(decision: deed.rawValue, permission: right.word))
    await show([], json: answer.bytes, session)
    return .done
  }

  /// The requests of one group, for programs.
  private struct GroupRequests: Encodable, Sendable {
    let group: String
    let title: String
    let requests: [AccessRequestItem]
  }

  private struct AllRequests: Encodable, Sendable {
    let schema = 1
    let groups: [GroupRequests]

    enum CodingKeys: CodingKey { case schema, groups }
  }

  private func listAll(_ session: CommandSession) async throws(ControlFailure) -> ExitStatus {
    let groups = try await session.agent.get(.groups).decoded(as: GroupsView.self).groups
    var all: [GroupRequests] = []
    var rows: [[String]] = []
    for group in groups where group.isManaged {
      let reply = try await session.agent.get(.requests(forGroup: group.id))
      let requests = try reply.decoded(as: AccessRequestsView.self).requests
      all.append(GroupRequests(group: group.id, title: group.title, requests: requests))
      let heading = group.heading(among: groups)
      rows += requests.map { [heading] + $0.row(in: session.printer.style) }
    }
    await show(rows, json: try JSONText.encoded(AllRequests(groups: all)), session)
    return .done
  }

  private func show(_ rows: [[String]], json: [UInt8], _ session: CommandSession) async {
    guard session.printer.style != .json else { return session.printer.json(json) }
    await session.printer.rows(rows)
  }
}

extension GroupItem {
  /// Whether this account answers the requests. A group that is not shared has none.
  fileprivate var isManaged: Bool { ["owner", "administrator"].contains(role) }
}
