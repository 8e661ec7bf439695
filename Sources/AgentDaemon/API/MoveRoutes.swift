// Contacts into another group: one or fifty thousand, as one action; more are refused with a
// sentence. Each is made there and deleted here; what waits for what is the store's care.

import Contacts
import DeviceStore
import HTTPTypes
import Hummingbird
import Records

extension AgentAPI {
  func addMoveRoutes(to router: Router<BasicRequestContext>) {
    router.post("v1/groups/:id/contacts") { request, context in
      try await move(to: zone(id(context)), request)
    }
  }

  private func move(to group: GroupView, _ request: Request) async throws -> Response {
    let form = try await body(request, as: MoveForm.self)
    guard group.isWritable else { throw RecordsError.readOnly(group.displayTitle) }
    let source = try form.from.map { try zone($0).zone }
    let action = UserAction(.move, continuing: try Self.continuedAction(request))
    let (moved, number) = try await driver.edit { replica, now in
      var records = try (form.contacts ?? []).map { try Self.contact($0, in: replica.reader) }
      if let source {
        records += try replica.reader.records(in: source).filter { $0.type == ContactRecord.type }
      }
      var seen: Set<RecordID> = []
      let edits = records.filter { $0.id.zone != group.zone && seen.insert($0.id).inserted }
        .flatMap { Self.move($0, as: $0.fields, to: group.zone) }
      let result = try replica.perform(edits, as: action, now: now)
      return ((edits.count / 2, result.action), result.actions)
    }
    var json = JSONWriter()
    json.object { json in
      json.schema()
      json.key("group")
      json.value(GroupID.text(group.zone))
      json.key("moved")
      json.value(Int64(moved))
    }
    var response = Response.json(json)
    if let number { response.headers[.undoAction] = String(number) }
    return response
  }

  /// The edits that put a contact, with these fields, into another group.
  static func move(_ record: RecordView, as fields: Fields, to zone: ZoneID) -> [LocalEdit] {
    [
      .save(
        LocalEdit.RecordSave(
          id: RecordID(zone: zone, name: record.id.name), type: record.type,
          changes: FieldChanges(set: fields), expectation: .absent)),
      .delete(record.id, version: record.version),
    ]
  }
}

/// The body of `POST` on a group's contacts.
struct MoveForm: Decodable, Sendable {
  /// Contacts, by their ids.
  let contacts: [String]?
  /// A group, all of whose contacts are meant.
  let from: String?
}
