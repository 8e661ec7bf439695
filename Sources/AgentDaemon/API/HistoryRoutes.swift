// Earlier versions of a contact, and the trash. If the broker is reachable, its answer is stored first. The
// response always comes from this device's copy and states whether it is complete.

import AddressBook
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
  /// How long a request waits for the broker before it uses the device's own copy only.
  private static let patienceSeconds = 3.0

  func addHistoryRoutes(to router: Router<BasicRequestContext>) {
    router.get(AgentPath.history().route) { _, context in try await history(id(context)) }
    router.get(AgentPath.trash.route) { request, _ in try await listTrash(request) }
    router.delete(AgentPath.trash.route) { request, _ in try await emptyTrash(request) }
    router.post(AgentPath.restore().route) { _, context in
      try await restore(id(context))
    }
    router.post(AgentPath.restoredGroup().route) { _, context in
      try await restore(group: id(context))
    }
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
    return try .json(
      ContactHistoryView(
        id: history.id.publicID.text, name: history.title, complete: isWhole,
        history: history.steps.reversed().map { ContactHistoryView.Step($0, who: who) }))
  }

  // MARK: Trash

  private func listTrash(_ request: Request) async throws -> Response {
    let limit = Int(try NumberParameter(AgentQuery.limit, 1...1000).value(in: request) ?? 1000)
    let place = try request.parameter(AgentQuery.cursor).map { try TrashCursor.place($0) }
    var isWhole = true
    // Later pages belong to the answer for the first one.
    if place == nil { isWhole = await askForTrash() }
    let items = try reader.trash(before: place, limit: limit)
    let who = try identity()
    return try .json(
      TrashView(
        trash: items.map { TrashView.Discarded($0, who: who) },
        groups: place == nil
          ? try reader.deletedGroups().map { TrashView.DiscardedGroup($0) } : [], complete: isWhole,
        next: items.count < limit ? nil : items.last.map { TrashCursor.text($0.place) }))
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
    let zone = try request.parameter(AgentQuery.group).map { try self.zone($0).zone }
    let erased = try await driver.edit { replica, now in
      try replica.emptyTrash(of: zone, now: now)
    }
    await driver.deleteUnusedFiles()
    return try .json(ErasedView(erased: erased))
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
    return try response(to: written(record)).undone(by: restored.action)
  }
}

extension AgentRoutes {
  /// The group's contacts come back from the broker, at once or when this device is online again.
  private func restore(group id: String) async throws -> Response {
    guard let group = try reader.deletedGroups().first(where: { GroupID.text($0.zone) == id })
    else {
      throw RecordsError(
        .unknownItem, "The group “\(id.prefix(80))” is not in the trash.",
        hint: "To see the trash: contactsctl trash list")
    }
    _ = try await driver.edit { replica, now in
      try replica.perform([.restoreZone(group.zone)], as: UserAction(.restore), now: now)
    }
    return try .json(RestoredGroupView(group: TrashView.DiscardedGroup(group)))
  }
}

/// A position in the trash as text.
private enum TrashCursor {
  static func text(_ place: TrashPlace) -> String { "\(place.time.microseconds)-\(place.number)" }

  static func place(_ text: String) throws -> TrashPlace {
    let parts = text.split(separator: "-").compactMap { Int64($0) }
    guard parts.count == 2 else {
      throw RecordsError.invalid(
        "cursor must be the “next” value of the previous page.", field: AgentQuery.cursor)
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

extension TrashView.DiscardedGroup {
  fileprivate init(_ group: DeletedGroupView) {
    self.init(
      id: GroupID.text(group.zone), title: group.title, contacts: group.deletion.recordCount,
      deleted: group.deletion.time)
  }
}

extension TrashView.Discarded {
  fileprivate init(_ item: DiscardedView, who: Identity) {
    self.init(
      id: item.id.publicID.text, name: item.title, group: GroupID.text(item.id.zone),
      deleted: item.time, by: AuthorView(account: item.account, device: item.device, who: who),
      synced: item.isSynced)
  }
}

extension ContactHistoryView.Step {
  fileprivate init(_ step: HistoryStep, who: Identity) {
    let state = step.state
    self.init(
      revision: state.tag?.value, change: step.change.rawValue, time: state.time,
      by: AuthorView(account: state.account, device: state.device, who: who),
      synced: state.tag != nil,
      fields: step.differences.map {
        ContactHistoryView.Difference(
          field: $0.field, entry: $0.entry?.description, before: $0.before.map(ValueText.text),
          after: $0.after.map(ValueText.text))
      })
  }
}
