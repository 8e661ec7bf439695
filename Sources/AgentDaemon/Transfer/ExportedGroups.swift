// Groups on their way out: those that came as cards go as cards again, with whoever has their title
// among the categories now; for programs that know no categories all of them can be written so.

import ContactCards
import Contacts
import DeviceStore
import Records

/// The groups that an export ends with, and who is in them.
struct ExportedGroups: Sendable {
  private var groups: [(group: Contact, title: String, modified: Timestamp?)]
  private let isOpen: Bool
  private var members: [String: [String]] = [:]
  private var known: Set<String>

  /// The groups of these records; with `categoriesToo` one for every category that turns up.
  init(_ records: [RecordView], categoriesToo: Bool) {
    groups = records.map { record in
      let group = ContactRecord.contact(named: record.id.name, fields: record.fields)
      return (group, ContactName(group).displayName, record.modified)
    }
    known = Set(groups.map(\.title))
    isOpen = categoriesToo
  }

  /// Notes which groups a contact is in.
  mutating func note(_ contact: Contact) {
    for category in contact.categories where isOpen || known.contains(category) {
      if known.insert(category).inserted {
        groups.append((CardGroup.group(titled: category), category, nil))
      }
      members[category, default: []].append(contact.uid.isEmpty ? contact.id.text : contact.uid)
    }
  }

  /// The groups, each with the UIDs of its members.
  var all: [(group: Contact, modified: Timestamp?, members: [String])] {
    groups.map { ($0.group, $0.modified, members[$0.title] ?? []) }
  }
}
