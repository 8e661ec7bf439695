import ContactCards
import Testing

@testable import CardDAV

@Suite("D3 the card that a client has changed")
struct CardDistanceTests {
  private func card(_ lines: String...) -> Card {
    ServedContact.read(
      (["BEGIN:VCARD", "VERSION:3.0", "FN:Lena", "N:;Lena;;;"] + lines + ["END:VCARD", ""])
        .joined(separator: "\r\n").utf8)
  }

  @Test func `of several cards the one that resembles the client's most is its base`() {
    let first = card("TEL:1", "NOTE:old", "TITLE:Baker")
    let second = card("TEL:1", "NOTE:new", "TITLE:Baker", "ORG:Mill")
    #expect(
      CardDistance.nearest(to: card("TEL:2", "NOTE:old", "TITLE:Baker"), among: [first, second])
        == first)
    #expect(
      CardDistance.nearest(
        to: card("TEL:2", "NOTE:new", "TITLE:Baker", "ORG:Mill"), among: [first, second])
        == second)
    #expect(CardDistance.nearest(to: first, among: []) == nil)
  }

  @Test func `of cards that resemble it equally the last one is its base`() {
    let (first, second) = (card("NOTE:a"), card("NOTE:b"))
    #expect(CardDistance.nearest(to: card("NOTE:c"), among: [first, second]) == second)
  }
}
