// Earlier versions of a contact, and the trash. If the broker is reachable, its answer is stored first. The
// response always comes from this device's copy and states whether it is complete.

import AddressBook
import Contacts
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import SyncCore
import TimelineStore

extension AgentAPI {
  /// How long a request waits for the broker before it uses the device's own copy only.
  private static let patienceSeconds = 3.0

  func addHistoryRoutes(to router: Router<BasicRequestContext>) {
    router.get("v1/contacts/:id/history") { _, context in try await history(id(context)) }
    let trash = router.group("v1/trash")
    trash.get { request, _ in try await listTrash(request) }
    trash.delete { request, _ in try await emptyTrash(request) }
    trash.post(":id/restore") { _, context in try await restore(id(context)) }
  }

  private func history(_ id: String) async throws -> Response {
    // The broker may know a contact that this device does not, under its name in the standard zone.
    let known = try ContactID(id, in: reader).past()
    let asked = try known ?? RecordID(zone: .standard, name: RecordName(id))
    var isWhole = await driver.ask(.history(asked), waitSeconds: Self.patienceSeconds)
    for former in try reader.formerPlaces(of: asked) {
      let isAnswered = await driver.ask(.history(former), waitSeconds: Self.patienceSeconds)
      isWhole = isWhole && isAnswered
    }
    let history = try reader.history(of: asked.name, in: asked.zone)
    guard history.type == ContactRecord.type else { throw RecordsError.noContact(id) }
    let who = try identity()
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("id")
      json.value(history.id.publicID.text)
      json.key("name")
      json.value(history.title)
      json.key("complete")
      json.value(isWhole)
      json.key("history")
      json.list(history.steps.reversed()) { json, step in
        json.object { $0.properties(of: step, who: who) }
      }
    }
    return .json(json)
  }

  // MARK: Trash

  private func listTrash(_ request: Request) async throws -> Response {
    let parameters = request.uri.queryParameters
    let limit = Int(try NumberParameter("limit", 1...1000).value(in: request) ?? 1000)
    let place = try parameters["cursor"].map { try TrashCursor.place(String($0)) }
    var isWhole = true
    // Later pages belong to the answer for the first one.
    if place == nil { isWhole = await askForTrash() }
    let items = try reader.trash(before: place, limit: limit)
    let who = try identity()
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("trash")
      json.list(items) { json, item in json.object { $0.properties(of: item, who: who) } }
      json.key("complete")
      json.value(isWhole)
      json.key("next")
      json.value(items.count < limit ? nil : items.last.map { TrashCursor.text($0.place) })
    }
    return .json(json)
  }

  private func askForTrash() async -> Bool {
    guard let groups = try? reader.groups() else { return false }
    return await withTaskGroup(of: Bool.self) { tasks in
      for group in groups {
        tasks.addTask { await driver.ask(.trash(group.zone), waitSeconds: Self.patienceSeconds) }
      }
      return await tasks.reduce(true) { $0 && $1 }
    }
  }

  private func emptyTrash(_ request: Request) async throws -> Response {
    let group = request.uri.queryParameters["group"]
    let zone = try group.map { try self.zone(String($0)).zone }
    let erased = try await driver.edit { replica, now in
      try replica.emptyTrash(of: zone, now: now)
    }
    await driver.deleteUnusedFiles()
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("erased")
      json.value(Int64(erased))
    }
    return .json(json)
  }

  private func restore(_ id: String) async throws -> Response {
    if try ContactID(id, in: reader).discarded() == nil { _ = await askForTrash() }
    let restored = try await driver.edit { replica, now in
      guard let found = try ContactID(id, in: replica.reader).discarded() else {
        throw RecordsError(
          .unknownItem, "“\(id.prefix(80))” is not in the trash.",
          hint: "To see the trash: contactsctl trash list")
      }
      let result = try replica.restore([found.name], in: found.zone, now: now)
      return ((records: result.records, action: result.action), result.actions)
    }
    guard let record = restored.records.first else { throw RecordsError.noContact(id) }
    var response = try response(to: written(record))
    if let action = restored.action { response.headers[.undoAction] = String(action) }
    return response
  }
}

/// A position in the trash as text.
private enum TrashCursor {
  static func text(_ place: TrashPlace) -> String { "\(place.time.microseconds)-\(place.number)" }

  static func place(_ text: String) throws -> TrashPlace {
    let parts = text.split(separator: "-").compactMap { Int64($0) }
    guard parts.count == 2 else {
      throw RecordsError.invalid(
        "cursor must be the “next” value of the previous page.", field: "cursor")
    }
    return TrashPlace(time: Timestamp(microseconds: parts[0]), number: parts[1])
  }
}

extension RecordsError {
  /// Returns the error for an id that no contact has or had.
  static func noContact(_ id: String) -> RecordsError {
    RecordsError(
      .unknownItem, "There is no contact “\(id.prefix(80))”, and no history of one.",
      hint: "“contactsctl list” and “contactsctl trash list” show the ids.")
  }
}

extension JSONWriter {
  fileprivate mutating func properties(of item: DiscardedView, who: Identity) {
    key("id")
    value(item.id.publicID.text)
    key("name")
    value(item.title)
    key("group")
    value(GroupID.text(item.id.zone))
    key("deleted")
    value(item.time)
    key("by")
    author(account: item.account, device: item.device, who: who)
    key("synced")
    value(item.isSynced)
  }

  fileprivate mutating func properties(of step: HistoryStep, who: Identity) {
    key("revision")
    value(step.state.tag?.value)
    key("change")
    value(step.change.rawValue)
    key("time")
    value(step.state.time)
    key("by")
    author(account: step.state.account, device: step.state.device, who: who)
    key("synced")
    value(step.state.tag != nil)
    key("fields")
    list(step.differences) { json, difference in
      json.object { json in
        json.key("field")
        json.value(difference.field)
        json.key("entry")
        json.value(difference.entry?.description)
        json.key("before")
        json.value(difference.before.map(ValueText.text))
        json.key("after")
        json.value(difference.after.map(ValueText.text))
      }
    }
  }
}
