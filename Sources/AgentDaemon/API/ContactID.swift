// The ids of contacts in paths and bodies of requests. The agent always writes the public id. It also reads a
// former id, the bare name that was the id in the first releases, and that name with its group. An ambiguous
// id is rejected with all contacts it may refer to, because any choice could change the wrong one.

import AddressBook
import Contacts
import DeviceStore
import Records
import SyncCore

/// A contact's id from a client.
struct ContactID {
  /// The text of the request.
  let text: String
  private let reader: DeviceReader

  /// Creates an id to look up in `reader`.
  init(_ text: String, in reader: DeviceReader) {
    self.text = text
    self.reader = reader
  }

  /// Returns the visible contact with this id; `nil` if there is none.
  /// - Throws: `invalidArguments`, reason `ambiguous`, if several contacts match.
  func contact() throws -> RecordView? { try record(ContactRecord.type) }

  /// Returns the visible record with this id and type; `nil` if there is none.
  /// - Throws: As `contact`.
  func record(_ type: RecordType) throws -> RecordView? {
    if let place = try place, let record = try reader.record(place), record.type == type {
      return record
    }
    let found = try reader.records(identifiedBy: text, type: type)
    return try only(of: found, id: \.id, title: { ContactID.title(of: $0) })
  }

  /// Returns the record with this id in the trash; `nil` if there is none.
  /// - Throws: As `contact`.
  func discarded() throws -> RecordID? {
    if let place = try place, try reader.hasTrash(place.name, in: place.zone) { return place }
    return try only(of: try reader.discarded(identifiedBy: text), id: \.id, title: \.title)?.id
  }

  /// Returns the contact with this id, which may have been deleted; `nil` if there is no trace of one.
  /// - Throws: As `contact`.
  func past() throws -> RecordID? {
    if let place = try place { return place }
    if let shown = try contact() { return shown.id }
    if let discarded = try discarded() { return discarded }
    return try only(
      of: try reader.pastRecords(named: text), id: \.self, title: { _ in "a contact" })
  }

  /// The record for a group's id, a colon and a record name, if the group exists.
  private var place: RecordID? {
    get throws {
      guard let colon = text.firstIndex(of: ":"), let zone = GroupID.zone(text[..<colon]),
        let name = try? RecordName(String(text[text.index(after: colon)...])),
        try reader.groups().contains(where: { $0.zone == zone })
      else { return nil }
      return RecordID(zone: zone, name: name)
    }
  }

  // MARK: Several

  private static let shownMaximum = 10

  private func only<Found>(
    of found: [Found], id: (Found) -> RecordID, title: (Found) -> String
  ) throws -> Found? {
    guard found.count > 1 else { return found.first }
    let groups = try reader.groups()
    let candidates = found.prefix(Self.shownMaximum).map { found in
      let group = groups.first { $0.zone == id(found).zone }
      return "“\(title(found))” in \(group?.distinctTitle(among: groups) ?? "a deleted group")"
        + " (\(unambiguous(id(found))))"
    }
    throw RecordsError(
      .invalidArguments,
      "“\(text.prefix(80))” matches \(found.count) contacts: "
        + candidates.joined(separator: ", ") + ".",
      hint: "Use the id in parentheses.", reason: "ambiguous")
  }

  /// Returns the public id, or the group and the name if the public id is ambiguous.
  private func unambiguous(_ id: RecordID) -> String {
    id.publicID.text == text ? "\(GroupID.text(id.zone)):\(id.name)" : id.publicID.text
  }

  private static func title(of record: RecordView) -> String {
    guard record.type == ContactRecord.type else { return record.type.text }
    return ContactName(
      ContactRecord.contact(named: record.id.name, fields: record.fields)
    ).displayName
  }
}
