// GET, HEAD, PUT and DELETE of a card.

import CardDAV
import CardDAVStore
import DeviceDriver
import DeviceStore
import HTTPTypes
import Hummingbird
import NIOCore
import Records

/// Answers requests about a card.
struct CardRoute: Sendable {
  let api: AgentRoutes
  let request: CardDAVRequest
  /// The name of the book in the address.
  let book: String
  /// The name of the card in the address.
  let name: String

  // MARK: Reading

  /// Returns the card.
  func read() async throws -> Response {
    let (zone, card) = try api.reader.read { db in
      let book = try CardDAVBook.named(book, db)
      return (book.zone, try CardResources(db).card(named: name, in: book.zone))
    }
    guard let card else { throw Self.missing }
    if try request.preconditions().isUnchanged(card.tag) {
      return Response(status: .notModified, headers: [.eTag: card.tag])
    }
    let contents = CardContents(
      api: api, password: request.password, form: CardForm(accept: request["Accept"]))
    try await contents.fetchPictures(of: card, in: zone)
    var step = try contents.step([card])
    guard let found = try await step.next() else { throw Self.missing }
    // Notes that the client has it.
    _ = try await step.next()
    return Response(
      status: .ok,
      headers: [
        .contentType: CardContent.mediaType, .eTag: found.card.tag,
        .lastModified: HTTPDate.text(found.content.modified), .cacheControl: "private, no-cache",
        .vary: "Accept",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: found.content.bytes)))
  }

  static let missing = DAVError(.notFound, "There is no card at this address.")

  // MARK: Writing

  /// Stores the card in the body.
  func write() async throws -> Response {
    let type = request["Content-Type"] ?? "text/vcard"
    guard CardForm.isCard(type) else {
      throw DAVError(
        .forbidden, "An address book contains vCards; this is \(type.prefix(100)).",
        condition: XMLTree(.card("supported-address-data")))
    }
    let body = try await request.body(limit: CollectionProperties.cardBytesMaximum) {
      DAVError(
        .tooLarge, "The card is too large.", condition: XMLTree(.card("max-resource-size")))
    }
    let card = try await LoopExecutor.reading(body.count) { () throws(DAVError) in
      try SentCard(body)
    }
    let conditions = try request.preconditions()
    let files = MediaFiles(driver: api.driver)
    let kept = try await files.keep([card.contact], isDryRun: false)
    guard kept.assets.count == card.pictureCount else {
      await files.release(kept)
      throw DAVError(
        .forbidden, "A picture of the card is larger than the broker accepts.",
        condition: XMLTree(.card("max-resource-size")))
    }
    let change = CardChange(
      sent: card, assets: kept.assets, name: name, book: book, conditions: conditions,
      password: request.password)
    do {
      let outcome = try await api.driver.edit { replica, now in
        let done = try replica.edit(now: now) { try change.apply(to: &$0, now: now) }
        return (done.result, done.actions)
      }
      await files.release(kept)
      return outcome.response
    } catch {
      await files.release(kept)
      throw error
    }
  }

  // MARK: Deleting

  /// Deletes the card.
  func delete() async throws -> Response {
    let deletion = CardDeletion(
      name: name, book: book, conditions: try request.preconditions(), password: request.password)
    try await api.driver.edit { replica, now in
      let done = try replica.edit(isAsked: false, now: now) { try deletion.apply(to: &$0) }
      return ((), done.actions)
    }
    return Response(status: .noContent)
  }
}
