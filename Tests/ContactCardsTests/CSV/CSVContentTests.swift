import Contacts
import Testing

@testable import ContactCards

@Suite("F2 columns that only their values explain")
struct CSVContentTests {
  private func read(_ text: String) -> [ImportedContact] {
    var file = ContactFile()
    return file.feed(text.utf8) + file.finish()
  }

  @Test func `an unknown column of e-mails, phones or dates is read as such and keeps its name`() {
    let read = read(
      "First Name,Post,Ruf,Seit,Schuh\nAda,a@example.com,+46 8 5555,2001-02-03,44\nBo,,08-5556,,45\n"
    )
    let draft = read[0].draft
    #expect(draft[.emails].map { [$0[.label], $0[.value]] } == [["Post", "a@example.com"]])
    #expect(draft[.phones].map { [$0[.label], $0[.value]] } == [["Ruf", "+46 8 5555"]])
    #expect(draft[.dates].map { [$0[.label], $0[.value]] } == [["Seit", "2001-02-03"]])
    #expect(draft[.other].map { $0[.name] } == ["X-SCHUH"])
    #expect(read[0].findings.map(\.outcome) == [.guessed, .guessed, .guessed, .kept])
  }

  @Test func `one value of another kind makes the column a text`() {
    let read = read("First Name,Last Name,Ruf\nAda,Quill,+46 8 5555\nBo,Ek,ask Ada\n")
    #expect(read.map { $0.draft[.phones].count } == [0, 0])
    #expect(read.map { $0.draft[.other].map { $0[.value] } } == [["+46 8 5555"], ["ask Ada"]])
  }

  @Test func `a table without a header row loses no row`() {
    let read = read("Ann,Lee,+1 806\nBob,Ray,+1 807\n")
    #expect(read.map(\.name) == ["Ann Lee", "Bob Ray"])
    #expect(
      read.map { $0.draft[.phones].map { $0[.value] } } == [["+1 806"], ["+1 807"]])
    #expect(read[0].findings.contains { $0.outcome == .guessed })
  }

  @Test func `a list of addresses alone is a table`() {
    let read = read("a@example.com\nb@example.com\n")
    #expect(
      read.map { $0.draft[.emails].map { $0[.value] } } == [["a@example.com"], ["b@example.com"]])
  }

  @Test(arguments: [
    ("a@b.example", CSVContent.Kind.email), ("+46 8 555 55", .phone), ("08-5555", .phone),
    ("+1 806", .phone),
    ("(030) 123456", .phone), ("2001-02-03", .date), ("3.2.2001", .date), ("3/2/2001", .date),
  ])
  func `a value shows its kind`(text: String, kind: CSVContent.Kind) {
    #expect(CSVContent.kind(text) == kind)
  }

  @Test(arguments: [
    "", "a@b", "a b@c.example", "a@b.", "1234567", "12345", "44", "12:30", "A-1234567", "1.2.3",
    "@c.example", "a@b@c.example",
  ])
  func `other values show none`(text: String) {
    #expect(CSVContent.kind(text) == nil)
  }

  @Test func `a table says what becomes of its columns`() {
    var file = ContactFile()
    _ = file.feed(
      "First Name,Business Phone,Home City,Post,Pet\nAda,1,Oslo,a@example.com,Rex\nBo,2,Oslo,b@example.com,\n"
        .utf8)
    _ = file.finish()
    #expect(
      file.columns == [
        TableColumn(name: "First Name", meaning: "first name", samples: ["Ada", "Bo"]),
        TableColumn(name: "Business Phone", meaning: "phone (work)", samples: ["1", "2"]),
        TableColumn(name: "Home City", meaning: "address (home), city", samples: ["Oslo"]),
        TableColumn(
          name: "Post", meaning: "e-mail (Post)", samples: ["a@example.com", "b@example.com"]),
        TableColumn(name: "Pet", meaning: "kept as X-PET", samples: ["Rex"]),
      ])
  }

  @Test func `a description of a table has a limit`() {
    let name = String(repeating: "c", count: 500)
    let names = (0..<1000).map { "\(name)\($0)" }.joined(separator: ",")
    var file = ContactFile(format: .csv)
    _ = file.feed("First Name,\(names)\nAda,a@example.com\n".utf8)
    _ = file.finish()
    #expect(file.columns.count == 500)
    #expect(file.columns.allSatisfy { $0.name.count <= 100 && $0.meaning.count <= 100 })
  }

  @Test func `an e-mail or a phone that is none is reported, as in a card`() {
    let read = read("First Name,E-mail,Phone\nAda,nowhere,none\n")
    #expect(read[0].findings.map(\.outcome) == [.kept, .kept])
    #expect(read[0].draft[.emails].map { $0[.value] } == ["nowhere"])
  }

  @Test func `empty parts between Google's separators belong to their entries`() {
    let read = read(
      "First Name,Address 1 - Label,Address 1 - Street,Address 1 - Region,Address 1 - Postal Code\n"
        + "Ada,Home,1 A St ::: 2 B St, ::: , ::: 99\n")
    #expect(read[0].draft[.addresses].map { $0[.street1] } == ["1 A St", "2 B St"])
    #expect(read[0].draft[.addresses].map { $0[.state] } == ["", ""])
    #expect(read[0].draft[.addresses].map { $0[.zipcode] } == ["", "99"])
  }
}
