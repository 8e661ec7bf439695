// The properties of a contact as JSON. Names, phones, e-mail addresses, postal addresses, emergency, note,
// birthday, photo and `other` are always present, even if empty. Rarer properties are present only if they
// are not empty, because a list of a thousand contacts is written on every request.

import Contacts
import Records

extension JSONWriter {
  /// Writes a text under its name.
  mutating func text(_ text: ContactText, of contact: Contact) {
    key(named: text.rawValue)
    value(contact[text])
  }

  /// Writes the properties after the leading names.
  mutating func properties(of contact: Contact) {
    labeled(.phones, contact.phones)
    labeled(.emails, contact.emails)
    addresses(contact.addresses)
    key("emergency")
    value(contact.isEmergency)
    text(.note, of: contact)
    key("birthday")
    value(contact.birthday.isEmpty ? nil : contact.birthday)
    photo(contact.photo)
    other(contact.other)
    rareProperties(of: contact)
  }

  private mutating func rareProperties(of contact: Contact) {
    let always: [ContactText] = [.firstName, .lastName, .company, .note, .birthday]
    for property in ContactText.allCases
    where !always.contains(property) && !contact[property].isEmpty {
      text(property, of: contact)
    }
    if !contact.urls.isEmpty { labeled(.urls, contact.urls) }
    if !contact.instantMessages.isEmpty { labeled(.instantMessages, contact.instantMessages) }
    if !contact.dates.isEmpty { labeled(.dates, contact.dates) }
    if !contact.related.isEmpty { labeled(.related, contact.related) }
    if !contact.departments.isEmpty {
      key("departments")
      list(contact.departments) { json, text in json.value(text) }
    }
    if !contact.categories.isEmpty {
      key("categories")
      list(contact.categories) { json, text in json.value(text) }
    }
  }

  private mutating func labeled(_ name: ContactList, _ values: [LabeledValue]) {
    key(named: name.rawValue)
    list(values) { json, entry in
      json.object { json in
        json.text("id", entry.id.description)
        json.text("label", entry.label)
        json.text("value", entry.value)
        json.details(entry.details)
      }
    }
  }

  private mutating func addresses(_ addresses: [PostalAddress]) {
    key("addresses")
    list(addresses) { json, address in
      json.object { json in
        json.text("id", address.id.description)
        json.text("label", address.label)
        json.text("street1", address.street1)
        json.text("street2", address.street2)
        json.text("city", address.city)
        json.text("state", address.state)
        json.text("zipcode", address.zipcode)
        json.text("country", address.country)
        if !address.countryCode.isEmpty { json.text("countryCode", address.countryCode) }
        if !address.poBox.isEmpty { json.text("poBox", address.poBox) }
        json.details(address.details)
      }
    }
  }

  private mutating func details(_ details: EntryDetails) {
    guard !details.isEmpty else { return }
    if !details.kinds.isEmpty {
      key("kinds")
      list(details.kinds.split(separator: ",")) { json, kind in json.value(String(kind)) }
    }
    if let preference = details.preference {
      key("preference")
      value(Int64(preference))
    }
    if !details.group.isEmpty { text("group", details.group) }
    if !details.name.isEmpty { text("name", details.name) }
    if !details.parameters.isEmpty { text("parameters", details.parameters) }
  }

  private mutating func photo(_ photo: ContactPhoto?) {
    key("photo")
    guard let photo else { return null() }
    object { json in
      json.text("mediaType", photo.mediaType)
      json.media(photo.media)
    }
  }

  private mutating func other(_ properties: [OtherProperty]) {
    key("other")
    list(properties) { json, property in
      json.object { json in
        json.text("id", property.id.description)
        if !property.group.isEmpty { json.text("group", property.group) }
        json.text("name", property.name)
        if !property.parameters.isEmpty { json.text("parameters", property.parameters) }
        json.text("value", property.value)
        if !property.restates.isEmpty { json.text("restates", property.restates) }
        if let content = property.content {
          json.key("content")
          json.object { json in json.media(content) }
        }
      }
    }
  }

  private mutating func media(_ media: ContactMedia) {
    key("sizeBytes")
    value(Int64(clamping: media.sizeBytes))
    guard case .asset(let asset) = media else { return }
    text("digest", asset.digest.hexadecimal)
  }

  private mutating func text(_ name: StaticString, _ text: String) {
    key(name)
    value(text)
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
