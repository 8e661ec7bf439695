// The participants of a share, and the requests for access. Clients name people by the account names in
// answers; ids are accepted too, for names that differ only in notation.

import AddressBook
import AgentAPI
import DeviceDriver
import DeviceStore
import Foundation
import HTTPTypes
import Hummingbird
import Records
import SyncCore
import TimelineStore

extension AgentRoutes {
  func addParticipantRoutes(to router: Router<BasicRequestContext>) {
    let participants = AgentPath.participants().route
    router.get(participants) { _, context in
      let share = try await share(.fetch(zone(id(context)).zone))
      return try Response.json(
        ParticipantsView(participants: share.participants.map { ParticipantItem($0) }))
    }
    router.post(participants) { request, context in try await invite(id(context), request) }
    let participant = AgentPath.participant().route
    router.patch(participant) { request, context in
      try await change(id(context), name(context), request)
    }
    router.delete(participant) { _, context in
      let group = try managed(id(context))
      let one = try await self.participant(name(context), of: group)
      return try await response(to: share(.removeParticipant(group.zone, one.account)))
    }
    router.get(AgentPath.requests().route) { _, context in
      // The directory contains requests as they arrive, so the broker need not be asked.
      let requests = try reader.requests(for: managed(id(context)).zone)
      return try Response.json(
        AccessRequestsView(requests: requests.map { AccessRequestItem($0) }))
    }
    router.post(AgentPath.request().route) { request, context in
      try await decide(id(context), name(context), request)
    }
  }

  private func invite(_ id: String, _ request: Request) async throws -> Response {
    let form = try await body(request, as: ParticipantInvitationForm.self)
    let group = try managed(id)
    let said = try form.permission.map { try SharePermission(word: $0, allowsNone: false) }
    return try await response(
      to: invite(Invitation(group: group, name: form.name, permission: said)))
  }

  /// Invites an account by name. If the invitation has no permission, an account that is a participant or was
  /// invited keeps its permission, and any other account gets the group's default.
  func invite(_ invitation: Invitation) async throws -> Share {
    let zone = invitation.group.zone
    let owner =
      zone.owner == .current ? try identity().accountName : invitation.group.ownerName
    guard invitation.name != owner else {
      throw RecordsError.invalid("“\(invitation.name)” owns the group.", field: "name")
    }
    var permission = invitation.permission
    if permission == nil {
      let share = try await share(.fetch(zone))
      let known = share.participants.first { $0.name == invitation.name }
      if known?.status == .accepted { return share }
      if known?.status == .invited { permission = known?.permission }
    }
    return try await share(
      .invite(zone, name: invitation.name, permission ?? reader.invitation(to: zone)))
  }

  private func change(_ id: String, _ name: String, _ request: Request) async throws -> Response {
    let form = try await body(request, as: ParticipantForm.self)
    let group = try managed(id)
    let one = try await participant(name, of: group)
    let permission = try form.permission.map { try SharePermission(word: $0, allowsNone: false) }
    return try await response(
      to: share(
        .setParticipant(
          group.zone, one.account, permission ?? one.permission,
          isAdministrator: form.administrator ?? (one.role == .administrator))))
  }

  private func decide(_ id: String, _ name: String, _ request: Request) async throws -> Response {
    let form = try await body(request, as: DecisionForm.self)
    let group = try managed(id)
    let decision = try form.decision(orElse: reader.invitation(to: group.zone))
    // Only the broker may know of a very recent request.
    let requests = try await share(.fetch(group.zone)).requests
    guard let one = Self.one(of: requests, name, account: \.account, called: \.name) else {
      throw RecordsError(
        .unknownItem, "“\(name.prefix(80))” has not asked to join “\(group.displayTitle)”.",
        hint: "contactsctl requests lists the requests.")
    }
    return try await response(to: share(.answerRequest(group.zone, one.account, decision)))
  }

  private func participant(_ name: String, of group: GroupView) async throws -> Participant {
    let participants = try await share(.fetch(group.zone)).participants
    guard let one = Self.one(of: participants, name, account: \.account, called: \.name) else {
      throw RecordsError(
        .unknownItem, "“\(name.prefix(80))” is not a participant of “\(group.displayTitle)”.",
        hint: "contactsctl participants lists the participants.")
    }
    return one
  }

  /// Returns the person that `name` identifies. An id takes precedence over an equal name of another person.
  static func one<Person>(
    of people: [Person], _ name: String, account: (Person) -> AccountID,
    called: (Person) -> String
  ) -> Person? {
    people.first { account($0).description == name } ?? people.first { called($0) == name }
  }

  /// Returns the path parameter `name`, unescaped.
  private func name(_ context: BasicRequestContext) throws -> String {
    guard let text = context.parameters.get("name")?.removingPercentEncoding else {
      throw RecordsError.invalid("The path has an invalid percent escape.")
    }
    return text
  }
}

/// An account to invite.
///
/// NB: One value and not three arguments, because of a compiler fault; see `NewShare`.
struct Invitation {
  let group: GroupView
  /// The account's name.
  let name: String
  /// The permission that the user chose; `nil` without a choice.
  let permission: SharePermission?
}
