// Moves contacts to another group, up to a limit, as one action. Each contact is created in the new group and
// deleted in the old one; the store orders these edits.

import AddressBook
import AgentAPI
import AgentStore
import Contacts
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records
import SyncCore
import TimelineStore

extension AgentRoutes {
  func addMoveRoutes(to router: Router<BasicRequestContext>) {
    router.post(AgentPath.contacts().route) { request, context in
      try await move(to: zone(id(context)), request)
    }
  }

  private func move(to group: GroupView, _ request: Request) async throws -> Response {
    let form = try await body(request, as: MoveForm.self)
    guard group.isWritable else { throw RecordsError.readOnly(group.displayTitle) }
    let source = try form.from.map { try zone($0).zone }
    try await bringFiles(of: Self.contacts(form, source, in: reader), to: group.zone)
    let action = UserAction(.move, continuing: try Self.continuedAction(request))
    let (moved, number) = try await driver.edit { replica, now in
      var seen: Set<RecordID> = []
      let records = try Self.contacts(form, source, in: replica.reader)
        .filter { $0.id.zone != group.zone && seen.insert($0.id).inserted }
      let edits = records.flatMap { Self.move($0, as: $0.fields, to: group.zone) }
      let result = try Self.moving(records, to: group, in: replica.reader) {
        try replica.perform(edits, as: action, now: now)
      }
      return ((records.count, result.action), result.actions)
    }
    return try Response.json(MovedView(group: GroupID.text(group.zone), moved: moved))
      .undone(by: number)
  }

  private static func contacts(
    _ form: MoveForm, _ source: ZoneID?, in reader: DeviceReader
  ) throws -> [RecordView] {
    let named = try (form.contacts ?? []).map { try contact($0, in: reader) }
    guard let source else { return named }
    return try named + reader.records(in: source).filter { $0.type == ContactRecord.type }
  }

  // MARK: What a move is refused for

  /// Fetches the pictures of contacts that move from another owner's group to `zone`. They belong to that
  /// owner, so this account has to upload them again. Pictures on this device are not fetched.
  /// - Throws: `permissionFailure` for a read-only group, `serviceUnavailable` if a picture is not available
  ///   now; then nothing may be moved.
  func bringFiles(
    of records: [RecordView], to zone: ZoneID, isCopy: Bool = false
  ) async throws {
    let leaving = records.filter { $0.id.zone.owner != .current && $0.id.zone != zone }
    guard !leaving.isEmpty else { return }
    let zones = Set(leaving.map(\.id.zone))
    for group in try reader.groups()
    where zones.contains(group.zone) && !group.isWritable && !isCopy {
      throw RecordsError.readOnly(group.displayTitle)
    }
    for record in leaving {
      for asset in record.fields.assets where try !reader.isHere(asset) {
        do {
          let seconds = driver.phase == .live ? ReplicaDriver.downloadSeconds : 0
          _ = try await driver.open(asset, in: record.id.zone, waitSeconds: seconds)
        } catch let error as RecordsError {
          throw RecordsError(
            .serviceUnavailable,
            "The photo of “\(Self.title(of: record))” is not on this device and cannot be "
              + "downloaded now, so nothing was moved. \(error.forUsers.message)",
            hint: "Try again when contactsctl status says live.", record: record.id.name)
        }
      }
    }
  }

  /// Performs a move. If the group already has a contact with the same id, throws an error that names it: the
  /// user has to decide which one remains, or whether to merge them.
  static func moving<Result>(
    _ records: [RecordView], to group: GroupView, in reader: DeviceReader,
    _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as RecordsError
      where error.code == .serverRecordChanged && error.reason == "taken"
    {
      guard let record = records.first(where: { $0.id.name == error.record }) else { throw error }
      let there = try reader.record(RecordID(zone: group.zone, name: record.id.name))
      throw RecordsError(
        .constraintViolation,
        "Nothing was moved: “\(group.displayTitle)” already has a contact with the same id as "
          + "“\(title(of: record))”.",
        hint: there.map {
          "To merge the two: contactsctl merge \($0.publicID) \(record.publicID)"
        } ?? "Move only one of the two.", record: record.id.name, reason: "taken")
    }
  }

  private static func title(of record: RecordView) -> String {
    ContactName(ContactRecord.contact(named: record.id.name, fields: record.fields)).displayName
  }

  /// Returns the edits that move a contact, with these fields, to another group.
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
