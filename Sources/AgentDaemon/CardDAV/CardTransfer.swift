// Copies or moves a card. A contact that moves between books keeps its id, so that all devices know that it moved.

import CardDAV
import CardDAVStore
import Contacts
import DeviceStore
import GRDB
import Records

/// The copy or the move of a card.
struct CardTransfer: Sendable {
  /// An address.
  struct Target: Sendable {
    let book: String
    let name: String
  }

  let isMove: Bool
  let book: String
  let name: String
  let target: Target
  /// Whether a card at the destination is replaced.
  let overwrites: Bool
  /// The conditions on the card that is copied or moved.
  let conditions: Preconditions
  let password: AppPasswordView

  /// The card and the books.
  struct Places: Sendable {
    let card: CardResource
    let from: CardDAVBook
    let to: CardDAVBook
  }

  /// Returns the card that is copied or moved, and where from and where to.
  /// - Throws: also 403 if the account may not do so.
  func places(_ db: Database) throws -> Places {
    let (from, to) = (try CardDAVBook.named(book, db), try CardDAVBook.parent(target.book, db))
    guard let card = try CardResources(db).card(named: name, in: from.zone) else {
      throw CardRoute.missing
    }
    try to.requireWritable()
    if isMove { try from.requireWritable() }
    return Places(card: card, from: from, to: to)
  }

  /// Applies the transfer in a transaction.
  /// - Returns: whether there was no card at the destination.
  func apply(to edit: inout EditTransaction, now: Timestamp) throws -> Bool {
    let db = edit.transaction.db
    let places = try places(db)
    let (card, from, to) = (places.card, places.from, places.to)
    let replaced = try CardResources(db).card(named: target.name, in: to.zone)
    guard replaced != card else {
      throw DAVError(.forbidden, "The card is at this address already.")
    }
    try conditions.check(card.tag)
    if let replaced {
      // As with a deletion, the client does not mean what it has not read.
      guard overwrites, try !ServedCards(db).isOutdated(replaced.row, toPassword: password.id)
      else { throw DAVError(.preconditionFailed, "There is a card at the destination.") }
      try edit.apply([.delete(replaced.id, version: nil)])
    }
    if isMove, from.zone == to.zone {
      try rename(card, in: from, edit.transaction)
    } else {
      try store(card, from, to, &edit, now)
    }
    return replaced == nil
  }

  private func rename(
    _ card: CardResource, in book: CardDAVBook, _ transaction: DeviceTransaction
  ) throws {
    let contact = try CardResources(transaction.db).content(of: card).map {
      ContactRecord.contact(named: card.id.name, fields: $0.fields)
    }
    // Clients learn from the position of an event that the former address is gone.
    try transaction.append(
      .updated, type: ContactRecord.type, zone: book.zone, id: card.id.name.text,
      title: contact.map { ContactName($0).displayName } ?? "", by: transaction.author(of: nil))
    try CardResources(transaction.db).rename(card, to: target.name)
  }

  private func store(
    _ card: CardResource, _ from: CardDAVBook, _ to: CardDAVBook, _ edit: inout EditTransaction,
    _ now: Timestamp
  ) throws {
    let db = edit.transaction.db
    guard let record = try edit.record(card.id) else { throw CardRoute.missing }
    var id = RecordID(zone: to.zone, name: card.id.name)
    var fields = record.fields
    if !isMove, from.zone == to.zone {
      // Two cards of a book must not have one UID.
      var generator = SystemRandomNumberGenerator()
      id = RecordID(zone: to.zone, name: .generated(at: now, using: &generator))
      fields[ContactText.uid.key] = nil
    } else if let other = try CardResources(db).card(id) {
      throw DAVError.uidConflict(with: other, in: to)
    }
    let move = AgentRoutes.move(record, as: fields, to: to.zone)
    let copy = LocalEdit.save(
      LocalEdit.RecordSave(
        id: id, type: record.type, changes: FieldChanges(set: fields), expectation: .absent))
    try edit.apply(isMove ? move : [copy])
    try CardResources(db).name(id, target.name)
  }
}
