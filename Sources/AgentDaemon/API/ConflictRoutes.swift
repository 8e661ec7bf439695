// Conflicts: fields that two devices changed at the same time, with both values.

import AgentAPI
import Contacts
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import SyncCore
import TimelineStore

extension AgentRoutes {
  func addConflictRoutes(to router: Router<BasicRequestContext>) {
    router.get(AgentPath.conflicts.route) { _, _ in try list() }
    router.get(AgentPath.conflict().route) { _, context in try show(id(context)) }
    router.post(AgentPath.conflict().route) { request, context in
      try await resolve(id(context), request)
    }
  }

  private func list() throws -> Response {
    let who = try identity()
    return try .json(
      ConflictsView(conflicts: reader.conflicts().map { ConflictItem($0, who: who) }))
  }

  private func show(_ id: String) throws -> Response {
    try .json(SingleView(ConflictItem(conflict(id), who: identity())))
  }

  private func resolve(_ id: String, _ request: Request) async throws -> Response {
    let keep = try await body(request, as: ResolutionForm.self).keep
    guard let choice = ConflictChoice(rawValue: keep) else {
      throw RecordsError.invalid("keep must be mine, theirs or both.", field: "keep")
    }
    let conflict = try conflict(id)
    let who = try identity()
    let action = try await driver.edit { replica, now in
      try replica.resolve(conflict: conflict.id, choice: choice, now: now)
    }
    return try Response.json(
      ResolvedView(conflict: ConflictItem(conflict, who: who), resolved: keep)
    ).undone(by: action)
  }

  private func conflict(_ id: String) throws -> ConflictView {
    guard let record = try ContactID(id, in: reader).record(ConflictRecord.recordType),
      let found = try reader.conflicts().first(where: { $0.id == record.id })
    else {
      throw RecordsError(
        .unknownItem, "There is no conflict “\(id.prefix(80))”.",
        hint: "It may have been resolved on another device. To see all: contactsctl conflicts list")
    }
    return found
  }
}

extension ConflictItem {
  /// Creates the JSON of a conflict, with the names that `who` knows.
  fileprivate init(_ conflict: ConflictView, who: Identity) {
    let (mine, theirs) = (conflict.mine, conflict.mine.other)
    self.init(
      id: conflict.id.publicID.text, contact: conflict.record.publicID.text, name: conflict.title,
      kind: conflict.kind.rawValue, field: Self.path(of: conflict),
      mine: Self.text(mine, of: conflict), mineBy: Self.author(of: mine, in: conflict, who: who),
      theirs: Self.text(theirs, of: conflict),
      theirsBy: Self.author(of: theirs, in: conflict, who: who),
      shown: mine == .winning ? "mine" : "theirs", found: conflict.found)
  }

  /// Returns the author of a value; with empty names if the conflict does not record them.
  private static func author(
    of value: ConflictRecord.Value, in conflict: ConflictView, who: Identity
  ) -> AuthorView {
    let side = value == .losing ? conflict.loser : conflict.winner
    guard case .device(let account, let device) = side else {
      return AuthorView(account: "", device: "")
    }
    return AuthorView(account: account, device: device, who: who)
  }

  private static func text(_ value: ConflictRecord.Value, of conflict: ConflictView) -> String {
    guard conflict.kind == .values else { return value == .losing ? "deleted" : "changed" }
    let found = value == .losing ? conflict.losing : conflict.winning
    return found.map(ValueText.text) ?? ""
  }

  private static func path(of conflict: ConflictView) -> String {
    let parts = [conflict.field?.text, conflict.entry?.description, conflict.entryField?.text]
    return parts.compactMap(\.self).joined(separator: "/")
  }
}
