// Contacts: read, create, change, delete. An edit reads and writes in one step of the driver, so two clients
// that change one contact at the same time do not overwrite each other.

import AddressBook
import AgentAPI
import Contacts
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import Records

extension AgentRoutes {
  func addContactRoutes(to router: Router<BasicRequestContext>) {
    let route = AgentPath.contact().route
    router.post(AgentPath.contacts.route) { request, _ in try await create(request) }
    router.get(route) { request, context in
      try response(to: contact(id(context)), order: order(request))
    }
    router.put(route) { request, context in
      let form = try await body(request, as: ContactForm.self)
      return try await change(id(context), form.group, request) {
        .replacing($0, with: form.draft(of: $0))
      }
    }
    router.patch(route) { request, context in
      let form = try await body(request, as: ContactForm.self)
      let edit = try form.edit()
      return try await change(id(context), form.group, request) { _ in edit }
    }
    router.delete(route) { request, context in try await delete(id(context), request) }
  }

  private func create(_ request: Request) async throws -> Response {
    let form = try await body(request, as: ContactForm.self)
    let edit = try form.edit()
    let zone = try form.group.map { try self.zone($0).zone } ?? .standard
    let (id, action) = try await driver.edit { replica, now in
      var generator = SystemRandomNumberGenerator()
      let id = RecordID(zone: zone, name: .generated(at: now, using: &generator))
      let changes = try Self.checked(
        edit, of: Contact(id: id.name), in: Fields(), profile(request, replica))
      let save = LocalEdit.RecordSave(
        id: id, type: ContactRecord.type, changes: changes, expectation: .absent)
      let done = try replica.perform([.save(save)], as: UserAction(), now: now)
      return ((id, done.action), done.actions)
    }
    var response = try response(to: written(id), status: .created).undone(by: action)
    response.headers[.location] = AgentPath.contact(id.publicID.text).pattern
    return response
  }

  private func change(
    _ id: String, _ group: String?, _ request: Request,
    _ edit: @escaping @Sendable (Contact) -> ContactEdit
  ) async throws -> Response {
    let target = try group.map { try zone($0) }
    if let target { try await bringFiles(of: [try contact(id)], to: target.zone) }
    let version = try expectedVersion(request)
    let (record, action): (RecordID, Int64?) = try await driver.edit { replica, now in
      let profile = try profile(request, replica)
      let found = try Self.contact(id, in: replica.ownReader)
      try Self.check(version, against: found)
      let contact = ContactRecord.contact(named: found.id.name, fields: found.fields)
      let changes = try Self.checked(
        edit(contact), of: contact, in: found.fields, profile)
      if let target, target.zone != found.id.zone {
        let edits = Self.move(found, as: changes.applied(to: found.fields), to: target.zone)
        return try Self.moving([found], to: target, in: replica.reader) {
          let done = try replica.perform(edits, as: UserAction(.move), now: now)
          return ((RecordID(zone: target.zone, name: found.id.name), done.action), done.actions)
        }
      }
      guard !changes.isEmpty else { return ((found.id, nil), []) }
      let save = LocalEdit.RecordSave(
        id: found.id, type: ContactRecord.type, changes: changes, expectation: .present)
      let done = try replica.perform([.save(save)], as: UserAction(), now: now)
      return ((found.id, done.action), done.actions)
    }
    return try response(to: written(record)).undone(by: action)
  }

  private func delete(_ id: String, _ request: Request) async throws -> Response {
    let version = try expectedVersion(request)
    let isAsked = try request.flag(AgentQuery.acknowledged)
    let action = UserAction(continuing: try Self.continuedAction(request))
    let number = try await driver.edit { replica, now in
      let found = try Self.contact(id, in: replica.ownReader)
      try Self.check(version, against: found)
      return try replica.perform(
        [.delete(found.id, version: nil)], as: action, isAsked: isAsked, now: now)
    }
    return .done(undoneBy: number)
  }

  private func contact(_ id: String) throws -> RecordView {
    try Self.contact(id, in: reader)
  }

  func written(_ id: RecordID) throws -> RecordView {
    guard let record = try reader.record(id) else {
      throw RecordsError(.unknownItem, "The contact was deleted in the meantime.", record: id.name)
    }
    return record
  }

  /// Returns the contact, with its position in the requested order, or else in the device's own.
  func response(
    to record: RecordView, status: HTTPResponse.Status = .ok, order: ContactOrder? = nil
  ) throws -> Response {
    let row = try reader.row(of: record, order: try order ?? self.order(nil))
    var response = try Response.json(
      SingleView(ContactItem(row, who: identity(), names: preferences.nameOrder())), status: status)
    response.headers[.eTag] = "\"\(record.version)\""
    return response
  }

  /// Returns the version in `If-Match`; `nil` if any version is accepted.
  func expectedVersion(_ request: Request) throws -> Int64? {
    guard let text = request.headers[.ifMatch], text != "*" else { return nil }
    let digits = text.hasPrefix("\"") && text.hasSuffix("\"") ? text.dropFirst().dropLast() : ""
    guard let version = Int64(digits) else {
      throw RecordsError(
        .serverRecordChanged, "The contact has no version \(text.prefix(40)).",
        hint: "Set If-Match to the ETag of an earlier answer.")
    }
    return version
  }

  static func contact(_ id: String, in reader: DeviceReader) throws -> RecordView {
    guard let record = try ContactID(id, in: reader).contact() else {
      throw RecordsError(
        .unknownItem, "There is no contact “\(id.prefix(80))”.",
        hint: "It may have been deleted on another device.", record: try? RecordName(id))
    }
    return record
  }

  static func check(_ version: Int64?, against record: RecordView) throws {
    guard let version, version != record.version else { return }
    throw RecordsError(
      .serverRecordChanged, "The contact was changed since it was read.",
      hint: "Read it again and repeat the change.", record: record.id.name)
  }

  /// Returns the rules for a save: those in the request, or else the device's.
  private func profile(_ request: Request, _ replica: Replica) throws -> ValidationProfile {
    let word = request.parameter(AgentQuery.profile)
    let preferences = Preferences(fixed: preferences.fixed, reader: replica.ownReader)
    guard let profile = ValidationProfile(rawValue: try word ?? preferences.value(.profile)) else {
      let words = ValidationProfile.allCases.map(\.rawValue).joined(separator: " or ")
      throw RecordsError.invalid("profile must be \(words).", field: AgentQuery.profile)
    }
    return profile
  }

  /// Returns the changes of `edit` if the resulting contact is valid.
  private static func checked(
    _ edit: ContactEdit, of contact: Contact, in fields: Fields, _ profile: ValidationProfile
  ) throws -> FieldChanges {
    var generator = SystemRandomNumberGenerator()
    let changes = try edit.abbreviatingStates(of: contact).rebuildingName { contact[$0] }
      .changes(to: fields, using: &generator)
    let after = ContactRecord.contact(named: contact.id, fields: changes.applied(to: fields))
    try profile.check(after, changedFrom: fields.isEmpty ? nil : contact)
    return changes
  }
}
