// Cards for comparisons: a picture must be the same one in the card that was served and in the one that comes back.

import ContactCards
import Contacts
import Records
import Testing

@testable import CardDAV

@Suite("D2 cards for comparisons")
struct ServedCardTests {
  private let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 1, 2, 3]

  private func contact() throws -> Contact {
    let card = ServedContact.read(
      """
      BEGIN:VCARD
      VERSION:3.0
      UID:lena
      FN:Lena
      N:;Lena;;;
      PHOTO;ENCODING=b;TYPE=PNG:iVBORwECAw==
      LOGO;ENCODING=b;TYPE=PNG:iVBORwECAw==
      X-A;X-B=c:d
      END:VCARD

      """.utf8)
    let id = RecordName(stored: "lena")
    let changes = try ContactEdit.replacing(
      Contact(id: id), with: ImportedContact(card).draft.withFiles
    ).changes(to: Fields(), naming: DerivedEntryID.byContent)
    return ContactRecord.contact(named: id, fields: changes.applied(to: Fields()))
  }

  /// The card with the pictures that a client gets.
  private func sent(_ contact: Contact, _ version: CardVersion) -> Card {
    let card = CardComposer(version: version).card(of: contact) { _ in picture }
    return Card(stored: card.stored)
  }

  @Test(arguments: [CardVersion.three, .four])
  func `a card that comes back as it was sent has no difference`(version: CardVersion) throws {
    let contact = try contact()
    let served = ServedCard.card(of: contact, version: version)
    let merge = CardMerge(
      body: sent(contact, version), base: served, present: served, of: contact)
    #expect(merge.edit == ContactEdit())
  }

  @Test(arguments: [(CardVersion.three, CardVersion.four), (.four, .three)])
  func `a base of another version says the same`(stored: CardVersion, sent version: CardVersion)
    throws
  {
    let contact = try contact()
    let base = ServedCard.card(
      ServedCard.card(of: contact, version: stored), version: version)
    #expect(base.version == version)
    let merge = CardMerge(
      body: sent(contact, version), base: base,
      present: ServedCard.card(of: contact, version: version), of: contact)
    #expect(merge.edit == ContactEdit())
  }

  @Test func `a picture that has not arrived is missing, and stays`() throws {
    let contact = try contact()
    let served = ServedCard.card(of: contact, version: .three) { _ in false }
    #expect(!served.properties.contains { $0.key == "PHOTO" || $0.key == "LOGO" })
    let merge = CardMerge(
      body: served, base: served, present: ServedCard.card(of: contact, version: .three),
      of: contact)
    #expect(merge.edit == ContactEdit())
  }

  @Test func `bytes that stand for a picture are read back, and pictures are not taken for them`() {
    let asset = Asset(digest: Array(0..<32), sizeBytes: 0x0102_0304_0506)
    #expect(PictureMark.asset(PictureMark.bytes(of: asset)) == asset)
    #expect(PictureMark.asset(picture) == nil)
    #expect(PictureMark.asset(PictureMark.bytes(of: asset) + [0]) == nil)
  }
}
