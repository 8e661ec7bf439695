// Groups in an export. Groups that were imported as cards are exported as cards again, with all contacts that
// have their title among the categories. For programs that do not support categories, every category can be
// exported as a group.

import ContactCards
import Contacts
import DeviceStore
import Records

/// The groups of an export, and their members.
struct ExportedGroups: Sendable {
  private var groups: [(group: Contact, title: String, modified: Timestamp?)]
  private let isOpen: Bool
  private var members: [String: [String]] = [:]
  private var known: Set<String>

  /// Creates the groups of these records; with `categoriesToo`, also one for each category.
  init(_ records: [RecordView], categoriesToo: Bool) {
    groups = records.map { record in
      let group = ContactRecord.contact(named: record.id.name, fields: record.fields)
      return (group, GroupRecord.title(of: group), record.modified)
    }
    known = Set(groups.map(\.title))
    isOpen = categoriesToo
  }

  /// Records the groups of a contact.
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
