// Rows that are not as they should be: no row is lost, and none becomes a part of another.

import Contacts
import PredicateWorld
import Testing

@testable import ContactCards

@Suite("A2, F2 rows of a table")
struct CSVRowsTests {
  private func read(_ text: String) -> [ImportedContact] {
    var file = ContactFile(format: .csv)
    return file.feed(text.utf8) + file.finish()
  }

  private func notes(_ contacts: [ImportedContact]) -> [String] { contacts.map { $0.draft[.note] } }

  @Test(arguments: [1, 7, 1000])
  func `notes before the names of LinkedIn's columns are ignored and reported`(chunkBytes: Int) {
    let text = """
      Notes:
      "When exporting, some addresses may be missing; see the settings, or ask."

      First Name,Last Name,URL,Email Address,Company,Position,Connected On
      Ada,Quill,https://example.com/ada,ada@example.org,Quill & Sons,Binder,12 Mar 2024

      """
    var file = ContactFile()
    var contacts: [ImportedContact] = []
    for start in stride(from: 0, to: text.utf8.count, by: chunkBytes) {
      contacts += file.feed(Array(text.utf8.dropFirst(start).prefix(chunkBytes)))
    }
    contacts += file.finish()
    #expect(contacts.map(\.name) == ["Ada Quill"])
    #expect(contacts.first?.draft[.title] == "Binder")
    #expect(file.takeFindings().map(\.line) == [1, 2])
    #expect(file.columns.count == 7)
  }

  @Test(arguments: ["Boat\nCar\n", "Boat\nFirst Name\n"])
  func `lines of one word without a row of names are rows`(_ text: String) {
    var file = ContactFile(format: .csv)
    let contacts = file.feed(Array(text.utf8)) + file.finish()
    #expect(file.columns.map(\.name) == ["Boat"] && contacts.count == 1)
    #expect(file.takeFindings().isEmpty)
  }

  @Test(
    arguments: [
      "Bo,\"never closed\nCy,x\nDi,y\n", "Bo,\"never closed\nCy,\"x\"\nDi,y\n",
      "Bo,\"never closed\n\"Cy\",\"x\"\n\"Di\",\"y\"\n", "Bo,\"never closed\nCy,x\nDi,y",
      "Bo,\"never closed\n\nCy,x\nDi,y\n", "Bo,\"never closed\nCy,x\n\"Di\",\"y\"\n",
    ])
  func `a quote that is never closed swallows no row, and is reported at its row`(rows: String) {
    let contacts = read("First Name,Notes\nAda,\"fine\"\n" + rows)
    #expect(contacts.map(\.name) == ["Ada", "Bo", "Cy", "Di"])
    #expect(notes(contacts) == ["fine", "\"never closed", "x", "y"])
    #expect(contacts.map { $0.findings.map(\.outcome) } == [[], [.guessed], [], []])
    #expect(contacts[1].line == 3)
  }

  @Test func `a file that ends in the middle of a note has no row of the rest`() {
    let contacts = read("First Name,Last Name,Notes\nBo,Ek,x\nCy,Lind,\"one\ntwo\nthr")
    #expect(contacts.map(\.name) == ["Bo Ek", "Cy Lind"])
    #expect(notes(contacts) == ["x", "one\ntwo\nthr"])
    #expect(contacts[1].findings.map(\.outcome) == [.guessed])
  }

  @Test func `a note of several lines after an unclosed quote is still one note`() {
    let contacts = read(
      "First Name,Notes\nBo,\"never closed\nCy,\"one\ntwo, \"\"three\"\"\"\nDi,y\n")
    #expect(contacts.map(\.name) == ["Bo", "Cy", "Di"])
    #expect(notes(contacts) == ["\"never closed", "one\ntwo, \"three\"", "y"])
  }

  @Test func `an unclosed quote before a megabyte of rows is found without reading them twice`() {
    let count = 30_000
    let rows = (0..<count).map { "P\($0),\"\"a long enough note for one row\n" }.joined()
    let contacts = read("First Name,Notes\nBo,\"never closed\n" + rows)
    #expect(contacts.count == count + 1)
    #expect(contacts.last?.draft[.note] == "\"\"a long enough note for one row")
  }

  @Test func `rows of random fields, with one that lacks its last quote, are all there`() {
    for seed in 0..<200 {
      var random = SeededGenerator(seed: UInt64(seed))
      let broken = random.below(6)
      let rows = (0..<6).map { row in
        let text = random.one(of: ["x", "a, b", "say \"\"hi\"\"", "two\nlines"])
        guard row != broken else { return "P\(row),\"open" }
        return "P\(row),\"\(text)\""
      }
      let contacts = read("First Name,Notes\n" + rows.joined(separator: "\n"))
      #expect(contacts.map(\.name) == (0..<6).map { "P\($0)" }, "seed \(seed)")
    }
  }

  @Test(arguments: [",", ";", "\t", "|"])
  func `the separator of the first row is that of all rows`(separator: String) {
    let contacts = read(
      ["First Name", "Notes"].joined(separator: separator) + "\nAda\(separator)x\n")
    #expect(contacts.map(\.name) == ["Ada"])
    #expect(notes(contacts) == ["x"])
  }

  @Test(arguments: [("E-mail", ContactList.emails), ("phone", .phones)])
  func `a list of addresses under one heading is a table`(heading: String, list: ContactList) {
    var file = ContactFile()
    let contacts = file.feed("\(heading)\na@1.example\nb@2.example\n".utf8) + file.finish()
    #expect(
      contacts.map { $0.draft[list].map { $0[.value] } } == [["a@1.example"], ["b@2.example"]])
  }
}
