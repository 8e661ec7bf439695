// Stores a card that a client sends. A new one becomes a contact. For one that exists, what the client has changed
// since it read the card is applied to the contact as it is now.

import AssetFiles
import CardDAV
import CardDAVStore
import ContactCards
import Contacts
import DeviceStore
import GRDB
import HTTPTypes
import Hummingbird
import Records
import SyncCore

/// The change of a card.
struct CardChange: Sendable {
  /// What has been stored.
  struct Outcome: Sendable {
    /// Whether the card is new.
    let isNew: Bool
    /// The entity tag; `nil` if something else than the client's card is there now, so that it reads again.
    let tag: String?
  }

  let sent: SentCard
  /// The card's pictures, as files of the device.
  let assets: [Asset]
  let name: String
  let book: String
  let conditions: Preconditions
  let password: AppPasswordView

  /// Applies the change in a transaction.
  func apply(to edit: inout EditTransaction, now: Timestamp) throws -> Outcome {
    let db = edit.transaction.db
    let book = try CardDAVBook.parent(book, db)
    let present = try CardResources(db).card(named: name, in: book.zone)
    try conditions.check(present?.tag)
    try book.requireWritable()
    guard let present else { return try create(in: book, &edit, now) }
    return try update(present, in: book, &edit, now)
  }

  // MARK: New cards

  private func create(
    in book: CardDAVBook, _ edit: inout EditTransaction, _ now: Timestamp
  ) throws -> Outcome {
    let db = edit.transaction.db
    let id = RecordID(zone: book.zone, name: try recordName(in: book, db, now))
    var draft = try ImportedContact(card(in: book, db)).draft.withFiles
    let groups =
      sent.contact.isGroup ? [] : try CardGroups(db).groups(naming: draft[.uid], in: book.row)
    draft.categories += groups.map(\.title).filter { !draft.categories.contains($0) }
    let changes = try ContactEdit.replacing(Contact(id: id.name), with: draft)
      .changes(to: Fields(), naming: DerivedEntryID.byContent)
    try edit.apply(
      saves(id, sent.contact.isGroup ? GroupRecord.type : ContactRecord.type, changes, .absent))
    try CardResources(db).name(id, name)
    try edit.apply(groups.compactMap { try $0.edit(in: book.zone) })
    if sent.contact.isGroup {
      try edit.apply(
        GroupMemberChange(
          sent.contact, title: sent.contact.name.trimmingBlanks(), former: nil, leavers: .known([])
        ).edits(in: book, db))
    }
    guard let card = try CardResources(db).card(id) else { throw CardRoute.missing }
    return Outcome(isNew: true, tag: try settle(card, isChanged: true, db, now))
  }

  /// Returns the name of the new record: the one that an import of the card would give it.
  /// - Throws: 409 with `no-uid-conflict` if the book has a card with this UID.
  private func recordName(
    in book: CardDAVBook, _ db: Database, _ now: Timestamp
  ) throws -> RecordName {
    let uid = sent.contact.draft[.uid]
    guard !uid.isEmpty else {
      var generator = SystemRandomNumberGenerator()
      return .generated(at: now, using: &generator)
    }
    let names = [try CardUIDs(db).record(withUID: uid, in: book.row), sent.contact.recordName]
    for name in names.compactMap(\.self) {
      let other = try CardResources(db).card(RecordID(zone: book.zone, name: name))
      if let other { throw DAVError.uidConflict(with: other, in: book) }
    }
    return sent.contact.recordName
  }

  // MARK: Cards that exist

  private func update(
    _ present: CardResource, in book: CardDAVBook, _ edit: inout EditTransaction, _ now: Timestamp
  ) throws -> Outcome {
    let db = edit.transaction.db
    guard let (fields, _) = try CardResources(db).content(of: present) else {
      throw CardRoute.missing
    }
    let contact = ContactRecord.contact(named: present.id.name, fields: fields)
    try checkUID(of: contact, present, in: book, db)
    let served = ServedCard.card(of: contact, version: sent.card.version) { asset in
      (try? DeviceReader.isHere(asset, db)) ?? false
    }
    // A client that has not read the group as it is does not know all of its members.
    let isCurrent =
      try conditions.namesVersion
      || ServedCards(db).isCurrent(present.row, toPassword: password.id)
    let base = try base(present, served, db)
    let merge = CardMerge(body: try card(in: book, db), base: base, present: served, of: contact)
    let changes = try merge.edit.changes(to: fields, naming: DerivedEntryID.byContent)
    if !changes.isEmpty {
      let type = present.isGroup ? GroupRecord.type : ContactRecord.type
      try edit.apply(saves(present.id, type, changes, .present))
      try keep(merge.disputedTexts, of: fields, changes, present, &edit, now)
    }
    if present.isGroup {
      let merged = ContactRecord.contact(
        named: present.id.name, fields: changes.applied(to: fields))
      let members = GroupMemberChange(
        sent.contact, title: GroupRecord.title(of: merged),
        former: GroupRecord.title(of: contact),
        leavers: isCurrent ? .all : .known(base.map { ImportedContact($0).memberUIDs } ?? []))
      try edit.apply(members.edits(in: book, db))
    }
    guard let card = try CardResources(db).card(present.id) else { throw CardRoute.missing }
    return Outcome(
      isNew: false, tag: try settle(card, isChanged: !changes.isEmpty, db, now))
  }

  /// Returns the card that the client has changed; `nil` if it is not known.
  private func base(
    _ present: CardResource, _ served: Card, _ db: Database
  ) throws -> Card? {
    // A condition that is met says that the client has read the card as it is.
    if conditions.namesVersion { return served }
    let cards = try ServedCards(db).cards(
      ofRecord: present.row, toPassword: password.id, present: served
    ).map { ServedCard.card($0, version: sent.card.version) }
    return CardDistance.nearest(to: sent.card, among: cards)
  }

  private func checkUID(
    of contact: Contact, _ present: CardResource, in book: CardDAVBook, _ db: Database
  ) throws {
    let uid = sent.contact.draft[.uid]
    let own = [contact.uid, contact.id.text]
    guard sent.contact.isGroup == present.isGroup else {
      throw DAVError.uidConflict(
        with: present, in: book, "A contact cannot become a group, or a group a contact.")
    }
    guard !uid.isEmpty, !own.contains(uid) else { return }
    // A program gives a card that has no UID one of its own.
    guard contact.uid.isEmpty else {
      throw DAVError.uidConflict(
        with: present, in: book, "The card at this address has another UID.")
    }
    guard let name = try CardUIDs(db).record(withUID: uid, in: book.row) else { return }
    let other = try CardResources(db).card(RecordID(zone: book.zone, name: name))
    throw DAVError.uidConflict(with: other ?? present, in: book)
  }

  /// Keeps the values that the client's replace, so that a person can decide.
  private func keep(
    _ disputed: [ContactText], of fields: Fields, _ changes: FieldChanges, _ card: CardResource,
    _ edit: inout EditTransaction, _ now: Timestamp
  ) throws {
    for text in disputed {
      let loss = Merge.Loss(
        field: text.key, entry: nil, entryField: nil, losing: fields[text.key],
        winning: changes.set[text.key])
      let conflict = ConflictRecord(
        record: card.id.name, type: card.isGroup ? GroupRecord.type : ContactRecord.type,
        loss: loss, loser: .unknown, winner: .finder)
      try edit.apply([
        .save(
          LocalEdit.RecordSave(
            id: RecordID(zone: card.id.zone, name: conflict.name), type: ConflictRecord.recordType,
            changes: FieldChanges(set: conflict.fields(found: now))))
      ])
    }
  }

  // MARK: Afterwards

  /// Notes what the client has. If it is all that there is, the client's bytes are the card.
  /// - Returns: the tag that the client may store.
  private func settle(
    _ card: CardResource, isChanged: Bool, _ db: Database, _ now: Timestamp
  ) throws -> String? {
    guard let (fields, _) = try CardResources(db).content(of: card) else { return nil }
    let contact = ContactRecord.contact(named: card.id.name, fields: fields)
    let stored = ServedCard.card(of: contact, version: sent.card.version)
    var content = sent.content
    if content[.uid].isEmpty { content[.uid] = SentCard.content(of: stored)[.uid] }
    let isSame = SentCard.content(of: stored) == content
    guard isSame, sent.canBeKept, !card.isGroup else {
      try ServedCards(db).note(
        sent.card, ofRecord: card.row, toPassword: password.id, now: now)
      // The client has another card now than the server, which has not changed: it must learn so.
      if !isChanged, !isSame { try touch(card, db) }
      return nil
    }
    let kept = try KeptCards(db).card(ofRecord: card.row, toPassword: password.id)
    let isRepeated = kept == sent.bytes
    try KeptCards(db).keep(
      sent.bytes, ofRecord: card.row, onlyForPassword: sent.isForAll ? nil : password.id)
    // The contact says the same as before, but other clients have other bytes.
    if !isChanged, !isRepeated { try touch(card, db) }
    let present = try CardResources(db).card(card.id)
    try ServedCards(db).note(present.map { [$0] } ?? [], toPassword: password.id, now: now)
    return present?.tag
  }

  private func touch(_ card: CardResource, _ db: Database) throws {
    guard let zone = try DeviceReader.row(of: card.id.zone, db) else { return }
    try CardTouches(db).touch(card.row, in: zone)
  }

  private func saves(
    _ id: RecordID, _ type: RecordType, _ changes: FieldChanges,
    _ expectation: LocalEdit.Expectation
  ) -> [LocalEdit] {
    let kept = Set(assets)
    return changes.set.assets.filter(kept.contains).map { .keepAsset($0) } + [
      .save(
        LocalEdit.RecordSave(id: id, type: type, changes: changes, expectation: expectation))
    ]
  }

  /// Returns the client's card, of a group without the members that the book has: they have the group as a category.
  private func card(in book: CardDAVBook, _ db: Database) throws -> Card {
    guard sent.contact.isGroup else { return sent.card }
    let known = try sent.contact.memberUIDs.filter {
      try CardGroups(db).contact(ofMember: $0, in: book.row) != nil
    }
    return sent.card.withoutMembers(Set(known))
  }
}

extension CardChange.Outcome {
  /// The response to the client.
  var response: Response {
    var response = Response(status: isNew ? .created : .noContent)
    if let tag { response.headers[.eTag] = tag }
    return response
  }
}
