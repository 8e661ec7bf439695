// What was done on this device, and taking it back. Each write that can be undone answers with its
// action's number in a header; a client that does one thing in several requests names the first
// one's number in the others, and all of it is one undo.

import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import SyncCore
import TimelineStore

extension AgentAPI {
  /// The actions a list shows.
  private static let actionsMax = 100

  func addUndoRoutes(to router: Router<BasicRequestContext>) {
    router.get("v1/actions") { _, _ in try actions() }
    router.post("v1/undo") { request, _ in try await undo(request) }
  }

  /// The action that a request goes on with; `nil` when it is one of its own.
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
  /// An answer without a body to a write that can be undone under this number.
  static func done(undoneBy action: Int64?) -> Response {
    var response = Response(status: .noContent)
    if let action { response.headers[.undoAction] = String(action) }
    return response
  }
}

extension HTTPField.Name {
  /// The number of the action that a write was, for undoing it.
  static let undoAction = HTTPField.Name("Undo-Action") ?? .location
}
