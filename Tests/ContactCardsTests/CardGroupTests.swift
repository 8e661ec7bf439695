import ContactCards
import Contacts
import Records
import Testing

@Suite("A2 groups in cards")
struct CardGroupTests {
  func read(_ lines: String...) throws -> ImportedContact {
    var reader = CardReader()
    let text = (["BEGIN:VCARD", "VERSION:4.0"] + lines + ["END:VCARD", ""]).joined(separator: "\n")
    let cards = reader.feed(text.utf8) + reader.finish()
    return ImportedContact(try #require(cards.first))
  }

  @Test func `a group is known by its kind in any spelling, other kinds are contacts`() throws {
    #expect(try read("FN:Crew", "KIND:group").isGroup)
    #expect(try read("FN:Crew", "x-addressbookserver-kind: GROUP ").isGroup)
    #expect(try !read("FN:Crew", "KIND:org").isGroup)
    #expect(try !read("FN:Crew", "MEMBER:urn:uuid:1").isGroup)
  }

  @Test func `members are UIDs, whatever dress they come in, each once`() throws {
    let group = try read(
      "FN:Crew", "KIND:group", "MEMBER:urn:uuid:a-1", "MEMBER:URN:UUID:a-1", "MEMBER:b-2",
      "X-ADDRESSBOOKSERVER-MEMBER:mailto:c@example.com")
    #expect(group.memberUIDs == ["a-1", "b-2", "mailto:c@example.com"])
    #expect(group.name == "Crew")
  }

  @Test(arguments: [CardVersion.three, .four])
  func `a group is written in the words of the version`(version: CardVersion) throws {
    var group = try read("FN:Crew", "KIND:group", "MEMBER:urn:uuid:a-1", "MEMBER:urn:uuid:b-2")
    group.keepMembers(["b-2"])
    var contact = Contact(id: group.recordName)
    contact.displayName = group.name
    contact.other = group.draft[.other].enumerated().map { index, entry in
      var other = OtherProperty(id: .init(UInt128(index)), position: .between(nil, nil))
      other.name = entry[.name]
      other.value = entry[.value]
      return other
    }
    let card = CardComposer(version: version).card(
      ofGroup: contact, members: ["a-1", "b-2", "tel:+1"], bytes: { _ in nil })
    var bytes: [UInt8] = []
    CardWriter.write(card, to: &bytes)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map { String($0) }
    let prefix = version == .four ? "" : "X-ADDRESSBOOKSERVER-"
    #expect(
      lines.filter { $0.contains("MEMBER") || $0.contains("KIND") } == [
        "\(prefix)KIND:group", "\(prefix)MEMBER:urn:uuid:b-2", "\(prefix)MEMBER:urn:uuid:a-1",
        "\(prefix)MEMBER:tel:+1",
      ])
  }
}
