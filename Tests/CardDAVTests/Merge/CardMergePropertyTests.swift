// Random histories of two clients that overwrite without asking and a device that does not: a value is gone only if
// a client or the device removed or replaced that very value.

import ContactCards
import Contacts
import PredicateWorld
import Records
import TestTiers
import Testing

@testable import CardDAV

@Suite("D3 merging cards in random histories")
struct CardMergePropertyTests {
  @Test(arguments: [CardVersion.three, .four])
  func `no value that nobody removed is ever gone`(version: CardVersion) throws {
    for seed in 1...TestTier.cases(150) {
      var history = History(seed: UInt64(seed), version: version)
      for step in 1...40 {
        try history.advance()
        let contact = history.served.contact
        for (text, value) in history.texts {
          try #require(contact[text] == value, "seed \(seed), step \(step), \(text)")
        }
        try #require(
          Set(contact.phones.map(\.value)) == history.phones, "seed \(seed), step \(step)")
      }
    }
  }
}

/// A contact, two clients with a card each, and what the contact must have.
private struct History {
  var served = ServedContact()
  var texts: CaseValues<ContactText, String> = [:]
  var phones: Set<String> = []
  private var cards: [Card]
  private var random: SeededGenerator
  private var count = 0
  private let version: CardVersion

  private static let properties: [(text: ContactText, name: String)] = [
    (.title, "TITLE"), (.role, "ROLE"), (.note, "NOTE"), (.nickname, "NICKNAME"),
  ]

  init(seed: UInt64, version: CardVersion) {
    self.version = version
    random = SeededGenerator(seed: seed)
    let card = served.card(version)
    cards = [card, card]
  }

  mutating func advance() throws {
    let client = random.below(2)
    switch random.below(10) {
    case 0, 1: cards[client] = served.card(version)
    case 2...4: try editOnDevice()
    default: try editOnClient(client)
    }
  }

  /// A value that no other step uses.
  private mutating func newValue() -> String {
    count += 1
    return "\(4700 + count)"
  }

  private mutating func editOnDevice() throws {
    var edit = ContactEdit()
    if random.percent(50) {
      let (text, _) = random.one(of: Self.properties)
      let value = newValue()
      edit[text] = value
      texts[text] = value
    } else if let phone = served.contact.phones.randomElement(using: &random), random.percent(60) {
      let value = newValue()
      edit[.phones] = [.change(phone.id, label: nil, value: value)]
      phones.remove(phone.value)
      phones.insert(value)
    } else {
      let value = newValue()
      edit[.phones] = [.add(label: random.one(of: ["home", "work", ""]), value: value)]
      phones.insert(value)
    }
    try served.edit(edit)
  }

  private mutating func editOnClient(_ client: Int) throws {
    let base = cards[client]
    var body = base
    if random.percent(50) { editText(of: &body) } else { editPhone(of: &body) }
    try served.put(body, base: base)
    // The client has its own card until it reads again.
    cards[client] = body
  }

  private mutating func editText(of body: inout Card) {
    let (text, name) = random.one(of: Self.properties)
    if let old = body[name], random.percent(30) {
      body[name] = nil
      if texts[text] == old { texts[text] = "" }
    } else {
      let value = newValue()
      body[name] = value
      texts[text] = value
    }
  }

  private mutating func editPhone(of body: inout Card) {
    let indices = body.properties.indices.filter { body.properties[$0].key == "TEL" }
    guard let index = indices.randomElement(using: &random), random.percent(70) else {
      let value = newValue()
      let types = random.one(of: ["HOME", "WORK"])
      body.properties.append(
        CardProperty(name: "TEL", parameters: [CardParameter("TYPE", [types])], value: value))
      phones.insert(value)
      return
    }
    phones.remove(body.properties[index].value)
    if random.percent(40) {
      body.properties.remove(at: index)
    } else {
      let value = newValue()
      body.properties[index].value = value
      phones.insert(value)
    }
  }
}
