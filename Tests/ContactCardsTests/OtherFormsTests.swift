// The other forms in which contacts travel, and how a file's form is seen.

import Contacts
import Records
import Testing

@testable import ContactCards

/// Reads a file of any form.
private func file(
  _ bytes: some Collection<UInt8>, chunkBytes: Int = .max
) -> (contacts: [ImportedContact], findings: [CardFinding]) {
  var file = ContactFile()
  var contacts: [ImportedContact] = []
  var rest = Array(bytes)[...]
  while !rest.isEmpty {
    contacts += file.feed(rest.prefix(chunkBytes))
    rest = rest.dropFirst(chunkBytes)
  }
  contacts += file.finish()
  return (contacts, file.takeFindings())
}

@Suite("A2 jCard and JSON")
struct JSONFormTests {
  /// The odd card as the text of a file.
  static func written(_ node: JSONNode) -> [UInt8] {
    var bytes: [UInt8] = []
    node.write(to: &bytes)
    return bytes
  }

  static func bytes(_ media: ContactMedia) -> [UInt8]? {
    guard case .inline(let bytes) = media else { return nil }
    return bytes
  }

  @Test func `an odd card comes back from jCard meaning the same`() throws {
    let first = contact(RoundTripTests.odd)
    let card = CardComposer(version: .four).card(of: try kept(first), bytes: Self.bytes)
    let text = Self.written(JCard.node(card))
    let read = file(text).contacts
    #expect(read.count == 1)
    let second = try #require(read.first)
    // A time behind a day is text in jCard; all else is as it was.
    #expect(second.draft.texts == first.draft.texts)
    for list in ContactList.allCases where list != .other {
      #expect(second.draft[list] == first.draft[list], "\(list)")
    }
    #expect(second.draft[.other].count == first.draft[.other].count)
    #expect(second.draft.photo == first.draft.photo)
  }

  @Test func `an odd card comes back from JSON the same`() throws {
    let first = contact(RoundTripTests.odd)
    let made = try kept(first)
    let read = file(Self.written(ContactNode.node(made, bytes: Self.bytes))).contacts
    #expect(read.count == 1)
    #expect(try kept(try #require(read.first)).other.count == made.other.count)
    #expect(read.first?.draft == first.draft)
    #expect(read.first?.identity == first.identity)
  }

  @Test(
    arguments: [
      #"{"schema":1,"contacts":[{"id":"a","firstName":"A"},{"id":"b","firstName":"B"}]}"#,
      "[{\"id\":\"a\",\"firstName\":\"A\"},\n {\"id\":\"b\",\"firstName\":\"B\"}]",
      "{\"id\":\"a\",\"firstName\":\"A\"}\n{\"schema\":1,\"id\":\"b\",\"firstName\":\"B\"}\n",
      #"[["vcard",[["fn",{},"text","A"]]],["vcard",[["fn",{},"text","B"]]]]"#,
      #"["vcard",[["fn",{},"text","A"]]]["vcard",[["fn",{},"text","B"]]]"#,
    ], [1, 3, 4096])
  func `contacts are found in every shape of list`(text: String, chunkBytes: Int) {
    let read = file(text.utf8, chunkBytes: chunkBytes)
    #expect(read.contacts.map { $0.draft[.firstName] } == ["A", "B"])
    #expect(read.findings.isEmpty)
  }

  @Test func `a broken item is one item lost`() {
    let text = #"[{"firstName":"A"},{"firstName":},["x"],7,{"firstName":"B","shoe":3}]"#
    let read = file(text.utf8)
    #expect(read.contacts.map { $0.draft[.firstName] } == ["A", "B"])
    #expect(read.findings.map(\.outcome) == [.failed, .failed])
    #expect(read.contacts[1].findings.map(\.property) == ["shoe"])
  }

  @Test func `a file that ends too soon says so`() {
    let read = file(#"[{"firstName":"A"},{"firstName":"B""#.utf8)
    #expect(read.contacts.map { $0.draft[.firstName] } == ["A"])
    #expect(read.findings.map(\.outcome) == [.failed])
  }

  @Test func `values of jCard have their types and parts`() {
    let text =
      #"["vcard",[["version",{},"text","4.0"],["n",{},"text",["Bell",["Amy","Lou"],"","",""]],"#
      + #"["tel",{"type":["home","voice"],"group":"g1"},"uri","tel:+1"],["bday",{},"date","--06-05"],"#
      + #"["categories",{},"text","a,b","c"],["x-odd",{},"unknown","a\\,b;c"],["x-n",{},"integer",7]]]"#
    let read = file(text.utf8).contacts
    #expect(read[0].draft[.firstName] == "Amy Lou")
    #expect(read[0].draft[.phones].map { $0[.value] } == ["+1"])
    #expect(read[0].draft[.birthday] == "--06-05")
    #expect(read[0].draft.categories == ["a,b", "c"])
    #expect(read[0].draft[.other].contains { $0[.name] == "X-ODD" && $0[.value] == "a\\,b;c" })
  }

  @Test(arguments: ["[[[[[[[[[[[[", "{\"a\":{\"contacts\":[{", "]]]]}}}", "[\"", "{\"\\", "\u{0}"])
  func `what is no JSON brings nothing down`(text: String) {
    #expect(file(text.utf8).contacts.isEmpty)
    #expect(JSONNode(Array(String(repeating: text, count: 500).utf8)) == nil)
  }
}

@Suite("A2, F2 tables")
struct CSVTests {
  @Test func `Google's columns of both generations are read`() {
    let text = """
      First Name,Last Name,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,\
      Labels,Birthday,Notes,Address 1 - Label,Address 1 - Street,Address 1 - City
      Amy,Bell,* Work,a@example.com ::: b@example.com,Mobile,+1 555,* myContacts ::: Rowing,\
      --06-05,"one
      \"\"two\"\"\",Home,Mill Lane 1,Leeds

      """
    let read = file(text.utf8).contacts
    #expect(read.count == 1)
    let draft = read[0].draft
    #expect(draft[.firstName] == "Amy")
    #expect(draft[.emails].map { $0[.value] } == ["a@example.com", "b@example.com"])
    #expect(draft[.emails].map { $0[.preference] } == ["1", ""])
    #expect(draft[.phones].map { $0[.label] } == ["mobile"])
    #expect(draft.categories == ["Rowing"])
    #expect(draft[.birthday] == "--06-05")
    #expect(draft[.note] == "one\n\"two\"")
    #expect(draft[.addresses].map { $0[.city] } == ["Leeds"])
    let old = "Given Name,Family Name,Phone 1 - Type,Phone 1 - Value\nAmy,Bell,Work Fax,1\n"
    #expect(file(old.utf8).contacts[0].draft[.phones].map { $0[.label] } == ["work fax"])
  }

  @Test func `Outlook's columns are read, in Windows' bytes and with semicolons`() {
    let header =
      "Title;First Name;Last Name;Job Title;Business Phone;Mobile Phone;Home Street;"
      + "Home Street 2;Home City;Birthday;E-mail Address;Spouse;Anniversary;Hobby\r\n"
    let bytes =
      Array(header.utf8) + Array("Dr.;Ren".utf8) + [0xE9]
      + Array(
        ";Bell;Binder;1;2;Mill Lane;Flat 2;Leeds;6/5/1984;a@example.com;Bo;0/0/00;Rowing".utf8)
    let read = file(bytes).contacts
    let draft = read[0].draft
    #expect(draft[.namePrefix] == "Dr.")
    #expect(draft[.firstName] == "René")
    #expect(draft[.title] == "Binder")
    #expect(draft[.phones].map { $0[.label] } == ["work", "mobile"])
    #expect(draft[.addresses].map { $0[.street2] } == ["Flat 2"])
    #expect(draft[.birthday] == "1984-06-05")
    #expect(draft[.anniversary] == "")
    #expect(draft[.related].map { $0[.label] } == ["spouse"])
    #expect(draft[.other].map { $0[.name] } == ["HOBBY"])
    #expect(read[0].findings.map(\.outcome) == [.guessed, .guessed, .kept])
  }

  @Test(
    arguments: [
      "First Name,Anniversary,E-mail Address\r\nAmy,9/18/2010,a@example.com\r\n",
      "First Name,Event 1 - Label,Event 1 - Value\r\nAmy,Anniversary,2010-09-18\r\n",
      "BEGIN:VCARD\r\nVERSION:3.0\r\nN:;Amy;;;\r\nFN:Amy\r\nitem1.X-ABDATE:2010-09-18\r\n"
        + "item1.X-ABLabel:_$!<Anniversary>!$_\r\nEND:VCARD\r\n",
    ])
  func `an anniversary of Outlook, Google and iCloud is one of the dates`(text: String) {
    let draft = file(text.utf8).contacts[0].draft
    #expect(draft[.dates].map { $0[.label] } == ["anniversary"])
    #expect(draft[.dates].map { $0[.value] } == ["2010-09-18"])
    #expect(draft[.anniversary] == "")
  }

  @Test func `a table of ours comes back, and reading it twice is the same`() throws {
    var bytes: [UInt8] = []
    CSVWriter.writeHeader(to: &bytes)
    let made = try kept(
      contact(
        card(
          "UID:u", "FN:Amy \"A\" Bell", "N:Bell;Amy;;;", "TEL;TYPE=CELL:1", "TEL:2", "TEL:3",
          "TEL:4", "TEL:5", "EMAIL:a@example.com", "ADR;TYPE=HOME:;;Mill\\, Lane;Leeds;;;",
          "NOTE:one\\ntwo", "CATEGORIES:Rowing,Book club", "BDAY:--0605", "TITLE:Binder",
          "X-EMERGENCY-CONTACT:TRUE", "ORG:Works;Night")))
    CSVWriter.write(made, to: &bytes)
    let read = file(bytes, chunkBytes: 5).contacts
    #expect(read.count == 1)
    var expected = ContactDraft(made)
    for list in ContactList.allCases {
      expected[list] = expected[list].map { .init(texts: $0.texts) }
    }
    #expect(read[0].draft == expected)
    var again: [UInt8] = []
    CSVWriter.writeHeader(to: &again)
    CSVWriter.write(try kept(read[0]), to: &again)
    #expect(again == bytes)
  }

  /// A table of `contacts`, as it is exported.
  private func table(_ contacts: Contact...) -> [UInt8] {
    var bytes: [UInt8] = []
    CSVWriter.writeHeader(to: &bytes)
    for contact in contacts { CSVWriter.write(contact, to: &bytes) }
    return bytes
  }

  @Test(
    arguments: [
      "=1+1", "+1+cmd|' /C calc'!A0", "-2+3+A1", "@SUM(A1)", "'=1", "''-x", " =1", "\t=1",
      "=\u{301}1",
      "'\u{301}=x", "＝1", "+46 70 123 45 67", "-", "O'Hara", "'t Hooft", "a=b",
    ])
  func `no field of a table begins like a formula, and each comes back as it was`(text: String)
    throws
  {
    var draft = ContactDraft()
    draft[.uid] = "u"
    draft[.firstName] = "Ann"
    draft[.lastName] = "Bell"
    draft[.note] = text
    draft[.phones] = [.init(texts: [.label: text, .value: text])]
    draft[.addresses] = [.init(texts: [.label: "home", .city: text, .street1: "x"])]
    let made = try kept(ImportedContact(line: 0, draft: draft, content: Fingerprint()))
    let bytes = table(made)
    let isPhone = text.utf8.allSatisfy { "+-.() 0123456789".utf8.contains($0) }
    let row = bytes.split(separator: UInt8(ascii: "\n"))[1]
    for field in CSVFields.fields(Array(row.dropLast()), UInt8(ascii: ",")) {
      let first = String(decoding: field, as: UTF8.self).unicodeScalars.first { $0 != " " }
      #expect(isPhone || !"=+-@\t\r＝＋－＠".unicodeScalars.contains(first ?? "x"), "\(field)")
    }
    let read = try #require(file(bytes).contacts.first).draft
    #expect(read[.note] == text || text.hasPrefix(" ") || read[.note] == text.trimmingBlanks())
    #expect(read[.phones].map { $0[.value] } == [ContactDraft(made)[.phones][0][.value]])
    #expect(read[.addresses].map { $0[.city] } == [ContactDraft(made)[.addresses][0][.city]])
  }

  @Test(arguments: [4, 5, 9])
  func `a table holds every address, number and label, however many there are`(count: Int) throws {
    var lines = ["UID:u", "FN:Amy Bell", "N:Bell;Amy;;;"]
    for number in 1...count {
      // The first of those that share a column, and the last, lack a part.
      let city = number == 4 || number == count ? "" : "City \(number)"
      lines.append(
        "ADR;TYPE=\(number.isMultiple(of: 2) ? "HOME" : "WORK"):;;\(number) Lane;\(city);;;")
      lines.append("TEL;TYPE=\(number.isMultiple(of: 2) ? "HOME" : "WORK"):+46 \(number)")
    }
    let made = try kept(
      contact(
        ([["BEGIN:VCARD"], lines, ["END:VCARD", ""]].flatMap(\.self)).joined(separator: "\r\n")))
    let read = try #require(file(table(made)).contacts.first).draft
    let expected = ContactDraft(made)
    for (list, parts) in [
      (ContactList.addresses, [EntryText.label, .street1, .city]), (.phones, [.label, .value]),
    ] {
      #expect(read[list].count == count)
      for part in parts {
        #expect(read[list].map { $0[part] } == expected[list].map { $0[part] }, "\(part)")
      }
    }
  }

  @Test func `a row that says nothing is none, and a quote that is never closed costs no row`() {
    let read = file("first name,last name\n,,\nAmy,\"Bell\nBo,Bee\n".utf8)
    #expect(read.contacts.map { $0.draft[.firstName] } == ["Amy", "Bo"])
  }

  @Test(arguments: [
    ("BEGIN:VCARD\nFN:A\nEND:VCARD", 1), ("", 0), ("\n\n", 0), ("nothing at all", 0),
    ("first name,last name\nA,B", 1), ("a;b\nc;d", 0),
  ])
  func `a file's form is seen in its beginning`(text: String, count: Int) {
    #expect(file(text.utf8).contacts.count == count)
  }
}
