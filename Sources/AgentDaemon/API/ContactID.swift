// The ids of contacts in paths and bodies of requests. What the agent writes is always the public id;
// what it reads may also be a former id, the bare name that was the id in the first releases, or that
// name with its group. An id that could be several contacts is refused with all of them, because any
// choice could change the wrong one.

import AddressBook
import Contacts
import DeviceStore
import Records
import SyncCore

/// A contact's id as a client gives it.
struct ContactID {
  /// What was given.
  let text: String
  private let reader: DeviceReader

  /// An id that is to be looked up in `reader`.
  init(_ text: String, in reader: DeviceReader) {
    self.text = text
    self.reader = reader
  }

  /// The shown contact of this id; `nil` when there is none.
  /// - Throws: `invalidArguments`, reason `ambiguous`, when the id could be several contacts.
  func contact() throws -> RecordView? { try record(ContactRecord.type) }

  /// The shown record of this id and type; `nil` when there is none.
  /// - Throws: as `contact`.
  func record(_ type: RecordType) throws -> RecordView? {
    if let place = try place, let record = try reader.record(place), record.type == type {
      return record
    }
    let found = try reader.records(identifiedBy: text, type: type)
    return try only(of: found, id: \.id, title: { ContactID.title(of: $0) })
  }

  /// What of this id lies in the trash here; `nil` when nothing does.
  /// - Throws: as `contact`.
  func discarded() throws -> RecordID? {
    if let place = try place, try reader.hasTrash(place.name, in: place.zone) { return place }
    return try only(of: try reader.discarded(identifiedBy: text), id: \.id, title: \.title)?.id
  }

  /// The contact of this id, which need not be shown any more; `nil` when there is no trace of one.
  /// - Throws: as `contact`.
  func past() throws -> RecordID? {
    if let place = try place { return place }
    if let shown = try contact() { return shown.id }
    if let discarded = try discarded() { return discarded }
    return try only(
      of: try reader.pastRecords(named: text), id: \.self, title: { _ in "a contact" })
  }

  /// The record that a group's id, a colon and the record's name say, where there is such a group.
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

  /// The public id, or the group and the name where the public id is what could be several.
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
