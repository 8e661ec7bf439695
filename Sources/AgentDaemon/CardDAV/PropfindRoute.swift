// PROPFIND: the properties of a resource, and of those in it.

import CardDAV
import CardDAVStore
import DeviceDriver
import DeviceStore
import Hummingbird
import Records

/// Answers requests for properties.
struct PropfindRoute: Sendable {
  let api: AgentRoutes
  let request: CardDAVRequest

  /// Returns the response.
  func response() async throws -> Response {
    let selection = try await request.document { (document) throws(DAVError) in
      try PropertySelection(propfind: document)
    }
    let depth = try request.depth() ?? .one
    guard depth != .infinity else {
      throw DAVError(
        .forbidden, "Properties are listed for one level at a time: send Depth 0 or 1.",
        condition: XMLTree(.dav("propfind-finite-depth")))
    }
    switch request.path {
    case .wellKnown: throw DAVError(.notFound, "There is nothing at this address.")
    case .book(let name): return try book(name, selection, hasCards: depth == .one)
    case .card(let name, let card): return try await self.card(name, card, selection)
    case .birthdays(let name): return try birthdays(name, selection)
    default: return try collection(selection, hasMembers: depth == .one)
    }
  }

  // MARK: Collections

  private func collection(
    _ selection: PropertySelection, hasMembers: Bool
  ) throws -> Response {
    let account = try account
    let own = CollectionProperties(path: request.path, account: account)
    let resources = [own] + (hasMembers ? try members(account) : [])
    return MultistatusStream.response(to: request) { stream in
      for resource in resources {
        stream.document.add(resource.path.href, resource.answer(to: selection))
      }
      return nil
    }
  }

  private func members(_ account: String) throws -> [CollectionProperties] {
    switch request.path {
    case .root:
      [.principals, .home, .calendars].map { CollectionProperties(path: $0, account: account) }
    case .principals: [CollectionProperties(path: .principal, account: account)]
    case .home: try books(account) { $0.path }
    case .calendars: try books(account) { .birthdays($0.name) }
    default: []
    }
  }

  /// Returns what there is for each book.
  private func books(
    _ account: String, _ path: (CardDAVBook) -> DAVPath
  ) throws -> [CollectionProperties] {
    try api.reader.read { db in
      try CardDAVBook.all(db).map { book in
        CollectionProperties(
          path: path(book), account: account, book: book,
          token: try BookChanges.token(of: book.zone, db))
      }
    }
  }

  private var account: String {
    get throws {
      let identity = try api.identity()
      let name = identity.displayName(of: nil)
      return name.isEmpty ? identity.accountName ?? "" : name
    }
  }

  private func birthdays(_ name: String, _ selection: PropertySelection) throws -> Response {
    let account = try account
    let resource = try api.reader.read { db in
      let book = try CardDAVBook.named(name, db)
      return CollectionProperties(
        path: request.path, account: account, book: book,
        token: try BookChanges.token(of: book.zone, db))
    }
    return MultistatusStream.response(to: request) { stream in
      stream.document.add(resource.path.href, resource.answer(to: selection))
      return nil
    }
  }

  // MARK: Books

  private func book(
    _ name: String, _ selection: PropertySelection, hasCards: Bool
  ) throws -> Response {
    let account = try account
    let (book, token) = try api.reader.read { db in
      let book = try CardDAVBook.named(name, db)
      return (book, try BookChanges.token(of: book.zone, db))
    }
    let own = CollectionProperties(path: book.path, account: account, book: book, token: token)
    let list = CardList(api: api, book: book, selection: selection, password: request.password)
    return MultistatusStream.response(to: request) { stream in
      stream.document.add(own.path.href, own.answer(to: selection))
      if hasCards { try await list.writeAll(to: &stream) }
      return nil
    }
  }

  private func card(
    _ book: String, _ name: String, _ selection: PropertySelection
  ) async throws -> Response {
    let (book, card) = try api.reader.read { db in
      let book = try CardDAVBook.named(book, db)
      return (book, try CardResources(db).card(named: name, in: book.zone))
    }
    guard let card else { throw DAVError(.notFound, "There is no card at this address.") }
    let list = CardList(api: api, book: book, selection: selection, password: request.password)
    return MultistatusStream.response(to: request) { stream in
      try await list.write([card], to: &stream)
      return nil
    }
  }
}
