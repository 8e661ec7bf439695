// The location, times and authors of a contact in the agent's JSON; its properties are in
// ContactProperties.swift. Keys are never removed or renamed, because scripts rely on them.

import AddressBook
import Contacts
import DeviceDriver
import DeviceStore
import Records

extension JSONWriter {
  /// Writes a contact of a list or, with `isWhole`, a single contact with `schema` first.
  mutating func contact(_ row: ContactRow, who: Identity, isWhole: Bool = false) {
    let record = row.record
    let contact = row.contact
    object { json in
      if isWhole { json.schema() }
      json.key("id")
      json.value(record.publicID.text)
      for text in [ContactText.firstName, .lastName, .company] { json.text(text, of: contact) }
      json.key("name")
      json.value(row.displayName)
      json.key("sortName")
      json.value(row.sortName)
      json.key("sectionKey")
      json.value(row.sectionKey)
      json.key("sortIndex")
      json.value(row.sortIndex.map { Int64($0) })
      json.key("group")
      json.value(GroupID.text(record.id.zone))
      json.properties(of: contact)
      json.history(of: record, who: who)
    }
  }

  /// Writes the version of the schema.
  mutating func schema() {
    key("schema")
    value(Int64(1))
  }

  /// Writes the author of a change; `name` is the account's display name, if it is different.
  mutating func author(account: AccountID?, device: DeviceID?, who: Identity) {
    object { json in
      json.key("account")
      let name = who.name(of: account)
      json.value(name)
      let displayName = who.displayName(of: account)
      if displayName != name {
        json.key("name")
        json.value(displayName)
      }
      json.key("device")
      json.value(who.name(of: device))
    }
  }

  private mutating func history(of record: RecordView, who: Identity) {
    key("created")
    value(record.created)
    key("modified")
    value(record.modified)
    key("modifiedBy")
    author(account: record.modifiedAccount, device: record.modifiedDevice, who: who)
    key("synced")
    value(record.isSynced)
  }
}

/// A group's id in JSON, paths and queries.
enum GroupID {
  /// Returns the zone's name; for a zone of another owner, the owner, a period and the name. Unlike a slash,
  /// a period needs no escaping in a path.
  static func text(_ zone: ZoneID) -> String {
    zone.owner == .current ? zone.name.description : "\(zone.owner).\(zone.name)"
  }

  /// Returns the zone that `text` names, whether it is on this device or not.
  static func zone(_ text: some StringProtocol) -> ZoneID? {
    let parts = text.split(
      separator: "." as Character, omittingEmptySubsequences: false
    ).map { String($0) }
    guard let last = parts.last, parts.count <= 2, let name = ZoneName(last) else { return nil }
    guard parts.count == 2 else { return ZoneID(name: name) }
    return AccountID(parts[0]).map { ZoneID(owner: $0, name: name) }
  }
}
