// What two devices changed at once: the value that stayed and the one that did not.

import Contacts
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import SyncCore

extension AgentAPI {
  func addConflictRoutes(to router: Router<BasicRequestContext>) {
    let conflicts = router.group("v1/conflicts")
    conflicts.get { _, _ in try list() }
    conflicts.get(":id") { _, context in try show(id(context)) }
    conflicts.post(":id") { request, context in try await resolve(id(context), request) }
  }

  private func list() throws -> Response {
    let conflicts = try reader.conflicts()
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("conflicts")
      json.list(conflicts) { json, conflict in json.object { $0.properties(of: conflict) } }
    }
    return .json(json)
  }

  private func show(_ id: String) throws -> Response {
    let conflict = try conflict(id)
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.properties(of: conflict)
    }
    return .json(json)
  }

  private func resolve(_ id: String, _ request: Request) async throws -> Response {
    let keep = try await body(request, as: ResolutionForm.self).keep
    guard let choice = ConflictChoice(rawValue: keep) else {
      throw RecordsError.invalid("keep is mine, theirs or both.", field: "keep")
    }
    let conflict = try conflict(id)
    try await driver.edit { replica, now in
      ((), try replica.resolve(conflict: conflict.id, choice: choice, now: now))
    }
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.properties(of: conflict)
      json.key("resolved")
      json.value(keep)
    }
    return .json(json)
  }

  private func conflict(_ id: String) throws -> ConflictView {
    guard let found = try reader.conflicts().first(where: { $0.id.name.text == id }) else {
      throw RecordsError(
        .unknownItem, "There is no conflict “\(id.prefix(80))”.",
        hint: "It may have been resolved on another device.")
    }
    return found
  }
}

extension JSONWriter {
  fileprivate mutating func properties(of conflict: ConflictView) {
    key("id")
    value(conflict.id.name.text)
    key("contact")
    value(conflict.record.name.text)
    key("name")
    value(conflict.title)
    key("kind")
    value(conflict.kind.rawValue)
    key("field")
    value(Self.path(of: conflict))
    key("mine")
    value(conflict.losing.map(ValueText.text) ?? "")
    key("theirs")
    value(conflict.winning.map(ValueText.text) ?? "")
    key("found")
    value(conflict.found)
  }

  private static func path(of conflict: ConflictView) -> String {
    let parts = [conflict.field?.text, conflict.entry?.description, conflict.entryField?.text]
    return parts.compactMap(\.self).joined(separator: "/")
  }
}
