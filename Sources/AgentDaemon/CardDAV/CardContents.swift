// Composes the cards that are sent: as a client sent them, while the record has not changed since, or else from the
// record. What a client reads is noted, because a card that it sends later is compared with it.

import AssetFiles
import CardDAV
import CardDAVStore
import ContactCards
import Contacts
import DeviceDriver
import DeviceStore
import GRDB
import Records
import SyncCore

/// Reads the content of cards for a client.
struct CardContents: Sendable {
  /// The number of cards that are read together.
  static let cardsPerStep = 100

  let api: AgentRoutes
  let password: AppPasswordView
  let form: CardForm

  /// A card with its content.
  struct Found: Sendable {
    let card: CardResource
    let content: CardContent
    /// The contact without the pictures that have not arrived; `nil` if it was sent as a whole.
    fileprivate(set) var incomplete: Card?
  }

  /// What is read of a card in one transaction.
  fileprivate struct Stored: Sendable {
    let card: CardResource
    let contact: Contact
    let modified: Timestamp
    /// Whether there is a card as a client sent it.
    let isKept: Bool
    /// The UIDs of the members, of a group.
    let members: [String]
  }

  /// Begins to read the content of cards. One that is deleted in the meantime is left out.
  func step(_ cards: [CardResource]) throws -> Step {
    let stored = try api.reader.read { db in
      try cards.compactMap { try CardResources(db).card($0.id) }.compactMap {
        try self.stored($0, db)
      }
    }
    return Step(contents: self, rest: stored[...], notes: Notes(password: password.id))
  }

  /// Cards that are read one after another, because a card can have large pictures.
  struct Step {
    fileprivate let contents: CardContents
    fileprivate var rest: ArraySlice<Stored>
    fileprivate var notes: Notes

    /// Returns the next card; `nil` after the last one, when it is noted what the client has.
    mutating func next() async throws -> Found? {
      guard let stored = rest.popFirst() else {
        try await contents.note(notes)
        return nil
      }
      let found = try await contents.found(stored)
      notes.add(found)
      return found
    }
  }

  private func stored(_ card: CardResource, _ db: Database) throws -> Stored? {
    guard let (fields, modified) = try CardResources(db).content(of: card) else { return nil }
    let contact = ContactRecord.contact(named: card.id.name, fields: fields)
    return Stored(
      card: card, contact: contact, modified: modified,
      isKept: try KeptCards(db).hasCard(ofRecord: card.row, toPassword: password.id),
      members: try CardGroups(db).members(of: card, titled: GroupRecord.title(of: contact)))
  }

  fileprivate func found(_ stored: Stored) async throws -> Found {
    let title = ContactName(stored.contact).displayName
    if let kept = try kept(stored), let bytes = Self.selected(kept, form) {
      return Found(
        card: stored.card,
        content: CardContent(bytes: bytes, title: title, modified: stored.modified))
    }
    let (pictures, isWhole) = try await pictures(of: stored.contact)
    let composer = CardComposer(version: form.version ?? .three)
    var card =
      stored.card.isGroup
      ? composer.card(
        ofGroup: stored.contact, members: stored.members, modified: stored.modified
      ) { pictures[$0] }
      : composer.card(of: stored.contact, modified: stored.modified) { pictures[$0] }
    card.select(form)
    var bytes: [UInt8] = []
    CardWriter.write(card, to: &bytes)
    let content = CardContent(bytes: bytes, title: title, modified: stored.modified)
    guard !isWhole else { return Found(card: stored.card, content: content) }
    let here = Set(pictures.keys.map(\.file))
    return Found(
      card: stored.card, content: content,
      incomplete: ServedCard.card(of: stored.contact) { here.contains($0) })
  }

  private func kept(_ stored: Stored) throws -> [UInt8]? {
    guard stored.isKept else { return nil }
    return try api.reader.read {
      try KeptCards($0).card(ofRecord: stored.card.row, toPassword: password.id)
    }
  }

  /// Downloads the pictures of a card that are not on this device, if the broker can be reached now.
  func fetchPictures(of card: CardResource, in zone: ZoneID) async throws {
    guard api.driver.phase == .live else { return }
    let fields = try api.reader.read { try CardResources($0).content(of: card)?.fields }
    for asset in fields?.assets ?? [] where try !api.reader.isHere(asset) {
      // Without its picture the card is sent all the same, and again when the picture has arrived.
      _ = try? await api.driver.open(asset, in: zone, waitSeconds: Self.pictureSeconds)
    }
  }

  /// How long a client waits for a picture.
  private static let pictureSeconds = 5.0

  private func pictures(
    of contact: Contact
  ) async throws -> (bytes: [ContactMedia: [UInt8]], isWhole: Bool) {
    let files = MediaFiles(driver: api.driver)
    let all = [contact.photo?.media].compactMap(\.self) + contact.other.compactMap(\.content)
    var bytes: [ContactMedia: [UInt8]] = [:]
    for media in all { bytes[media] = try await files.bytes(of: media) }
    return (bytes, bytes.count == Set(all).count)
  }

  /// Returns a kept card if it is what the client asks for.
  private static func selected(_ kept: [UInt8], _ form: CardForm) -> [UInt8]? {
    guard form.version != nil || form.properties != nil else { return kept }
    var reader = CardReader()
    guard let card = (reader.feed(kept) + reader.finish()).first, form.properties == nil,
      card.version == form.version
    else { return nil }
    return kept
  }

  // MARK: Noting

  fileprivate func note(_ notes: Notes) async throws {
    // Of a part of a card the client does not know the rest.
    guard form.properties == nil else { return }
    var notes = notes
    notes.whole = try api.reader.read {
      try ServedCards($0).unknown(notes.whole, toPassword: password.id)
    }
    guard !notes.whole.isEmpty || !notes.incomplete.isEmpty else { return }
    let all = notes
    // If the disk is full, the client's next card only adds to the contact.
    try? await api.driver.edit { replica, now in
      let done = try replica.edit(now: now) { try all.write($0.transaction.db, now) }
      return ((), done.actions)
    }
  }

  /// What a client has read in a step.
  fileprivate struct Notes: Sendable {
    var whole: [CardResource] = []
    fileprivate var incomplete: [(row: Int64, card: Card)] = []
    let password: Int64

    init(password: Int64) { self.password = password }

    mutating func add(_ found: Found) {
      if let card = found.incomplete {
        incomplete.append((found.card.row, card))
      } else {
        whole.append(found.card)
      }
    }

    func write(_ db: Database, _ now: Timestamp) throws {
      let served = ServedCards(db)
      try served.note(whole, toPassword: password, now: now)
      for (row, card) in incomplete {
        try served.note(card, ofRecord: row, toPassword: password, now: now)
      }
    }
  }
}

extension Card {
  /// Leaves out what a client does not ask for. What a card must have stays.
  fileprivate mutating func select(_ form: CardForm) {
    guard let wanted = form.properties else { return }
    properties.removeAll { !wanted.contains($0.key) && !["UID", "FN", "N"].contains($0.key) }
  }
}
