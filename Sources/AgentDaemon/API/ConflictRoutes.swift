// Conflicts: fields that two devices changed at the same time, with both values.

import Contacts
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import SyncCore
import TimelineStore

extension AgentAPI {
  func addConflictRoutes(to router: Router<BasicRequestContext>) {
    let conflicts = router.group("v1/conflicts")
    conflicts.get { _, _ in try list() }
    conflicts.get(":id") { _, context in try show(id(context)) }
    conflicts.post(":id") { request, context in try await resolve(id(context), request) }
  }

  private func list() throws -> Response {
    let conflicts = try reader.conflicts()
    let who = try identity()
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("conflicts")
      json.list(conflicts) { json, conflict in
        json.object { $0.properties(of: conflict, who: who) }
      }
    }
    return .json(json)
  }

  private func show(_ id: String) throws -> Response {
    let conflict = try conflict(id)
    let who = try identity()
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.properties(of: conflict, who: who)
    }
    return .json(json)
  }

  private func resolve(_ id: String, _ request: Request) async throws -> Response {
    let keep = try await body(request, as: ResolutionForm.self).keep
    guard let choice = ConflictChoice(rawValue: keep) else {
      throw RecordsError.invalid("keep must be mine, theirs or both.", field: "keep")
    }
    let conflict = try conflict(id)
    let who = try identity()
    try await driver.edit { replica, now in
      ((), try replica.resolve(conflict: conflict.id, choice: choice, now: now))
    }
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.properties(of: conflict, who: who)
      json.key("resolved")
      json.value(keep)
    }
    return .json(json)
  }

  private func conflict(_ id: String) throws -> ConflictView {
    guard let record = try ContactID(id, in: reader).record(Conflict.recordType),
      let found = try reader.conflicts().first(where: { $0.id == record.id })
    else {
      throw RecordsError(
        .unknownItem, "There is no conflict “\(id.prefix(80))”.",
        hint: "It may have been resolved on another device. To see all: contactsctl conflicts list")
    }
    return found
  }
}

extension JSONWriter {
  fileprivate mutating func properties(of conflict: ConflictView, who: Identity) {
    let (mine, theirs) = (conflict.mine, conflict.mine.other)
    key("id")
    value(conflict.id.publicID.text)
    key("contact")
    value(conflict.record.publicID.text)
    key("name")
    value(conflict.title)
    key("kind")
    value(conflict.kind.rawValue)
    key("field")
    value(Self.path(of: conflict))
    key("mine")
    value(Self.text(mine, of: conflict))
    key("mineBy")
    side(mine, of: conflict, who: who)
    key("theirs")
    value(Self.text(theirs, of: conflict))
    key("theirsBy")
    side(theirs, of: conflict, who: who)
    key("shown")
    value(mine == .winning ? "mine" : "theirs")
    key("found")
    value(conflict.found)
  }

  /// Writes the author and the device of a value; empty if the conflict does not record them.
  private mutating func side(
    _ value: Conflict.Value, of conflict: ConflictView, who: Identity
  ) {
    let side = value == .losing ? conflict.loser : conflict.winner
    guard case .device(let account, let device) = side else {
      return object { json in
        json.key("account")
        json.value("")
        json.key("device")
        json.value("")
      }
    }
    author(account: account, device: device, who: who)
  }

  private static func text(_ value: Conflict.Value, of conflict: ConflictView) -> String {
    guard conflict.kind == .values else { return value == .losing ? "deleted" : "changed" }
    let found = value == .losing ? conflict.losing : conflict.winning
    return found.map(ValueText.text) ?? ""
  }

  private static func path(of conflict: ConflictView) -> String {
    let parts = [conflict.field?.text, conflict.entry?.description, conflict.entryField?.text]
    return parts.compactMap(\.self).joined(separator: "/")
  }
}
