// Making, naming and leaving books. A book is a group, so that what a program makes here is on all devices.

import CardDAV
import CardDAVStore
import Contacts
import DeviceDriver
import DeviceStore
import GRDB
import HTTPTypes
import Hummingbird
import Records
import SyncCore

/// Answers requests that change books.
struct BookRoute: Sendable {
  let api: AgentRoutes
  let request: CardDAVRequest

  // MARK: Making

  /// Makes the book at the address.
  func make() async throws -> Response {
    let type = request["Content-Type"]?.lowercased() ?? ""
    let document = try await request.document()
    guard document.isEmpty || type.isEmpty || type.contains("xml") else {
      throw DAVError(.unsupportedMediaType, "The body of a MKCOL must be XML.")
    }
    guard case .book(let name) = request.path else { throw try refusal() }
    let update = try await LoopExecutor.reading(document.count) { () throws(DAVError) in
      try PropertyUpdate(mkcol: document)
    }
    let wanted = update[.dav("displayname")]?.text.trimmingBlanks() ?? ""
    let title = try GroupTitle.checked(wanted.isEmpty ? name : wanted)
    try await api.driver.edit { replica, now in
      let done = try replica.edit(now: now) {
        try Self.make(name, titled: title, &$0)
      }
      return ((), done.actions)
    }
    return Response(status: .created)
  }

  /// Why there cannot be a book at the address.
  private func refusal() throws -> DAVError {
    guard case .card(let book, let name) = request.path else {
      return DAVError(.methodNotAllowed, "There is something else at this address.")
    }
    let exists = try api.reader.read { db in
      try CardResources(db).card(named: name, in: CardDAVBook.parent(book, db).zone) != nil
    }
    guard !exists else { return DAVError(.methodNotAllowed, "There is a card at this address.") }
    return DAVError(
      .forbidden, "Address books are made in \(DAVPath.home.href) only.",
      condition: XMLTree(.card("addressbook-collection-location-ok")))
  }

  private static func make(
    _ name: String, titled title: String, _ edit: inout EditTransaction
  ) throws {
    let db = edit.transaction.db
    let books = try CardDAVBook.all(db)
    guard !books.contains(where: { $0.name == name || GroupID.text($0.zone) == name }) else {
      throw DAVError(.methodNotAllowed, "There is an address book at this address.")
    }
    var generator = SystemRandomNumberGenerator()
    let zone = ZoneID(name: .random(using: &generator))
    try edit.apply([.createZone(zone, title: free(title, among: books))])
    try BookNames(db).name(zone, name)
  }

  /// Returns a title that no other book has: commands find groups by their titles.
  private static func free(_ title: String, among books: [CardDAVBook]) -> String {
    let taken = Set(books.map(\.title))
    guard taken.contains(title) else { return title }
    return (2...).lazy.map { "\(title) \($0)" }.first { !taken.contains($0) } ?? title
  }

  // MARK: Naming

  /// Changes properties: all of them or none.
  func change() async throws -> Response {
    let update = try await request.document { (document) throws(DAVError) in
      try PropertyUpdate(proppatch: document)
    }
    try requireResource()
    var answer = Multistatus.Properties()
    let title = update[.dav("displayname")]?.text.trimmingBlanks()
    for change in update.changes {
      guard case .set(let property) = change, property.name == .dav("displayname"),
        case .book = request.path
      else {
        answer.refused.append((change.name, Self.isProtected))
        continue
      }
      answer.found.append(XMLTree(property.name))
    }
    if answer.refused.isEmpty, let title, case .book(let name) = request.path {
      try await rename(name, to: title)
    } else {
      answer.failTogether()
    }
    let (done, path) = (answer, request.path)
    return MultistatusStream.response(to: request) { stream in
      stream.document.add(path.href, done)
      return nil
    }
  }

  /// - Throws: 404 if there is nothing at the address.
  private func requireResource() throws {
    try api.reader.read { db in
      switch request.path {
      case .book(let name), .birthdays(let name): _ = try CardDAVBook.named(name, db)
      case .card(let book, let name):
        let zone = try CardDAVBook.named(book, db).zone
        guard try CardResources(db).card(named: name, in: zone) != nil else {
          throw CardRoute.missing
        }
      default: break
      }
    }
  }

  private static let isProtected = DAVError(
    .forbidden, "Only the name of an address book can be changed.",
    condition: XMLTree(.dav("cannot-modify-protected-property")))

  private func rename(_ name: String, to title: String) async throws {
    let title = try GroupTitle.checked(title)
    try await api.driver.edit { replica, now in
      let done = try replica.edit(now: now) { edit in
        let books = try CardDAVBook.all(edit.transaction.db)
        let book = try CardDAVBook.named(name, edit.transaction.db)
        guard book.isOwn, book.zone != .standard else {
          throw DAVError.missing(
            privilege: "write-properties", on: book.path,
            "The name of “\(book.title)” cannot be changed here.")
        }
        guard book.title != title else { return }
        guard !books.contains(where: { $0.title == title }) else {
          throw DAVError(.conflict, "There is already a group “\(title)”.")
        }
        try edit.apply([.renameZone(book.zone, title: title)])
      }
      return ((), done.actions)
    }
  }

  // MARK: Leaving

  /// Leaves a shared book. An own one is not deleted here: a program must not delete a group with everything in it.
  func leave(_ name: String) async throws -> Response {
    let book = try api.reader.read { try CardDAVBook.named(name, $0) }
    guard !book.isOwn else {
      throw DAVError.missing(
        privilege: "unbind", on: .home,
        "Groups are deleted with: contactsctl group rm")
    }
    _ = try await api.result(of: .leave(book.zone))
    try? await api.step(seconds: 5)
    return Response(status: .noContent)
  }
}

extension Multistatus.Properties {
  /// Turns what would have been changed into failures, because something else was refused (RFC 4918, section 9.2.1).
  fileprivate mutating func failTogether() {
    let others = found.map(\.name)
    found = []
    refused += others.map { name in
      (name, DAVError(.failedDependency, "Another property of the request was refused."))
    }
  }
}
