// Contact ⇄ record, here and nowhere else. Reading takes what it knows and leaves the rest closed;
// writing never starts from a contact but from the record's own fields (see ContactEdit), so what
// a newer program or another application put there outlives every edit of ours.

import Records

/// How a contact lies in a record.
package enum ContactRecord {
  /// The type of a contact's record.
  package static let type = RecordType(stored: "Contact")

  static let firstName: FieldKey = "firstName"
  static let lastName: FieldKey = "lastName"
  static let company: FieldKey = "company"
  static let phones: FieldKey = "phones"
  static let emails: FieldKey = "emails"
  static let label: FieldKey = "label"
  static let value: FieldKey = "value"

  /// The contact that `fields` describe. A field of an unexpected kind reads as absent: the record
  /// may come from another program, and one odd field must not hide the person.
  package static func contact(named id: RecordName, fields: Fields) -> Contact {
    Contact(
      id: id,
      firstName: text(fields[firstName]),
      lastName: text(fields[lastName]),
      company: text(fields[company]),
      phones: labeledValues(fields[phones]),
      emails: labeledValues(fields[emails]))
  }

  static func text(_ value: Value?) -> String {
    guard case .string(let text) = value else { return "" }
    return text
  }

  static func entries(_ value: Value?) -> [Entry] {
    guard case .entries(let entries) = value else { return [] }
    return entries
  }

  /// What one entry says, as it is written.
  static func entryFields(label: String, value: String) -> Fields {
    var fields: Fields = [Self.value: .string(value)]
    if !label.isEmpty { fields[Self.label] = .string(label) }
    return fields
  }

  private static func labeledValues(_ value: Value?) -> [LabeledValue] {
    entries(value).sorted(by: Entry.precedes).map { entry in
      LabeledValue(
        id: entry.id, position: entry.position, label: text(entry.fields[label]),
        value: text(entry.fields[Self.value]))
    }
  }
}
