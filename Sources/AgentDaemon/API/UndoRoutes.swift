// Actions on this device, and undoing them. The response to a write that can be undone has the number of its
// action in a header. A client that needs several requests for one action sends the first one's number with
// the others, so that one undo covers all of them.

import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import SyncCore
import TimelineStore

extension AgentAPI {
  /// The maximum number of actions in a list.
  private static let actionsMax = 100

  func addUndoRoutes(to router: Router<BasicRequestContext>) {
    router.get("v1/actions") { _, _ in try actions() }
    router.post("v1/undo") { request, _ in try await undo(request) }
  }

  /// Returns the action that a request continues; `nil` if it begins a new one.
  static func continuedAction(_ request: Request) throws -> Int64? {
    try NumberParameter.sequence("action").value(in: request)
  }

  private func actions() throws -> Response {
    let actions = try reader.actions(limit: Self.actionsMax)
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("actions")
      json.list(actions) { json, action in json.object { $0.properties(of: action) } }
    }
    return .json(json)
  }

  private func undo(_ request: Request) async throws -> Response {
    let number = try await body(request, as: UndoForm.self).action.map {
      try NumberParameter.sequence("action").checked($0)
    }
    let report = try await driver.edit { replica, now in
      try replica.undo(action: number, now: now)
    }
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("action")
      json.value(report.action)
      json.key("undone")
      json.object { $0.properties(of: report.undone) }
      json.key("setBack")
      json.list(report.setBack) { json, thing in json.object { $0.properties(of: thing) } }
      json.key("leftAlone")
      json.list(report.leftAlone) { json, left in
        json.object { json in
          json.properties(of: left.thing)
          json.key("field")
          json.value(left.what.field?.text)
          json.key("entry")
          json.value(left.what.entry?.description)
          json.key("reason")
          json.value(left.what.reason.rawValue)
        }
      }
    }
    return .json(json)
  }
}

/// The body of `POST /v1/undo`.
struct UndoForm: Decodable, Sendable {
  /// The action; `nil` for the newest.
  let action: Int64?
}

extension JSONWriter {
  fileprivate mutating func properties(of action: ActionView) {
    key("id")
    value(action.id)
    key("kind")
    value(action.kind.rawValue)
    key("name")
    value(action.title)
    key("count")
    value(Int64(action.edits))
    key("time")
    value(action.time)
    key("undoes")
    value(action.undoes)
    key("undoneBy")
    value(action.undoneBy)
  }

  fileprivate mutating func properties(of thing: UndoReport.Thing) {
    key("type")
    value(thing.name == nil ? "group" : "contact")
    key("id")
    value(
      thing.name.map { RecordID(zone: thing.zone, name: $0).publicID.text }
        ?? GroupID.text(thing.zone))
    key("name")
    value(thing.title)
  }
}

extension Response {
  /// Returns an empty response to a write that can be undone by this number.
  static func done(undoneBy action: Int64?) -> Response {
    var response = Response(status: .noContent)
    if let action { response.headers[.undoAction] = String(action) }
    return response
  }
}

extension HTTPField.Name {
  /// The number of the write's action, for undoing it.
  static let undoAction = HTTPField.Name("Undo-Action") ?? .location
}
