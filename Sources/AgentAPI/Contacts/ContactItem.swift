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
  /// The number in the contact's `ETag`, for `If-Match`.
  package var version: Int64 = 0

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
  func write(_ key: CodingKeys, to writer: inout JSONWriter) throws {
    switch key {
    case .id: writer.member(key, id)
    case .firstName: writer.member(key, firstName)
    case .lastName: writer.member(key, lastName)
    case .company: writer.member(key, company)
    case .name: writer.member(key, name)
    case .sortName: writer.member(key, sortName)
    case .sectionKey: writer.member(key, sectionKey)
    case .sortIndex: writer.member(key, sortIndex)
    case .group: writer.member(key, group)
    case .phones: writer.member(key, phones)
    case .emails: writer.member(key, emails)
    case .addresses: try writer.member(key, encoding: addresses)
    case .emergency: writer.member(key, emergency)
    case .note: writer.member(key, note)
    case .birthday: writer.member(key, birthday)
    case .photo: try writer.member(key, encoding: photo)
    case .other: try writer.member(key, encoding: other)
    case .displayName: writer.member(key, sparse: displayName)
    case .namePrefix: writer.member(key, sparse: namePrefix)
    case .middleName: writer.member(key, sparse: middleName)
    case .nameSuffix: writer.member(key, sparse: nameSuffix)
    case .phoneticFirstName: writer.member(key, sparse: phoneticFirstName)
    case .phoneticMiddleName: writer.member(key, sparse: phoneticMiddleName)
    case .phoneticLastName: writer.member(key, sparse: phoneticLastName)
    case .nickname: writer.member(key, sparse: nickname)
    case .title: writer.member(key, sparse: title)
    case .role: writer.member(key, sparse: role)
    case .anniversary: writer.member(key, sparse: anniversary)
    case .uid: writer.member(key, sparse: uid)
    case .urls: writer.member(key, sparse: urls)
    case .instantMessages: writer.member(key, sparse: instantMessages)
    case .dates: writer.member(key, sparse: dates)
    case .related: writer.member(key, sparse: related)
    case .departments: writer.member(key, sparse: departments)
    case .categories: writer.member(key, sparse: categories)
    case .created: writer.member(key, created.description)
    case .modified: writer.member(key, modified.description)
    case .modifiedBy: try writer.member(key, encoding: modifiedBy)
    case .synced: writer.member(key, synced)
    case .version: writer.member(key, version)
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
    package static let selection = ContactSelection(properties)

    private static let properties: Set<CodingKeys> = [
      .id, .name, .firstName, .lastName, .company, .sortName, .sectionKey, .group, .phones, .emails,
      .categories, .emergency, .birthday, .created, .modified, .synced,
    ]
    private static let names = JSONNames(properties)

    /// Creates a contact without properties.
    package init() {}

    /// Reads a contact, and skips what lists do not show.
    /// - Throws: `JSONScanner.Unexpected`.
    init(_ scanner: inout JSONScanner) throws {
      var line = Line()
      try scanner.object(Self.names) { scanner, name in
        switch name {
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
