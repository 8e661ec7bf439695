// A contact with clients that know nothing but its card: they change the card that they were served, and send it.

import ContactCards
import Contacts
import PredicateWorld
import Records

@testable import CardDAV

/// A contact of an address book.
struct ServedContact {
  private(set) var fields = Fields()
  private var random: SeededGenerator

  init(seed: UInt64 = 1) { random = SeededGenerator(seed: seed) }

  /// The contact as it is.
  var contact: Contact { ContactRecord.contact(named: RecordName(stored: "one"), fields: fields) }

  /// The contact's card, as it is served.
  func card(_ version: CardVersion = .three) -> Card {
    let composed = CardComposer(version: version).card(of: contact) { media in
      guard case .inline(let bytes) = media else { return nil }
      return bytes
    }
    var bytes: [UInt8] = []
    CardWriter.write(composed, to: &bytes)
    return ServedContact.read(bytes)
  }

  /// Reads the first card of `bytes`.
  static func read(_ bytes: some Collection<UInt8>) -> Card {
    var reader = CardReader()
    let cards = reader.feed(Array(bytes)) + reader.finish()
    return cards.first ?? Card(line: 0)
  }

  /// Applies an edit, as any device does.
  mutating func edit(_ edit: ContactEdit) throws {
    fields = try edit.changes(to: fields, using: &random).applied(to: fields)
  }

  /// Receives the card of a client that was served `base`.
  mutating func put(_ body: Card, base: Card?) throws {
    try edit(
      CardMerge(body: body, base: base, present: card(body.version), of: contact).edit)
  }
}

extension Card {
  /// The first property with this name, whose value a client changes.
  subscript(name: String) -> String? {
    get { properties.first { $0.key == name }?.value }
    set {
      guard let newValue else { return properties.removeAll { $0.key == name } }
      if let index = properties.firstIndex(where: { $0.key == name }) {
        properties[index].value = newValue
      } else {
        properties.append(CardProperty(name: name, value: newValue))
      }
    }
  }
}
