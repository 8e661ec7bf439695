// Actions on this device, and undoing them. The response to a write that can be undone has the number of its
// action in a header. A client that needs several requests for one action sends the first one's number with
// the others, so that one undo covers all of them.

import AgentAPI
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import SyncCore
import TimelineStore

extension AgentRoutes {
  /// The maximum number of actions in a list.
  private static let actionsMax = 100

  func addUndoRoutes(to router: Router<BasicRequestContext>) {
    router.get(AgentPath.actions.route) { _, _ in try actions() }
    router.post(AgentPath.undo.route) { request, _ in try await undo(request) }
  }

  /// Returns the action that a request continues; `nil` if it begins a new one.
  static func continuedAction(_ request: Request) throws -> Int64? {
    try NumberParameter.sequence(AgentQuery.action).value(in: request)
  }

  private func actions() throws -> Response {
    try .json(
      ActionsView(actions: reader.actions(limit: Self.actionsMax).map { ActionItem($0) }))
  }

  private func undo(_ request: Request) async throws -> Response {
    let number = try await body(request, as: UndoForm.self).action.map {
      try NumberParameter.sequence(AgentQuery.action).checked($0)
    }
    if number == nil { try FinalDeletion.check(in: reader) }
    let report = try await driver.edit { replica, now in
      try replica.undo(action: number, now: now)
    }
    let view = UndoView(
      action: report.action, undone: ActionItem(report.undone),
      setBack: report.setBack.map { UndoView.Thing($0) },
      leftAlone: report.leftAlone.map { left in
        UndoView.Left(
          thing: UndoView.Thing(left.thing), field: left.what.field?.text,
          entry: left.what.entry?.description, reason: left.what.reason.rawValue)
      })
    return try Response.json(view).undone(by: report.action)
  }
}

extension ActionItem {
  fileprivate init(_ action: ActionView) {
    self.init(
      id: action.id, kind: action.kind.rawValue, name: action.title, count: action.edits,
      time: action.time, undoes: action.undoes, undoneBy: action.undoneBy)
  }
}

extension UndoView.Thing {
  fileprivate init(_ thing: UndoReport.Thing) {
    self.init(
      type: thing.name == nil ? "group" : "contact",
      id: thing.name.map { RecordID(zone: thing.zone, name: $0).publicID.text }
        ?? GroupID.text(thing.zone),
      name: thing.title)
  }
}
