// Conversion between contacts and records; no other file does this. Reading ignores unknown fields. Writing
// starts from the record's own fields, never from a contact (see ContactEdit), so fields of a newer program
// or of another application survive every edit.

import Records

/// The record of a contact.
package enum ContactRecord {
  /// The record type.
  package static let type = RecordType(stored: "Contact")

  static let departments: FieldKey = "departments"
  /// The key of the categories.
  package static let categories: FieldKey = "categories"
  static let emergency: FieldKey = "emergency"
  static let photo: FieldKey = "photo"
  static let photoType: FieldKey = "photoType"
  static let content: FieldKey = "content"

  /// Returns the contact that `fields` describe. A field of an unexpected kind reads as absent: the record
  /// may come from another program, and one odd field must not hide the person.
  package static func contact(named id: RecordName, fields: Fields) -> Contact {
    var contact = Contact(id: id)
    for field in fields.all {
      switch properties[field.key.text] {
      case .text(let property): contact[property] = text(field.value)
      case .list(let list): read(field.value, into: &contact, list)
      case .departments: contact.departments = texts(field.value)
      case .categories:
        contact.categories = sortedEntries(field.value).map { text($0.fields[EntryText.value.key]) }
      case .emergency: contact.isEmergency = field.value == .boolean(true)
      case .photo:
        contact.photo = media(field.value).map {
          ContactPhoto(media: $0, mediaType: text(fields[photoType]))
        }
      case nil: break
      }
    }
    return contact
  }

  /// What a field of a record describes.
  private enum Property {
    case text(ContactText)
    case list(ContactList)
    case departments, categories, emergency, photo
  }

  /// By the key of the field.
  private static let properties: [String: Property] = {
    var properties: [String: Property] = [
      departments.text: .departments, categories.text: .categories, emergency.text: .emergency,
      photo.text: .photo,
    ]
    for property in ContactText.allCases { properties[property.rawValue] = .text(property) }
    for list in ContactList.allCases { properties[list.rawValue] = .list(list) }
    return properties
  }()

  /// Returns the fields of a record that the properties with these names are read from. Names that are not those of
  /// fields are ignored.
  package static func fields(ofProperties names: [String]) -> Set<FieldKey> {
    var fields = Set(names.map { FieldKey(stored: $0) })
    if fields.contains(photo) { fields.insert(photoType) }
    return fields
  }

  static func text(_ value: Value?) -> String {
    guard case .string(let text) = value else { return "" }
    return text
  }

  static func texts(_ value: Value?) -> [String] {
    guard case .list(let items) = value else { return [] }
    return items.compactMap { item in
      guard case .string(let text) = item else { return nil }
      return text
    }
  }

  static func entries(_ value: Value?) -> [Entry] {
    guard case .entries(let entries) = value else { return [] }
    return entries
  }

  /// Returns entries in the order in which they are shown.
  private static func sortedEntries(_ value: Value) -> [Entry] {
    let entries = entries(value)
    return entries.count < 2 ? entries : entries.sorted(by: Entry.precedes)
  }

  static func media(_ value: Value?) -> ContactMedia? {
    switch value {
    case .bytes(let bytes): .inline(bytes)
    case .asset(let asset): .asset(asset)
    default: nil
    }
  }

  // MARK: Reading entries

  private static func read(_ value: Value, into contact: inout Contact, _ list: ContactList) {
    let entries = sortedEntries(value)
    switch list {
    case .phones: contact.phones = entries.map(labeledValue)
    case .emails: contact.emails = entries.map(labeledValue)
    case .urls: contact.urls = entries.map(labeledValue)
    case .instantMessages: contact.instantMessages = entries.map(labeledValue)
    case .dates: contact.dates = entries.map(labeledValue)
    case .related: contact.related = entries.map(labeledValue)
    case .addresses: contact.addresses = entries.map(address)
    case .other: contact.other = entries.map(otherProperty)
    }
  }

  private static func labeledValue(_ entry: Entry) -> LabeledValue {
    var result = LabeledValue(id: entry.id, position: entry.position, label: "", value: "")
    for field in entry.fields.all {
      switch EntryText(rawValue: field.key.text) {
      case .label: result.label = text(field.value)
      case .value: result.value = text(field.value)
      case .some(let property): read(field.value, into: &result.details, property)
      case nil: break
      }
    }
    return result
  }

  private static func address(_ entry: Entry) -> PostalAddress {
    var result = PostalAddress(id: entry.id, position: entry.position)
    for field in entry.fields.all {
      switch EntryText(rawValue: field.key.text) {
      case .label: result.label = text(field.value)
      case .poBox: result.poBox = text(field.value)
      case .street1: result.street1 = text(field.value)
      case .street2: result.street2 = text(field.value)
      case .city: result.city = text(field.value)
      case .state: result.state = text(field.value)
      case .zipcode: result.zipcode = text(field.value)
      case .country: result.country = text(field.value)
      case .countryCode: result.countryCode = text(field.value)
      case .some(let property): read(field.value, into: &result.details, property)
      case nil: break
      }
    }
    return result
  }

  private static func read(
    _ value: Value, into details: inout EntryDetails, _ property: EntryText
  ) {
    switch property {
    case .kinds: details.kinds = text(value)
    case .preference:
      guard case .int64(let number) = value else { return }
      details.preference = Int(clamping: number)
    case .group: details.group = text(value)
    case .name: details.name = text(value)
    case .parameters: details.parameters = text(value)
    case .label, .value, .poBox, .street1, .street2, .city, .state, .zipcode, .country,
      .countryCode, .restates:
      break
    }
  }

  private static func otherProperty(_ entry: Entry) -> OtherProperty {
    var result = OtherProperty(id: entry.id, position: entry.position)
    result.group = text(entry.fields[EntryText.group.key])
    result.name = text(entry.fields[EntryText.name.key])
    result.parameters = text(entry.fields[EntryText.parameters.key])
    result.value = text(entry.fields[EntryText.value.key])
    result.restates = text(entry.fields[EntryText.restates.key])
    result.content = media(entry.fields[content])
    return result
  }

  // MARK: Writing

  /// Returns the value of a text; an empty text is absent.
  static func value(_ text: String) -> Value? {
    text.isEmpty ? nil : .string(text)
  }

  /// Returns the value of `text` under `property` of an entry. An empty text is absent, and so is a
  /// preference that is not a number.
  static func value(_ text: String, of property: EntryText) -> Value? {
    property == .preference ? Int64(text).map { .int64($0) } : value(text)
  }

  /// Returns the value of a picture or sound.
  static func value(_ media: ContactMedia) -> Value {
    switch media {
    case .inline(let bytes): .bytes(bytes)
    case .asset(let asset): .asset(asset)
    }
  }

  /// Returns the fields of one entry.
  static func entryFields(
    _ texts: CaseValues<EntryText, String>, content media: ContactMedia? = nil
  )
    -> Fields
  {
    var fields = Fields()
    for (property, text) in texts { fields[property.key] = value(text, of: property) }
    if let media { fields[content] = value(media) }
    return fields
  }
}
