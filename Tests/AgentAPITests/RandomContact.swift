// Contacts with random content, for the laws of encoding and reading.

import PredicateWorld
import Records

@testable import AgentAPI

extension ContactItem {
  /// A contact that has each property with a probability of one half.
  static func random(_ generator: inout SeededGenerator) -> ContactItem {
    var contact = ContactItem()
    contact.id = .random(&generator)
    contact.firstName = .random(&generator)
    contact.lastName = .random(&generator)
    contact.company = .random(&generator)
    contact.name = .random(&generator)
    contact.sortName = .random(&generator)
    contact.sectionKey = .random(&generator)
    contact.sortIndex = generator.percent(50) ? generator.below(1000) : nil
    contact.group = .random(&generator)
    contact.phones = .random(&generator) { .random(&$0) }
    contact.emails = .random(&generator) { .random(&$0) }
    contact.addresses = .random(&generator) { generator in
      var address = AddressItem()
      address.city = .random(&generator)
      address.poBox = .random(&generator)
      return address
    }
    contact.note = .random(&generator)
    contact.emergency = generator.percent(50)
    contact.birthday = generator.percent(50) ? .random(&generator) : nil
    contact.photo =
      generator.percent(50)
      ? PhotoItem(mediaType: .random(&generator), sizeBytes: 1 << 40, digest: nil) : nil
    contact.other = .random(&generator) { generator in
      var property = OtherItem()
      property.value = .random(&generator)
      property.content =
        generator.percent(50) ? MediaItem(sizeBytes: 3, digest: .random(&generator)) : nil
      return property
    }
    contact.fillRareProperties(&generator)
    contact.created = Timestamp(microseconds: Int64(generator.below(1 << 50)))
    contact.modified = Timestamp(microseconds: Int64(generator.below(1 << 50)))
    contact.modifiedBy = AuthorView(
      account: .random(&generator), name: generator.percent(50) ? .random(&generator) : nil,
      device: .random(&generator))
    contact.synced = generator.percent(50)
    contact.version = Int64(generator.below(1 << 40))
    return contact
  }

  private mutating func fillRareProperties(_ generator: inout SeededGenerator) {
    displayName = .random(&generator)
    namePrefix = .random(&generator)
    middleName = .random(&generator)
    nameSuffix = .random(&generator)
    phoneticFirstName = .random(&generator)
    phoneticMiddleName = .random(&generator)
    phoneticLastName = .random(&generator)
    nickname = .random(&generator)
    title = .random(&generator)
    role = .random(&generator)
    anniversary = .random(&generator)
    uid = .random(&generator)
    urls = .random(&generator) { .random(&$0) }
    instantMessages = .random(&generator) { .random(&$0) }
    dates = .random(&generator) { .random(&$0) }
    related = .random(&generator) { .random(&$0) }
    departments = .random(&generator) { .random(&$0) }
    categories = .random(&generator) { .random(&$0) }
  }
}

extension LabeledItem {
  static func random(_ generator: inout SeededGenerator) -> LabeledItem {
    LabeledItem(
      id: .random(&generator), label: .random(&generator), value: .random(&generator),
      kinds: .random(&generator) { .random(&$0) },
      preference: generator.percent(50) ? generator.below(100) : nil,
      group: .random(&generator), name: .random(&generator), parameters: .random(&generator))
  }
}

extension String {
  /// A text of up to five characters, among them those that JSON and terminals treat specially.
  static func random(_ generator: inout SeededGenerator) -> String {
    let characters: [Character] = [
      "a", "Z", " ", "\"", "\\", "/", "\n", "\r\n", "\t", "\0", "\u{1F}", "\u{7F}", "\u{85}",
      "\u{9B}", "\u{A0}", "é", "李", "🎈", "e\u{301}", "]", "}", ",", ":",
    ]
    return String((0..<generator.below(6)).map { _ in generator.one(of: characters) })
  }
}

extension Array {
  /// Up to two items.
  static func random(
    _ generator: inout SeededGenerator, _ item: (inout SeededGenerator) -> Element
  ) -> [Element] {
    (0..<generator.below(3)).map { _ in item(&generator) }
  }
}
