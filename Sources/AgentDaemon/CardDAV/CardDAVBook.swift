// A book: a group as CardDAV clients see it.

import AddressBook
import CardDAV
import CardDAVStore
import DeviceStore
import GRDB
import Records

/// A group as an address book of CardDAV.
struct CardDAVBook: Hashable, Sendable {
  /// The zone of the group.
  let zone: ZoneID
  /// The number of the zone's row.
  let row: Int64
  /// The name in the address: the one that a client chose, or the group's id.
  private(set) var name: String
  /// The title for people, of another owner's group with the name of the owner.
  let title: String
  /// Whether this account may change the cards.
  let isWritable: Bool

  /// Whether the group belongs to this account.
  var isOwn: Bool { zone.owner == .current }
  /// Its address.
  var path: DAVPath { .book(name) }

  /// Returns the books: the standard one first, because some clients show only that one, then own ones, then those of
  /// others.
  static func all(_ db: Database) throws -> [CardDAVBook] {
    let names = try BookNames(db).all()
    let books = try DeviceReader.zones(db).map { row, zone in
      CardDAVBook(
        zone: zone.zone, row: row, name: names[row] ?? defaultName(of: zone.zone),
        title: title(of: zone), isWritable: zone.isWritable)
    }
    return books.sorted { ($0.rank, $0.title, $0.name) < ($1.rank, $1.title, $1.name) }
  }

  /// Returns the book with this name in the address.
  /// - Throws: 404 if there is none.
  static func named(_ name: String, _ db: Database) throws -> CardDAVBook {
    // A group keeps the address of its id, also after a client has named it. Answers have the address of the request.
    let books = try all(db)
    let found =
      books.first { $0.name == name } ?? books.first { GroupID.text($0.zone) == name }
    guard var found else { throw DAVError(.notFound, "There is no address book at this address.") }
    found.name = name
    return found
  }

  /// Returns the book in which a card is to be stored.
  /// - Throws: 409 if there is none (RFC 4918, section 9.7.1).
  static func parent(_ name: String, _ db: Database) throws -> CardDAVBook {
    do {
      return try named(name, db)
    } catch let error as DAVError where error.status == .notFound {
      throw DAVError(.conflict, "There is no address book “\(name.prefix(80))”.")
    }
  }

  /// Checks that the account may change the cards.
  /// - Throws: 403 with the privilege that is missing.
  func requireWritable() throws(DAVError) {
    guard !isWritable else { return }
    throw .missing(
      privilege: "write", on: path, "“\(title)” is shared with you for reading only.")
  }

  /// The standard book has a name that people can type.
  private static func defaultName(of zone: ZoneID) -> String {
    zone == .standard ? "contacts" : GroupID.text(zone)
  }

  private var rank: Int { zone == .standard ? 0 : isOwn ? 1 : 2 }

  private static func title(of zone: ZoneView) -> String {
    guard zone.zone != .standard else { return "Contacts" }
    guard zone.zone.owner != .current else { return zone.title }
    return "\(zone.title) (\(zone.ownerDisplayName))"
  }
}

extension DAVError {
  /// The account lacks a privilege (RFC 3744, section 7.1.1).
  static func missing(privilege: String, on path: DAVPath, _ message: String) -> DAVError {
    let resource = XMLTree(
      .dav("resource"),
      children: [
        XMLTree(.dav("href"), text: path.href),
        XMLTree(.dav("privilege"), children: [XMLTree(.dav(privilege))]),
      ])
    return DAVError(
      .forbidden, message,
      condition: XMLTree(.dav("need-privileges"), children: [resource]))
  }

  /// A book has another card with a UID (RFC 6352, section 5.3.2.1).
  static func uidConflict(
    with card: CardResource, in book: CardDAVBook,
    _ message: String = "The address book has another card with this UID."
  ) -> DAVError {
    let path = DAVPath.card(book: book.name, name: card.name)
    return DAVError(
      .conflict, message,
      condition: XMLTree(
        .card("no-uid-conflict"), children: [CollectionProperties.href(path)]))
  }
}
