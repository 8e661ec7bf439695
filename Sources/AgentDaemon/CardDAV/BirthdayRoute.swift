// The birthdays of a book as a calendar, to which a calendar program subscribes.

import CardDAV
import CardDAVStore
import Contacts
import DeviceStore
import HTTPTypes
import Hummingbird
import NIOCore
import Records

/// Answers requests for birthdays.
struct BirthdayRoute: Sendable {
  let api: AgentRoutes
  let request: CardDAVRequest

  /// Returns the calendar of a book.
  func response(_ name: String) throws -> Response {
    let (book, token) = try api.reader.read { db in
      let book = try CardDAVBook.named(name, db)
      // What changes while the contacts are read is not in the tag, so that the client reads it next time.
      return (book, try BookChanges.token(of: book.zone, db))
    }
    let tag = BirthdayCalendar.tag(title: book.calendarTitle, state: token)
    if try request.preconditions().isUnchanged(tag) {
      return Response(status: .notModified, headers: [.eTag: tag])
    }
    var headers: HTTPFields = [
      .contentType: BirthdayCalendar.mediaTypeWithParameters, .eTag: tag,
      .cacheControl: "private, no-cache",
    ]
    let start = BirthdayPages(reader: api.reader, book: book)
    guard request.request.method != .head else {
      var (pages, count) = (start, 0)
      while let bytes = try pages.next() { count += bytes.count }
      headers[.contentLength] = String(count)
      return Response(status: .ok, headers: headers)
    }
    return Response(
      status: .ok, headers: headers,
      body: ResponseBody { writer in
        var pages = start
        while let bytes = try pages.next() { try await writer.write(ByteBuffer(bytes: bytes)) }
        try await writer.finish(nil)
      })
  }
}

/// The calendar of a book in parts, each with the birthdays of some contacts.
private struct BirthdayPages: Sendable {
  private static let cardsPerPage = 500

  private let reader: DeviceReader
  private let zone: ZoneID
  private var calendar: BirthdayCalendar
  /// The row after which the next page begins; `nil` after the last one.
  private var place: Int64? = 0

  init(reader: DeviceReader, book: CardDAVBook) {
    self.reader = reader
    zone = book.zone
    calendar = BirthdayCalendar(title: book.calendarTitle)
  }

  /// Returns the next part; `nil` after the last one.
  mutating func next() throws -> [UInt8]? {
    guard let place else { return nil }
    let (zone, limit) = (zone, Self.cardsPerPage)
    let (contacts, last) = try reader.read { db in
      let resources = CardResources(db)
      let cards = try resources.cards(in: zone, after: place, limit: limit)
      let contacts = try cards.filter { !$0.isGroup }.compactMap { card in
        try resources.content(of: card).map { content in
          (ContactRecord.contact(named: card.id.name, fields: content.fields), content.modified)
        }
      }
      return (contacts, cards.count == limit ? cards.last?.row : nil)
    }
    self.place = last
    for (contact, modified) in contacts { calendar.add(contact, modified: modified) }
    if last == nil { calendar.finish() }
    return calendar.takeBytes()
  }
}

extension CardDAVBook {
  /// The title of the calendar of its birthdays.
  var calendarTitle: String { BirthdayCalendar.title(ofBook: title) }
}
