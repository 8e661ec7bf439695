// Read, written, read: the same person, and nothing on the way is lost.

import Contacts
import Records
import Testing

@testable import ContactCards

@Suite("A2 cards and contacts")
struct RoundTripTests {
  @Test func `a full card becomes a contact`() throws {
    let read = contact(
      card(
        "UID:urn:uuid:1", "FN:Dr. Ada Mary Quill", "N:Quill;Ada;Mary;Dr.;",
        "NICKNAME:Addie,Quilly", "ORG:Quill & Sons;Bindery;Night", "TITLE:Binder\\, chief",
        "TEL;TYPE=CELL,pref:+1 555 010 0101", "item1.TEL:2", "item1.X-ABLabel:Boat",
        "EMAIL;TYPE=INTERNET;TYPE=WORK:ada@example.com",
        "item2.ADR;TYPE=HOME:;Flat 2;1 Mill Lane;Leeds;;LS1;England", "item2.X-ABADR:gb",
        "URL:http\\://example.com", "X-SKYPE:ada.q", "BDAY:1604-06-05",
        "item3.X-ABDATE:2010-01-02", "item3.X-ABLabel:_$!<Anniversary>!$_",
        "item4.X-ABRELATEDNAMES:Bram", "item4.X-ABLabel:_$!<Brother>!$_",
        "CATEGORIES:Rowing,Book club", "NOTE:one\\ntwo", "X-EMERGENCY-CONTACT:TRUE",
        "X-SHOE-SIZE;X-UNIT=EU:38"))
    let made = try kept(read)
    #expect(read.findings.isEmpty)
    #expect(made.displayName == "")
    #expect([made.firstName, made.middleName, made.lastName] == ["Ada", "Mary", "Quill"])
    #expect(made.namePrefix == "Dr.")
    #expect(made.nickname == "Addie, Quilly")
    #expect(made.company == "Quill & Sons")
    #expect(made.departments == ["Bindery", "Night"])
    #expect(made.title == "Binder, chief")
    #expect(made.phones.map(\.label) == ["mobile", "Boat"])
    #expect(made.phones[0].details.preference == 1)
    #expect(made.emails.map(\.label) == ["work"])
    #expect(made.emails[0].details.kinds == "internet")
    #expect(made.addresses[0].label == "home")
    #expect(made.addresses[0].street1 == "1 Mill Lane")
    #expect(made.addresses[0].street2 == "Flat 2")
    #expect(made.addresses[0].countryCode == "gb")
    #expect(made.urls.map(\.value) == ["http://example.com"])
    #expect(made.instantMessages.map(\.value) == ["skype:ada.q"])
    #expect(made.birthday == "--06-05")
    #expect(made.dates.map(\.label) == ["anniversary"])
    #expect(made.related.map(\.label) == ["brother"])
    #expect(made.categories == ["Rowing", "Book club"])
    #expect(made.note == "one\ntwo")
    #expect(made.isEmergency)
    #expect(made.other.map(\.name) == ["X-SHOE-SIZE"])
    #expect(made.other[0].parameters == "X-UNIT=EU")
  }

  /// A card whose every property is hard.
  static let odd = card(
    "UID:odd-1", "FN;LANGUAGE=ru:Ольга Петрова",
    "N;SORT-AS=\"Petrova,Olga\":Петрова;Ольга;Анна,Мария;;Dr.,Jr.",
    "ORG;SORT-AS=Zavod:Завод", "BDAY;X-APPLE-OMIT-YEAR=1604:1604-06-05",
    "ANNIVERSARY:1996-02-03T10:00:00Z",
    "TEL;TYPE=HOME,FAX,X-Slow;X-SEEN=1:+7 495 000", "TEL;VALUE=uri;PREF=3:tel:+7-495-001",
    "item1.EMAIL:o@example.com", "item1.X-ABLabel:Дача",
    "ADR;LABEL=\"Line 1^nLine 2\";GEO=\"geo:1,2\":;;Мира 1;Москва;;;;room 5;floor 3",
    "PHOTO;TYPE=PNG;ENCODING=b;X-CROP=1:iVBORw0KGgo=", "PHOTO;TYPE=JPEG;ENCODING=b:/9j/AAAA",
    "PHOTO;VALUE=uri:https://example.com/never-fetched.jpg", "SOUND;TYPE=OGG;ENCODING=b:AAAA",
    "item1.X-COLOUR:green", "TITLE:One", "TITLE:Two", "GENDER:F", "REV:20240101T000000Z",
    "X-EMPTY:",
    "item9.X-LONELY;A=\"b;c\":d\\,e\\;f\\\\g", "AGENT:BEGIN:VCARD\\nFN:X\\nEND:VCARD")

  @Test(arguments: [CardVersion.three, .four])
  func `an odd card comes back meaning the same`(version: CardVersion) throws {
    let first = contact(Self.odd)
    let text = written(try kept(first), version)
    let second = contact(text)
    #expect(second.draft == first.draft)
    #expect(second.identity == first.identity)
    #expect(written(try kept(second), version) == text)
  }

  @Test func `an odd card keeps every property`() throws {
    let text = written(try kept(contact(Self.odd)))
    let lines = text.replacing("\r\n ", with: "").split(separator: "\r\n")
    for line in [
      "FN;LANGUAGE=ru:Ольга Петрова", "X-GENDER:F", "X-EMPTY:", "TITLE:One", "TITLE:Two",
      "N;X-SORT-AS=\"Petrova,Olga\":Петрова;Ольга;Анна,Мария;;Dr.,Jr.",
      "BDAY;X-APPLE-OMIT-YEAR=1604:1604-06-05", "X-ANNIVERSARY:1996-02-03T10:00:00Z",
      "TEL;TYPE=home,fax,X-Slow;X-SEEN=1:+7 495 000", "item1.X-COLOUR:green",
      "item1.X-ABLabel:Дача", "item9.X-LONELY;A=\"b;c\":d\\,e\\;f\\\\g",
      "PHOTO;VALUE=uri:https://example.com/never-fetched.jpg", "SOUND;TYPE=OGG;ENCODING=b:AAAA",
      "PHOTO;TYPE=PNG;X-CROP=1;ENCODING=b:iVBORw0KGgo=", "PHOTO;TYPE=JPEG;ENCODING=b:/9j/AAAA",
    ] { #expect(lines.contains(Substring(line)), "\(line)") }
  }

  @Test func `a card of 4.0 has a date with a time in that version's form`() throws {
    let text = written(try kept(contact(Self.odd)), .four)
    #expect(text.contains("\r\nANNIVERSARY:19960203T100000Z\r\n"))
  }

  @Test func `a card says when the contact here was changed, not when another copy was`() throws {
    let contact = try kept(contact(Self.odd))
    let modified = try #require(Timestamp("2026-03-04T05:06:07.250Z"))
    for (version, expected) in [
      (CardVersion.three, "2026-03-04T05:06:07Z"), (.four, "20260304T050607Z"),
    ] {
      let card = CardComposer(version: version).card(of: contact, modified: modified) { _ in nil }
      #expect(card.properties.filter { $0.key == "REV" }.map(\.value) == [expected])
    }
    let card = CardComposer(version: .four).card(of: contact, modified: modified) { _ in nil }
    var bytes: [UInt8] = []
    JCard.node(card).write(to: &bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains(#"["rev",{},"timestamp","2026-03-04T05:06:07Z"]"#))
    #expect(!text.contains("20240101"))
  }

  @Test func `JSON and jCard write no control character as it is`() {
    for scalar in (0...0x2FF).compactMap(Unicode.Scalar.init) {
      var bytes: [UInt8] = []
      JSONNode.string("a\(Character(scalar))é").write(to: &bytes)
      let written = String(decoding: bytes, as: UTF8.self).unicodeScalars
      #expect(!written.contains { $0.properties.generalCategory == .control })
    }
  }

  @Test func `a REV among the other properties is not written`() throws {
    var contact = try kept(contact(Self.odd))
    contact.other.append(contentsOf: try kept(contactWithOther("REV", "20200101T000000Z")).other)
    let card = CardComposer(version: .four).card(of: contact) { _ in nil }
    #expect(!card.properties.contains { $0.key == "REV" })
    var bytes: [UInt8] = []
    ContactNode.node(contact, bytes: { _ in nil }).write(to: &bytes)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("20200101"))
  }

  private func contactWithOther(_ name: String, _ value: String) -> ImportedContact {
    var draft = ContactDraft()
    draft[.firstName] = "A"
    draft[.other] = [.init(texts: [.name: name, .value: value])]
    return ImportedContact(line: 0, draft: draft, content: Fingerprint())
  }

  @Test(arguments: [
    ("37.386;-122.083", "37.386;-122.083", "geo:37.386,-122.083"),
    ("37.386\\;-122.083", "37.386;-122.083", "geo:37.386,-122.083"),
    ("+48.2; 16.3", "48.2;16.3", "geo:48.2,16.3"),
    ("geo:48.2,16.3", "48.2;16.3", "geo:48.2,16.3"),
    ("GEO:48.2,16.3,183;u=5", "48.2;16.3", "GEO:48.2,16.3,183;u=5"),
    ("somewhere", "somewhere", "somewhere"), ("91;1", "91;1", "91;1"),
    ("https://example.com/1;2", "https://example.com/1;2", "https://example.com/1;2"),
  ])
  func `a position is written as the version of the card has it`(
    value: String, three: String, four: String
  ) throws {
    let made = try kept(contact(card("FN:A B", "N:B;A;;;", "GEO:\(value)")))
    for (version, expected) in [(CardVersion.three, three), (.four, four)] {
      let card = CardComposer(version: version).card(of: made) { _ in nil }
      #expect(card.properties.filter { $0.key == "GEO" }.map(\.value) == [expected])
    }
  }

  @Test func `what a person changes is written, not what the card said`() throws {
    var changed = try kept(contact(Self.odd))
    changed.firstName = "Olga"
    changed.birthday = "1984-06-05"
    let text = written(changed)
    #expect(text.contains("\r\nN:Петрова;Olga;Анна Мария;;Dr.\\, Jr.\r\n"))
    #expect(text.contains("\r\nBDAY:1984-06-05\r\n"))
    #expect(text.contains("ORG;X-SORT-AS=Zavod:Завод"))
  }

  @Test(arguments: [
    ("BDAY:1984-06-05", "1984-06-05"), ("BDAY:19840605", "1984-06-05"),
    ("BDAY:--0605", "--06-05"), ("BDAY;X-APPLE-OMIT-YEAR=1700:1700-06-05", "--06-05"),
    ("BDAY:1604-06-05", "--06-05"), ("BDAY:1984-06-05T00:00:00Z", "1984-06-05"),
    ("BDAY:0000-06-05", "--06-05"), ("BDAY:1984", "1984"), ("BDAY:yesterday", "yesterday"),
    ("BDAY;VALUE=text:about 1800", "about 1800"), ("BDAY:1984-02-31", "1984-02-31"),
  ])
  func `a birthday is a day, with a year or without`(line: String, birthday: String) throws {
    let read = contact(card("FN:A", line))
    #expect(read.draft[.birthday] == birthday)
    for version in [CardVersion.three, .four] {
      #expect(contact(written(try kept(read), version)).draft[.birthday] == birthday)
    }
  }

  @Test func `a birthday that is none is kept and told of`() {
    let read = contact(card("FN:A", "BDAY:1984-02-31"))
    #expect(read.findings.map(\.outcome) == [.kept])
    #expect(read.findings.map(\.property) == ["BDAY"])
    #expect(read.findings.map(\.line) == [4])
  }

  @Test func `no year never leaves as 1604 in 4.0`() throws {
    let text = written(try kept(contact(card("FN:A", "BDAY:1604-06-05"))), .four)
    #expect(text.contains("\r\nBDAY:--0605\r\n"))
    #expect(!text.contains("1604"))
  }

  @Test func `a missing full name is reported, and a full name without parts is split`() {
    let missing = contact(card("N:Bell;Amy;;;"))
    #expect(missing.findings.map(\.property) == ["FN"])
    let whole = contact(card("FN:Amy Louise Bell"))
    #expect(whole.draft[.firstName] == "Amy Louise")
    #expect(whole.draft[.lastName] == "Bell")
    #expect(contact(card("FN:Bell, Amy")).draft[.firstName] == "Amy")
    #expect(contact(card("FN:Eco Ltd", "KIND:org", version: "4.0")).draft[.company] == "Eco Ltd")
    #expect(contact(card("FN:Eco Ltd", "ORG:Eco Ltd")).draft[.lastName] == "")
  }

  @Test func `a card that says nothing fails, the others do not`() {
    let read = cards(card() + card("X-ODD:1") + card("TEL:1")).map { ImportedContact($0) }
    #expect(read.map { $0.findings.contains { $0.outcome == .failed } } == [true, false, false])
  }

  @Test func `values that cannot be right are kept and told of`() {
    let read = contact(card("FN:A", "TEL:ask Jenny", "EMAIL:nobody", "TEL;TYPE=HOME:"))
    #expect(read.draft[.phones].map { $0[.value] } == ["ask Jenny"])
    #expect(read.draft[.emails].map { $0[.value] } == ["nobody"])
    #expect(read.findings.map(\.outcome) == [.kept, .kept])
  }

  @Test func `identity is the UID, else all the card says but its time`() {
    let one = contact(card("UID:a", "FN:A"))
    #expect(one.identity == contact(card("UID:a", "FN:B")).identity)
    #expect(one.identity != contact(card("UID:b", "FN:A")).identity)
    let plain = contact(card("FN:A", "REV:1"))
    #expect(plain.identity == contact(card("FN:A", "REV:2", "PRODID:x")).identity)
    #expect(plain.identity != contact(card("FN:B")).identity)
  }

  @Test func `in 2.1 a comma separates nothing`() {
    let read = contact(card("N:Bell;Amy;Q., Public", "FN:Amy", version: "2.1"))
    #expect(read.draft[.middleName] == "Q., Public")
  }
}

@Suite("A2 writing cards")
struct CardWriterTests {
  @Test func `lines have at most 75 bytes and end no character in the middle`() throws {
    let name = String(repeating: "Ł李😀", count: 60)
    let text = written(try kept(contact(card("FN:\(name)", "N:;\(name);;;"))))
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.utf8.count <= 75 })
    #expect(!text.contains("\u{FFFD}"))
    #expect(contact(text).draft[.firstName] == name)
  }

  @Test func `nothing typed can become a line of its own`() throws {
    var odd = Contact(id: RecordName(stored: "x"), firstName: "A\r\nEND:VCARD\r\nBEGIN:VCARD")
    odd.note = "a\rb\r\nc\nTEL:1"
    let text = written(odd)
    let read = cards(text)
    #expect(read.count == 1)
    #expect(ImportedContact(read[0]).draft[.note] == "a\nb\nc\nTEL:1")
    #expect(ImportedContact(read[0]).draft[.phones].isEmpty)
  }

  @Test func `a contact without a name still has FN and N`() throws {
    let text = written(try kept(contact(card("EMAIL:a@example.com"))))
    #expect(text.contains("\r\nFN:a@example.com\r\nN:;;;;\r\n"))
    #expect(contact(text).draft[.displayName] == "")
    #expect(contact(text).draft[.firstName] == "")
  }
}
