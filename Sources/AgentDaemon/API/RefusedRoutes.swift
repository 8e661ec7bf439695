// Rejected edits: the broker rejected them, or their group no longer exists. They are not sent again by themselves; the
// device retains them until the user dismisses them or applies them again.

import AddressBook
import AgentAPI
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records

extension AgentRoutes {
  func addRefusedRoutes(to router: Router<BasicRequestContext>) {
    router.get(AgentPath.refused.route) { _, _ in try listRefused() }
    router.post(AgentPath.refusedEdit().route) { request, context in
      try await retry(id(context), request)
    }
    router.delete(AgentPath.refusedEdit().route) { _, context in
      try await dismiss(id(context))
    }
  }

  private func listRefused() throws -> Response {
    try .json(RefusedView(refused: reader.rejectedEdits().map { RefusedView.Edit($0) }))
  }

  /// Applies a rejected edit again.
  private func retry(_ text: String, _ request: Request) async throws -> Response {
    let form = try await body(request, as: RetryForm.self)
    let target = try form.group.map { try zone($0).zone }
    let id = try number(text)
    let (record, action) = try await driver.edit { replica, now in
      let done = try replica.retry(rejected: id, in: target, now: now)
      return ((done.record, done.action), done.actions)
    }
    return try Response.json(RetriedView(contact: record.publicID.text)).undone(by: action)
  }

  private func number(_ text: String) throws -> Int64 {
    guard let id = Int64(text), try reader.rejectedEdits().contains(where: { $0.id == id }) else {
      throw RecordsError.noRejectedEdit(text)
    }
    return id
  }

  private func dismiss(_ text: String) async throws -> Response {
    let id = try number(text)
    try await driver.edit { replica, _ in
      try replica.dismiss(rejectedEdit: id)
      return ((), [])
    }
    return Response(status: .noContent)
  }
}

extension RefusedView.Edit {
  fileprivate init(_ edit: RejectedEditView) {
    self.init(
      id: String(edit.id), type: edit.name == nil ? "group" : "contact",
      contact: edit.name.map { RecordID(zone: edit.zone, name: $0).publicID.text },
      group: GroupID.text(edit.zone), name: edit.title,
      change: edit.isDeletion ? "deleted" : "updated", code: edit.code.rawValue,
      message: edit.message, time: edit.time,
      fields: edit.changes.set.all.map {
        RefusedView.Field(field: $0.key.text, after: ValueText.text($0.value))
      },
      removed: edit.changes.removed.map(\.text))
  }
}
