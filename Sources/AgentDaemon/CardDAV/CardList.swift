// Writes the properties of cards into a document, some cards at a time.

import CardDAV
import CardDAVStore
import DeviceStore
import Records

/// A list of cards with the properties that a client asks for.
struct CardList: Sendable {
  private static let cardsPerPage = 1_000

  let api: AgentRoutes
  let book: CardDAVBook
  let selection: PropertySelection
  let password: AppPasswordView

  /// Writes all cards of the book.
  func writeAll(to stream: inout MultistatusStream) async throws {
    var place: Int64 = 0
    while true {
      let after = place
      let cards = try api.reader.read {
        try CardResources($0).cards(in: book.zone, after: after, limit: Self.cardsPerPage)
      }
      try await write(cards, to: &stream)
      guard cards.count == Self.cardsPerPage, let last = cards.last else { return }
      place = last.row
    }
  }

  /// Writes some cards.
  func write(_ cards: [CardResource], to stream: inout MultistatusStream) async throws {
    let properties = CardProperties(book: book)
    guard CardProperties.needContent(selection) else {
      for card in cards {
        stream.document.add(href(of: card), properties.answer(to: selection, card, nil))
        try await stream.flush()
      }
      return
    }
    let contents = CardContents(api: api, password: password, form: selection.card)
    for start in stride(from: 0, to: cards.count, by: CardContents.cardsPerStep) {
      let part = Array(cards[start..<min(start + CardContents.cardsPerStep, cards.count)])
      var step = try contents.step(part)
      while let found = try await step.next() {
        stream.document.add(
          href(of: found.card), properties.answer(to: selection, found.card, found.content))
        try await stream.flush()
      }
      // Other requests take their turns.
      await Task.yield()
    }
  }

  private func href(of card: CardResource) -> String {
    DAVPath.card(book: book.name, name: card.name).href
  }
}
