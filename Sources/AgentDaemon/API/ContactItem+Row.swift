// A contact in the agent's JSON.

import AddressBook
import AgentAPI
import Contacts
import DeviceDriver
import DeviceStore
import Records

extension ContactItem {
  /// Creates the JSON of a contact, with the names that `who` knows.
  /// - Parameters:
  ///   - names: The order of the parts in a composed name.
  ///   - selection: The properties that are set; the others stay empty.
  init(
    _ row: ContactRow, who: Identity, names: NameParts.Order, for selection: ContactSelection = .all
  ) {
    self.init()
    for key in selection.keys { set(key, of: row, who, names) }
  }

  private mutating func set(
    _ key: CodingKeys, of row: ContactRow, _ who: Identity, _ names: NameParts.Order
  ) {
    switch key {
    case .id: id = row.record.publicID.text
    case .name: name = row.displayName(in: names)
    case .sortName: sortName = row.sortName
    case .sectionKey: sectionKey = row.sectionKey
    case .sortIndex: sortIndex = row.sortIndex
    case .group: group = GroupID.text(row.record.id.zone)
    case .created: created = row.record.created
    case .modified: modified = row.record.modified
    case .modifiedBy:
      modifiedBy = AuthorView(
        account: row.record.modifiedAccount, device: row.record.modifiedDevice, who: who)
    case .synced: synced = row.record.isSynced
    case .version: version = row.record.version
    default: setContent(key, of: row)
    }
  }

  // NB: from the row, because passing its contact would copy the contact for each property.
  private mutating func setContent(_ key: CodingKeys, of row: ContactRow) {
    switch key {
    case .firstName: firstName = row.contact.firstName
    case .lastName: lastName = row.contact.lastName
    case .company: company = row.contact.company
    case .phones: phones = row.contact.phones.preferredFirst.map { LabeledItem($0) }
    case .emails: emails = row.contact.emails.preferredFirst.map { LabeledItem($0) }
    case .addresses: addresses = row.contact.addresses.preferredFirst.map { AddressItem($0) }
    case .emergency: emergency = row.contact.isEmergency
    case .note: note = row.contact.note
    case .birthday: birthday = row.contact.birthday.isEmpty ? nil : row.contact.birthday
    case .photo: photo = row.contact.photo.map { PhotoItem($0) }
    case .other: other = row.contact.other.map { OtherItem($0) }
    case .displayName: displayName = row.contact.displayName
    case .namePrefix: namePrefix = row.contact.namePrefix
    case .middleName: middleName = row.contact.middleName
    case .nameSuffix: nameSuffix = row.contact.nameSuffix
    case .phoneticFirstName: phoneticFirstName = row.contact.phoneticFirstName
    case .phoneticMiddleName: phoneticMiddleName = row.contact.phoneticMiddleName
    case .phoneticLastName: phoneticLastName = row.contact.phoneticLastName
    case .nickname: nickname = row.contact.nickname
    case .title: title = row.contact.title
    case .role: role = row.contact.role
    case .anniversary: anniversary = row.contact.anniversary
    case .uid: uid = row.contact.uid
    case .urls: urls = row.contact.urls.preferredFirst.map { LabeledItem($0) }
    case .instantMessages:
      instantMessages = row.contact.instantMessages.preferredFirst.map { LabeledItem($0) }
    case .dates: dates = row.contact.dates.preferredFirst.map { LabeledItem($0) }
    case .related: related = row.contact.related.preferredFirst.map { LabeledItem($0) }
    case .departments: departments = row.contact.departments
    case .categories: categories = row.contact.categories
    case .id, .name, .sortName, .sectionKey, .sortIndex, .group, .created, .modified, .modifiedBy,
      .synced, .version:
      break
    }
  }
}

extension LabeledItem {
  fileprivate init(_ entry: LabeledValue) {
    let details = entry.details
    self.init(
      id: entry.id.description, label: entry.label, value: entry.value, kinds: details.kindList,
      preference: details.preference, group: details.group, name: details.name,
      parameters: details.parameters)
  }
}

extension AddressItem {
  fileprivate init(_ address: PostalAddress) {
    self.init()
    id = address.id.description
    label = address.label
    street1 = address.street1
    street2 = address.street2
    city = address.city
    state = address.state
    zipcode = address.zipcode
    country = address.country
    countryCode = address.countryCode
    poBox = address.poBox
    kinds = address.details.kindList
    preference = address.details.preference
    group = address.details.group
    name = address.details.name
    parameters = address.details.parameters
  }
}

extension OtherItem {
  fileprivate init(_ property: OtherProperty) {
    self.init()
    id = property.id.description
    group = property.group
    name = property.name
    parameters = property.parameters
    value = property.value
    restates = property.restates
    content = property.content.map {
      MediaItem(sizeBytes: Int64(clamping: $0.sizeBytes), digest: $0.digestText)
    }
  }
}

extension PhotoItem {
  fileprivate init(_ photo: ContactPhoto) {
    self.init(
      mediaType: photo.mediaType, sizeBytes: Int64(clamping: photo.media.sizeBytes),
      digest: photo.media.digestText)
  }
}

extension EntryDetails {
  fileprivate var kindList: [String] {
    kinds.isEmpty ? [] : kinds.split(separator: ",").map(String.init)
  }
}

extension ContactMedia {
  /// The digest of a file in hexadecimal; `nil` for bytes in the record.
  fileprivate var digestText: String? {
    guard case .asset(let asset) = self else { return nil }
    return asset.digest.hexadecimal
  }
}

extension [UInt8] {
  /// The bytes in lower-case hexadecimal.
  var hexadecimal: String {
    let digits = [UInt8]("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
