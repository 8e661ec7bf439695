// Deletes a card. A client that does not ask whether the card has changed does not mean what others have entered since.

import CardDAV
import CardDAVStore
import Contacts
import DeviceStore
import GRDB
import Records

/// The deletion of a card by a client.
struct CardDeletion: Sendable {
  let name: String
  let book: String
  let conditions: Preconditions
  let password: AppPasswordView

  /// Applies the deletion in a transaction.
  func apply(to edit: inout EditTransaction) throws {
    let db = edit.transaction.db
    let book = try CardDAVBook.named(book, db)
    guard let card = try CardResources(db).card(named: name, in: book.zone) else {
      try conditions.check(nil)
      throw CardRoute.missing
    }
    try conditions.check(card.tag)
    try book.requireWritable()
    if !conditions.namesVersion, try ServedCards(db).isOutdated(card.row, toPassword: password.id) {
      // The client reads the card again with its next look.
      return try CardTouches(db).touch(card.row, in: book.row)
    }
    let members = try card.isGroup ? memberEdits(of: card, in: book, db) : []
    try edit.apply(members + [.delete(card.id, version: nil)])
  }

  /// Takes the members out of a group: they would keep its title as a category.
  private func memberEdits(
    of card: CardResource, in book: CardDAVBook, _ db: Database
  ) throws -> [LocalEdit] {
    guard let (fields, _) = try CardResources(db).content(of: card) else { return [] }
    let title = GroupRecord.title(named: card.id.name, fields: fields)
    return try GroupMemberChange(deleting: title).edits(in: book, db)
  }
}
