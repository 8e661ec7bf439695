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
  /// The maximum number of cards that one step reads.
  private let cardsPerStep: Int
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
    // The members of each group are looked for among all contacts of the book.
    cardsPerStep = filter.namesMembers ? 10 : 200
    candidates = try filter.necessaryWords.map { words in
      try reader.read { try CardResources($0).cards(in: book.zone, withAnyOf: words) }[...]
    }
  }

  /// Returns the cards of the next step that meet the condition; `nil` at the end.
  mutating func next() throws -> [CardResource]? {
    guard let place else { return nil }
    let (book, filter, limit) = (book, filter, cardsPerStep)
    let prepared = candidates?.prefix(limit)
    let (cards, end, count) = try reader.read { db in
      let part =
        try prepared.map { Array($0) }
        ?? CardResources(db).cards(in: book.zone, after: place, limit: limit)
      var searched = try SearchedCards(db, filter)
      return (try part.filter { try searched.meets($0) }, part.last?.row, part.count)
    }
    candidates = candidates?.dropFirst(limit)
    self.place = count < limit ? nil : end
    return cards
  }
}

/// Composes cards as far as a condition needs, in one transaction.
private struct SearchedCards {
  private static let composer = CardComposer(version: .three)

  private let db: Database
  private let filter: CardFilter
  /// Reads the fields that the condition needs; `nil` if it may need all of them.
  private var records: ListedRecords?

  init(_ db: Database, _ filter: CardFilter) throws {
    self.db = db
    self.filter = filter
    records = try filter.neededFields.map { try ListedRecords(db, fields: $0) }
  }

  /// Whether a card meets the condition.
  mutating func meets(_ resource: CardResource) throws -> Bool {
    if filter.isEmpty { return true }
    return try (part(of: resource) ?? whole(resource)).map { filter.matches($0) } ?? false
  }

  /// Returns the card with the properties that the condition names; `nil` if that needs the other fields.
  private mutating func part(of resource: CardResource) throws -> Card? {
    guard let record = try records?.record(resource.row) else { return nil }
    let contact = ContactRecord.contact(named: resource.id.name, fields: record.fields)
    let card = Self.composer.card(of: contact) { _ in nil }
    // Without a name, the card is named by the first e-mail address or phone number, which may not have been read.
    return card.properties.contains { $0.key == "FN" && !$0.value.isEmpty } ? card : nil
  }

  private func whole(_ resource: CardResource) throws -> Card? {
    guard let (fields, modified) = try CardResources(db).content(of: resource) else { return nil }
    let contact = ContactRecord.contact(named: resource.id.name, fields: fields)
    guard resource.isGroup else {
      return Self.composer.card(of: contact, modified: modified, bytes: Self.noBytes)
    }
    let title = GroupRecord.title(of: contact)
    let members = try filter.namesMembers ? CardGroups(db).members(of: resource, titled: title) : []
    return Self.composer.card(
      ofGroup: contact, members: members, modified: modified, bytes: Self.noBytes)
  }

  /// Stands for the bytes of a picture: a condition asks whether there is one.
  private static func noBytes(_: ContactMedia) -> [UInt8]? { [] }
}

extension CardFilter {
  /// Properties that are composed from a contact's texts.
  private static let texts: Set<String> = [
    "FN", "N", "NICKNAME", "ORG", "TITLE", "ROLE", "NOTE", "UID", "CATEGORIES",
  ]
  /// Properties that are composed from one of its lists. A label of an entry is a property of its own.
  private static let lists: [String: ContactList] = [
    "TEL": .phones, "EMAIL": .emails, "ADR": .addresses, "URL": .urls,
  ]

  /// The fields of a record that the named properties are composed from; `nil` if it can be any.
  fileprivate var neededFields: Set<FieldKey>? {
    // The name of a group depends on the labels of all entries.
    guard !namesGroups, propertyNames.isSubset(of: Self.texts.union(Self.lists.keys)) else {
      return nil
    }
    let texts = ContactText.allCases.filter { $0 != .note || propertyNames.contains("NOTE") }
    // A property that another program wrote in a way of its own is among the others too.
    var lists = [.other] + propertyNames.compactMap { Self.lists[$0] }
    // A phone number names a contact only if no e-mail address does.
    if lists.contains(.phones) { lists.append(.emails) }
    return ContactRecord.fields(
      ofProperties: ["departments", "categories"] + texts.map(\.rawValue) + lists.map(\.rawValue))
  }

  /// Whether the condition is about the members of groups.
  fileprivate var namesMembers: Bool { propertyNames.contains { $0.hasSuffix("MEMBER") } }
}
