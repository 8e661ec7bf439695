// The cards that meet the condition of a query, some at a time. The text of the address book's search says which contacts
// can meet it; only their cards are composed.

import CardDAV
import CardDAVStore
import ContactCards
import Contacts
import DeviceStore
import GRDB
import Records

/// A search for cards by content.
struct CardSearch: Sendable {
  private static let cardsPerStep = 200

  private let book: CardDAVBook
  private let filter: CardFilter
  private let reader: DeviceReader
  /// The cards that can meet the condition; `nil` for all cards of the book.
  private var candidates: ArraySlice<CardResource>?
  /// The row after which the next step begins; `nil` at the end.
  private var place: Int64? = 0

  /// Begins a search in a book.
  init(of book: CardDAVBook, _ filter: CardFilter, reader: DeviceReader) throws {
    self.book = book
    self.filter = filter
    self.reader = reader
    candidates = try filter.necessaryWords.map { words in
      try reader.read { try CardResources($0).cards(in: book.zone, withAnyOf: words) }[...]
    }
  }

  /// Returns the cards of the next step that meet the condition; `nil` at the end.
  mutating func next() throws -> [CardResource]? {
    guard let place else { return nil }
    let (book, filter, prepared) = (book, filter, candidates?.prefix(Self.cardsPerStep))
    let (cards, end, count) = try reader.read { db in
      let resources = CardResources(db)
      let part =
        try prepared.map { Array($0) }
        ?? resources.cards(in: book.zone, after: place, limit: Self.cardsPerStep)
      return (
        try part.filter { try Self.meets(filter, $0, resources) }, part.last?.row, part.count
      )
    }
    candidates = candidates?.dropFirst(Self.cardsPerStep)
    self.place = count < Self.cardsPerStep ? nil : end
    return cards
  }

  private static func meets(
    _ filter: CardFilter, _ card: CardResource, _ resources: CardResources
  ) throws -> Bool {
    guard let (fields, _) = try resources.content(of: card) else { return false }
    let contact = ContactRecord.contact(named: card.id.name, fields: fields)
      .reduced(to: filter.propertyNames)
    return filter.matches(CardComposer(version: .three).card(of: contact) { _ in nil })
  }
}

extension Contact {
  /// The properties that do not depend on these lists, and those of the lists themselves. A label of an entry is a property
  /// of its own, for example.
  private static let independent: Set<String> = [
    "FN", "N", "NICKNAME", "ORG", "TITLE", "ROLE", "NOTE", "UID", "CATEGORIES", "TEL", "EMAIL",
    "ADR", "URL",
  ]

  /// Returns the contact without the lists whose properties are not among `names`. Composing them takes most of the time.
  fileprivate func reduced(to names: Set<String>) -> Contact {
    guard names.isSubset(of: Self.independent) else { return self }
    var contact = self
    if !names.contains("TEL") { contact.phones = [] }
    if !names.contains("EMAIL") { contact.emails = [] }
    if !names.contains("ADR") { contact.addresses = [] }
    if !names.contains("URL") { contact.urls = [] }
    return contact
  }
}
