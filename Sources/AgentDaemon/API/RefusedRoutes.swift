// Rejected edits: the broker rejected them, or their group no longer exists. They are not sent again; the
// device retains them until the user dismisses them.

import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records

extension AgentAPI {
  func addRefusedRoutes(to router: Router<BasicRequestContext>) {
    let refused = router.group("v1/refused")
    refused.get { _, _ in try listRefused() }
    refused.delete(":id") { _, context in try await dismiss(id(context)) }
  }

  private func listRefused() throws -> Response {
    let edits = try reader.parked()
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("refused")
      json.list(edits) { json, edit in json.object { $0.properties(of: edit) } }
    }
    return .json(json)
  }

  private func dismiss(_ text: String) async throws -> Response {
    guard let id = Int64(text), try reader.parked().contains(where: { $0.id == id }) else {
      throw RecordsError(
        .unknownItem, "There is no rejected edit “\(text.prefix(40))”.",
        hint: "To see the rejected edits: contactsctl refused list")
    }
    try await driver.edit { replica, _ in
      try replica.dismiss(parked: id)
      return ((), [])
    }
    return Response(status: .noContent)
  }
}

extension JSONWriter {
  fileprivate mutating func properties(of edit: ParkedView) {
    key("id")
    value(String(edit.id))
    key("type")
    value(edit.name == nil ? "group" : "contact")
    key("contact")
    value(edit.name.map { RecordID(zone: edit.zone, name: $0).publicID.text })
    key("group")
    value(GroupID.text(edit.zone))
    key("name")
    value(edit.title)
    key("change")
    value(edit.isDeletion ? "deleted" : "updated")
    key("code")
    value(edit.code.rawValue)
    key("message")
    value(edit.message)
    key("time")
    value(edit.time)
    key("fields")
    list(edit.changes.set.all) { json, field in
      json.object { json in
        json.key("field")
        json.value(field.key.text)
        json.key("after")
        json.value(ValueText.text(field.value))
      }
    }
    key("removed")
    list(edit.changes.removed) { json, key in json.value(key.text) }
  }
}
