// A contact in the agent's JSON.

import AddressBook
import AgentAPI
import Contacts
import DeviceDriver
import DeviceStore
import Records

extension ContactItem {
  /// Creates the JSON of a contact, with the names that `who` knows.
  /// - Parameter selection: The properties that are written; `nil` for all. Costly ones are not made in vain.
  init(_ row: ContactRow, who: Identity, for selection: ContactSelection? = nil) {
    self.init()
    let record = row.record
    id = record.publicID.text
    name = row.displayName
    if selection?.contains(.sortName) != false { sortName = row.sortName }
    sectionKey = row.sectionKey
    sortIndex = row.sortIndex
    group = GroupID.text(record.id.zone)
    set(usual: row.contact)
    set(rare: row.contact)
    created = record.created
    modified = record.modified
    if selection?.contains(.modifiedBy) != false {
      modifiedBy = AuthorView(
        account: record.modifiedAccount, device: record.modifiedDevice, who: who)
    }
    synced = record.isSynced
    version = record.version
  }

  private mutating func set(usual contact: Contact) {
    firstName = contact.firstName
    lastName = contact.lastName
    company = contact.company
    phones = contact.phones.map { LabeledItem($0) }
    emails = contact.emails.map { LabeledItem($0) }
    addresses = contact.addresses.map { AddressItem($0) }
    emergency = contact.isEmergency
    note = contact.note
    birthday = contact.birthday.isEmpty ? nil : contact.birthday
    photo = contact.photo.map { PhotoItem($0) }
    other = contact.other.map { OtherItem($0) }
  }

  private mutating func set(rare contact: Contact) {
    displayName = contact.displayName
    namePrefix = contact.namePrefix
    middleName = contact.middleName
    nameSuffix = contact.nameSuffix
    phoneticFirstName = contact.phoneticFirstName
    phoneticMiddleName = contact.phoneticMiddleName
    phoneticLastName = contact.phoneticLastName
    nickname = contact.nickname
    title = contact.title
    role = contact.role
    anniversary = contact.anniversary
    uid = contact.uid
    urls = contact.urls.map { LabeledItem($0) }
    instantMessages = contact.instantMessages.map { LabeledItem($0) }
    dates = contact.dates.map { LabeledItem($0) }
    related = contact.related.map { LabeledItem($0) }
    departments = contact.departments
    categories = contact.categories
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
  fileprivate var kindList: [String] { kinds.split(separator: ",").map(String.init) }
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
