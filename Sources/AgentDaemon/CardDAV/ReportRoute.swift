// REPORT: cards by address, cards by content, and what has changed.

import CardDAV
import CardDAVStore
import DeviceStore
import Hummingbird
import Records

/// Answers reports about a book.
struct ReportRoute: Sendable {
  /// The maximum number of changes of one answer; the client asks for more with its token.
  private static let changesMaximum = 20_000

  /// What says that an answer does not contain everything (RFC 6352, section 8.6.1; RFC 6578, section 3.6).
  private static let isPartial = XMLTree(.dav("number-of-matches-within-limits"))

  let api: AgentRoutes
  let request: CardDAVRequest

  /// Returns the response.
  func response() async throws -> Response {
    let report = try await request.document { (document) throws(DAVError) in
      try Report(document: document)
    }
    guard case .book(let name) = request.path else {
      throw DAVError(
        .forbidden, "Only address books have reports.",
        condition: XMLTree(.dav("supported-report")))
    }
    let book = try api.reader.read { try CardDAVBook.named(name, $0) }
    switch report {
    case .multiget(let selection, let addresses):
      return multiget(list(book, selection), addresses)
    case .query(let selection, let filter, let limit):
      return try query(list(book, selection), filter, limit)
    case .changes(let selection, let token, let limit):
      return try changes(list(book, selection), since: token, limit)
    }
  }

  private func list(_ book: CardDAVBook, _ selection: PropertySelection) -> CardList {
    CardList(api: api, book: book, selection: selection, password: request.password)
  }

  // MARK: By address

  private func multiget(_ list: CardList, _ addresses: [String]) -> Response {
    var seen: Set<String> = []
    let addresses = addresses.filter { seen.insert($0).inserted }
    return MultistatusStream.response(to: request) { stream in
      for start in stride(from: 0, to: addresses.count, by: CardContents.cardsPerStep) {
        let part = addresses[start..<min(start + CardContents.cardsPerStep, addresses.count)]
        let found = try Self.cards(Array(part), list)
        for address in found.missing { stream.document.add(address, status: 404) }
        try await list.write(found.cards, to: &stream)
      }
      return nil
    }
  }

  private static func cards(
    _ addresses: [String], _ list: CardList
  ) throws -> (cards: [CardResource], missing: [String]) {
    try list.api.reader.read { db in
      var (cards, missing) = ([CardResource](), [String]())
      let names = [list.book.name, GroupID.text(list.book.zone)]
      for address in addresses {
        if case .card(let book, let name) = try? DAVPath(address), names.contains(book),
          let card = try CardResources(db).card(named: name, in: list.book.zone)
        {
          cards.append(card)
        } else {
          missing.append(address)
        }
      }
      return (cards, missing)
    }
  }

  // MARK: By content

  private func query(
    _ list: CardList, _ filter: CardFilter, _ limit: Int?
  ) throws -> Response {
    let search = try CardSearch(of: list.book, filter, reader: api.reader)
    return MultistatusStream.response(to: request) { stream in
      var search = search
      var left = limit ?? .max
      while let cards = try search.next() {
        try await list.write(Array(cards.prefix(left)), to: &stream)
        if cards.count > left {
          stream.document.add(list.book.path.href, status: 507, condition: Self.isPartial)
          return nil
        }
        left -= cards.count
        // Other requests take their turns.
        await Task.yield()
      }
      return nil
    }
  }

  // MARK: What has changed

  private var isThunderbird: Bool { request["User-Agent"]?.contains("Thunderbird/") == true }

  private func changes(
    _ list: CardList, since token: String, _ limit: Int?
  ) throws -> Response {
    let limit = min(limit ?? .max, Self.changesMaximum)
    let changes: BookChanges
    do {
      changes = try api.reader.read {
        try BookChanges(of: list.book.zone, since: token, limit: limit, $0)
      }
    } catch let error as DAVError where error == SyncToken.invalid && isThunderbird {
      throw SyncToken.invalidForThunderbird
    }
    return MultistatusStream.response(to: request) { stream in
      for name in changes.gone {
        let path = DAVPath.card(book: list.book.name, name: name)
        stream.document.add(path.href, status: 404)
        try await stream.flush()
      }
      try await list.write(changes.cards, to: &stream)
      if changes.isPartial {
        stream.document.add(list.book.path.href, status: 507, condition: Self.isPartial)
      }
      return changes.token.text
    }
  }
}
