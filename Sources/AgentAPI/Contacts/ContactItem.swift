// A contact in a list or by itself. Names, phones, e-mail addresses, postal addresses, emergency, note,
// birthday, photo and `other` are always present, even if empty. Rarer properties are present only if they
// are not empty, because a list of a thousand contacts is written on every request. Keys are never removed or
// renamed, because scripts rely on them.

import Records

/// A contact.
package struct ContactItem: Codable, Hashable, Sendable {
  package var id = ""
  package var firstName = ""
  package var lastName = ""
  package var company = ""
  /// The name for people, made by the same rule everywhere.
  package var name = ""
  /// The name by which lists are sorted.
  package var sortName = ""
  /// The heading of the contact in a list.
  package var sectionKey = ""
  /// The position in the whole list, from 0; `nil` for a contact by itself.
  package var sortIndex: Int?
  /// The id of the group.
  package var group = ""
  package var phones: [LabeledItem] = []
  package var emails: [LabeledItem] = []
  package var addresses: [AddressItem] = []
  /// Whether this is an emergency contact.
  package var emergency = false
  package var note = ""
  package var birthday: String?
  package var photo: PhotoItem?
  /// Properties of cards that have no equivalent in a contact.
  package var other: [OtherItem] = []
  /// The full name, if one was typed.
  @Sparse package var displayName = ""
  @Sparse package var namePrefix = ""
  @Sparse package var middleName = ""
  @Sparse package var nameSuffix = ""
  @Sparse package var phoneticFirstName = ""
  @Sparse package var phoneticMiddleName = ""
  @Sparse package var phoneticLastName = ""
  @Sparse package var nickname = ""
  @Sparse package var title = ""
  @Sparse package var role = ""
  @Sparse package var anniversary = ""
  /// The card's UID in the program that it came from.
  @Sparse package var uid = ""
  @Sparse package var urls: [LabeledItem] = []
  @Sparse package var instantMessages: [LabeledItem] = []
  @Sparse package var dates: [LabeledItem] = []
  @Sparse package var related: [LabeledItem] = []
  @Sparse package var departments: [String] = []
  @Sparse package var categories: [String] = []
  package var created = Timestamp(microseconds: 0)
  package var modified = Timestamp(microseconds: 0)
  package var modifiedBy = AuthorView(account: "", device: "")
  /// Whether the broker has exactly this contact.
  package var synced = false
  /// The number in the contact's `ETag`, for `If-Match`; `nil` from an older agent.
  package var version: Int64?

  /// Creates a contact without content.
  package init() {}

  /// The names of the properties, in the order of the JSON.
  package enum CodingKeys: String, CodingKey, CaseIterable, Sendable {
    case id, firstName, lastName, company, name, sortName, sectionKey, sortIndex, group
    case phones, emails, addresses, emergency, note, birthday, photo, other
    case displayName, namePrefix, middleName, nameSuffix
    case phoneticFirstName, phoneticMiddleName, phoneticLastName
    case nickname, title, role, anniversary, uid
    case urls, instantMessages, dates, related, departments, categories
    case created, modified, modifiedBy, synced, version
  }
}

extension ContactItem {
  /// Writes one property, as the synthesized `encode(to:)` writes all of them.
  func encode(
    _ key: CodingKeys, in container: inout KeyedEncodingContainer<CodingKeys>
  ) throws {
    switch key {
    case .id: try container.encode(id, forKey: key)
    case .firstName: try container.encode(firstName, forKey: key)
    case .lastName: try container.encode(lastName, forKey: key)
    case .company: try container.encode(company, forKey: key)
    case .name: try container.encode(name, forKey: key)
    case .sortName: try container.encode(sortName, forKey: key)
    case .sectionKey: try container.encode(sectionKey, forKey: key)
    case .sortIndex: try container.encodeIfPresent(sortIndex, forKey: key)
    case .group: try container.encode(group, forKey: key)
    case .phones: try container.encode(phones, forKey: key)
    case .emails: try container.encode(emails, forKey: key)
    case .addresses: try container.encode(addresses, forKey: key)
    case .emergency: try container.encode(emergency, forKey: key)
    case .note: try container.encode(note, forKey: key)
    case .birthday: try container.encodeIfPresent(birthday, forKey: key)
    case .photo: try container.encodeIfPresent(photo, forKey: key)
    case .other: try container.encode(other, forKey: key)
    case .displayName: try container.encode(_displayName, forKey: key)
    case .namePrefix: try container.encode(_namePrefix, forKey: key)
    case .middleName: try container.encode(_middleName, forKey: key)
    case .nameSuffix: try container.encode(_nameSuffix, forKey: key)
    case .phoneticFirstName: try container.encode(_phoneticFirstName, forKey: key)
    case .phoneticMiddleName: try container.encode(_phoneticMiddleName, forKey: key)
    case .phoneticLastName: try container.encode(_phoneticLastName, forKey: key)
    case .nickname: try container.encode(_nickname, forKey: key)
    case .title: try container.encode(_title, forKey: key)
    case .role: try container.encode(_role, forKey: key)
    case .anniversary: try container.encode(_anniversary, forKey: key)
    case .uid: try container.encode(_uid, forKey: key)
    case .urls: try container.encode(_urls, forKey: key)
    case .instantMessages: try container.encode(_instantMessages, forKey: key)
    case .dates: try container.encode(_dates, forKey: key)
    case .related: try container.encode(_related, forKey: key)
    case .departments: try container.encode(_departments, forKey: key)
    case .categories: try container.encode(_categories, forKey: key)
    case .created: try container.encode(created, forKey: key)
    case .modified: try container.encode(modified, forKey: key)
    case .modifiedBy: try container.encode(modifiedBy, forKey: key)
    case .synced: try container.encode(synced, forKey: key)
    case .version: try container.encodeIfPresent(version, forKey: key)
    }
  }
}

extension ContactItem {
  /// The name of a property of a contact or of its entries, for programs that edit contacts as documents. Texts, lists
  /// and the texts of entries are named by `ContactText`, `ContactList` and `EntryText`.
  package struct Key: Hashable, Sendable {
    /// The name in the JSON.
    package let name: String

    package init(_ name: String) {
      self.name = name
    }

    /// The id of a contact or of an entry.
    package static let id = Key(CodingKeys.id.stringValue)
    /// The name of a contact for people.
    package static let displayedName = Key(CodingKeys.name.stringValue)
    /// The id or title of a contact's group.
    package static let group = Key(CodingKeys.group.stringValue)
    /// Whether a contact is an emergency contact.
    package static let emergency = Key(CodingKeys.emergency.stringValue)
    /// The picture.
    package static let photo = Key(CodingKeys.photo.stringValue)
    /// The properties of cards without an equivalent.
    package static let other = Key(CodingKeys.other.stringValue)
    /// The departments within the company.
    package static let departments = Key(CodingKeys.departments.stringValue)
    /// The categories.
    package static let categories = Key(CodingKeys.categories.stringValue)
    /// The time of creation.
    package static let created = Key(CodingKeys.created.stringValue)
    /// The time of the last change.
    package static let modified = Key(CodingKeys.modified.stringValue)
    /// The author of the last change.
    package static let modifiedBy = Key(CodingKeys.modifiedBy.stringValue)
    /// Whether the broker has the contact.
    package static let synced = Key(CodingKeys.synced.stringValue)

    /// The properties that only the agent sets, with `schema`. Requests may contain them; they have no effect.
    package static let readOnly: Set<String> = [
      "schema", CodingKeys.id.stringValue, CodingKeys.name.stringValue,
      CodingKeys.sortName.stringValue, CodingKeys.sectionKey.stringValue,
      CodingKeys.sortIndex.stringValue, CodingKeys.created.stringValue,
      CodingKeys.modified.stringValue, CodingKeys.modifiedBy.stringValue,
      CodingKeys.synced.stringValue, CodingKeys.version.stringValue,
    ]
  }

  /// The part of a contact that lists show. Reading it takes a fraction of the time and memory of the whole.
  package struct Line: Hashable, Sendable {
    package var id = ""
    package var name = ""
    package var firstName = ""
    package var lastName = ""
    package var company = ""
    package var sortName = ""
    package var sectionKey = ""
    package var group = ""
    /// The numbers, without labels.
    package var phones: [String] = []
    /// The addresses, without labels.
    package var emails: [String] = []
    package var categories: [String] = []
    package var emergency = false
    /// The birthday as the contact has it; `nil` if it has none.
    package var birthday: String?
    /// The time in RFC 3339, as the agent wrote it.
    package var created: String?
    /// The time in RFC 3339, as the agent wrote it.
    package var modified: String?
    package var synced = false

    /// The properties that are read.
    package static let selection = ContactSelection([
      .id, .name, .firstName, .lastName, .company, .sortName, .sectionKey, .group, .phones, .emails,
      .categories, .emergency, .birthday, .created, .modified, .synced,
    ])

    /// Creates a contact without properties.
    package init() {}

    /// Reads a contact, and skips what lists do not show.
    /// - Throws: `JSONScanner.Unexpected`.
    init(_ scanner: inout JSONScanner) throws {
      var line = Line()
      try scanner.object { scanner, key in
        switch CodingKeys(stringValue: key) {
        case .id: line.id = try scanner.string()
        case .name: line.name = try scanner.string()
        case .firstName: line.firstName = try scanner.string()
        case .lastName: line.lastName = try scanner.string()
        case .company: line.company = try scanner.string()
        case .sortName: line.sortName = try scanner.string()
        case .sectionKey: line.sectionKey = try scanner.string()
        case .group: line.group = try scanner.string()
        case .created: line.created = try scanner.optionalString()
        case .modified: line.modified = try scanner.optionalString()
        case .phones: line.phones = try LabeledItem.values(&scanner)
        case .emails: line.emails = try LabeledItem.values(&scanner)
        case .categories: try scanner.list { line.categories.append(try $0.string()) }
        case .emergency: line.emergency = try scanner.flag()
        case .birthday: line.birthday = try scanner.optionalString()
        case .synced: line.synced = try scanner.flag()
        default: break
        }
      }
      self = line
    }
  }
}
