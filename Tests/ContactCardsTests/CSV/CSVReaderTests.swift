// Tables against a reader and a writer of their own, which share no code with the ones under test.

import Contacts
import PredicateWorld
import Testing

@testable import ContactCards

@Suite("A2, F2 tables against a second reader")
struct CSVReaderTests {
  private func table(_ contacts: [Contact]) -> String {
    var bytes: [UInt8] = []
    CSVWriter.writeHeader(to: &bytes)
    for contact in contacts { CSVWriter.write(contact, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `a second reader finds every text of a contact in its column`() throws {
    for seed in 1...30 {
      var random = RandomContacts(seed: seed, forTable: true)
      let contacts = try [random.contact(), random.contact()]
      let rows = plainRows(table(contacts))
      try #require(rows.count == 3, "seed \(seed)")
      let names = rows[0]
      #expect(Set(names).count == names.count)
      for (row, contact) in zip(rows.dropFirst(), contacts) {
        try #require(row.count == names.count, "seed \(seed)")
        let fields = Dictionary(uniqueKeysWithValues: zip(names, row))
        for (name, whole) in texts(contact) {
          let text = String(String.UnicodeScalarView(whole.unicodeScalars.filter(isWrittenToTable)))
          let field = try #require(fields[name], "\(name)")
          let isMarked = field.hasPrefix("'") && Array(field.utf8.dropFirst()) == Array(text.utf8)
          #expect(Array(field.utf8) == Array(text.utf8) || isMarked, "seed \(seed) \(name)")
          #expect(!Self.isFormula(field), "seed \(seed) \(name) \(field)")
        }
      }
    }
  }

  /// The columns of a contact, by the names that Google gives them.
  private func texts(_ contact: Contact) -> [(String, String)] {
    var texts = [
      ("UID", contact.uid), ("Name Prefix", contact.namePrefix), ("First Name", contact.firstName),
      ("Middle Name", contact.middleName), ("Last Name", contact.lastName),
      ("Name Suffix", contact.nameSuffix), ("Nickname", contact.nickname),
      ("File As", contact.displayName), ("Organization Name", contact.company),
      ("Organization Title", contact.title), ("Role", contact.role),
      ("Birthday", contact.birthday), ("Anniversary", contact.anniversary),
      ("Notes", contact.note), ("Emergency", contact.isEmergency ? "TRUE" : ""),
      ("Labels", contact.categories.joined(separator: " ::: ")),
      ("Organization Department", contact.departments.joined(separator: " ::: ")),
    ]
    for (name, entries) in [("Phone", contact.phones), ("E-mail", contact.emails)] {
      for (index, entry) in entries.preferredFirst.prefix(3).enumerated() {
        let isPreferred = index == 0 && entry.details.preference == 1
        let label = entry.label.isEmpty ? "*" : "* " + entry.label
        texts.append(("\(name) \(index + 1) - Label", isPreferred ? label : entry.label))
        texts.append(("\(name) \(index + 1) - Value", entry.value))
      }
    }
    for (index, address) in contact.addresses.preferredFirst.prefix(3).enumerated() {
      texts.append(("Address \(index + 1) - Street", address.street1))
      texts.append(("Address \(index + 1) - Extended Address", address.street2))
      texts.append(("Address \(index + 1) - City", address.city))
      texts.append(("Address \(index + 1) - Region", address.state))
      texts.append(("Address \(index + 1) - Postal Code", address.zipcode))
      texts.append(("Address \(index + 1) - Country", address.country))
      texts.append(("Address \(index + 1) - PO Box", address.poBox))
    }
    return texts
  }

  private static func isFormula(_ field: String) -> Bool {
    let first = field.unicodeScalars.first { $0 != " " } ?? "x"
    let isNumber = field.utf8.allSatisfy { "+-.() 0123456789".utf8.contains($0) }
    return "=+-@＝＋－＠\t\r\n".unicodeScalars.contains(first) && !isNumber
  }

  @Test(arguments: [",", ";", "\t"], ["\r\n", "\n", "\r"])
  func `the table of another writer is read field by field`(separator: String, end: String) throws {
    for seed in 1...15 {
      var random = RandomContacts(seed: seed, forTable: false)
      let names = ["First Name", "Last Name", "Alpha", "Beta", "Gamma"]
      let rows = (0..<3).map { _ in
        names.map { $0 == "First Name" || random.random.percent(70) ? random.text(12) : "" }
      }
      let text = ([names] + rows).map { row in
        row.map { field in
          let isHard = field.unicodeScalars.contains { "\",;\t\r\n".unicodeScalars.contains($0) }
          return isHard || random.random.percent(30)
            ? "\"" + Self.doubled(field) + "\"" : field
        }.joined(separator: separator) + end
      }.joined()
      var file = ContactFile(format: .csv)
      let read = file.feed(text.utf8) + file.finish()
      try #require(read.count == rows.count, "seed \(seed)")
      for (imported, row) in zip(read, rows) {
        let fields = row.map { field in
          let kept = withUnixEnds(field).unicodeScalars.filter { $0 != "\u{0}" }
          return trimmed(String(String.UnicodeScalarView(kept)))
        }
        #expect(imported.draft[.firstName].utf8.elementsEqual(fields[0].utf8), "seed \(seed)")
        #expect(imported.draft[.lastName].utf8.elementsEqual(fields[1].utf8), "seed \(seed)")
        let others = zip(["X-ALPHA", "X-BETA", "X-GAMMA"], fields.dropFirst(2)).filter { $1 != "" }
        #expect(imported.draft[.other].map { $0[.name] } == others.map { $0.0 }, "seed \(seed)")
        let values = imported.draft[.other].map { Array($0[.value].utf8) }
        #expect(values == others.map { Array(plainlyEscaped($0.1).utf8) }, "seed \(seed)")
      }
    }
  }

  /// Returns `field` with every quote twice, also one that a combining mark follows.
  private static func doubled(_ field: String) -> String {
    field.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined()
  }

  @Test func `a row has no more fields than the first row, and a row of blanks is none`() {
    let text = "First Name,Last Name\nAda,Quill,more\n , \n,\n\nBo,Ek\n"
    var file = ContactFile(format: .csv)
    let read = file.feed(text.utf8) + file.finish()
    #expect(read.map(\.name) == ["Ada Quill", "Bo Ek"])
    #expect(read.map(\.line) == [2, 6])
    #expect(read.map { $0.findings.map(\.outcome) } == [[.lost], []])
  }

  @Test func `an unknown column is reported once, when it first has a value`() {
    let text = "First Name,Pet,Shoe\nAda,,\nBo,Rex,\nCy,Max,44\n"
    var file = ContactFile(format: .csv)
    let read = file.feed(text.utf8) + file.finish()
    #expect(read.map { $0.findings.map(\.property) } == [[], ["Pet"], ["Shoe"]])
    #expect(read[1].findings.map(\.outcome) == [.kept])
    #expect(read[2].draft[.other].map { $0[.name] } == ["X-PET", "X-SHOE"])
  }

  @Test func `Google's mark of a preferred entry without a label is no label`() {
    let text = "First Name,E-mail 1 - Label,E-mail 1 - Value\nAda,* ,ada@example.com\n"
    var file = ContactFile(format: .csv)
    let read = file.feed(text.utf8) + file.finish()
    #expect(read[0].draft[.emails].map { $0[.label] } == [""])
    #expect(read[0].draft[.emails].map { $0[.preference] } == ["1"])
  }

  @Test(arguments: [
    ("6/5/1984", "1984-06-05"), ("5.6.1984", "1984-06-05"), ("12/31/1999", "1999-12-31"),
    ("13/1/1999", "1999-01-13"), ("1/13.1999", "1/13.1999"), ("6/5/84", "6/5/84"), ("0/0/00", ""),
    ("0/0/0000", ""), ("6/5/99", "6/5/99"), ("6/5/100", "0100-06-05"), ("--06-05", "--06-05"),
    ("1604-06-05", "--06-05"), ("2/30/1999", "2/30/1999"), ("6/5", "6/5"),
  ])
  func `dates of tables are read in the order of their separator`(text: String, date: String) {
    var file = ContactFile(format: .csv)
    let read = file.feed("First Name,Birthday\nAda,\(text)\n".utf8) + file.finish()
    #expect(read.map { $0.draft[.birthday] } == [date])
  }
}
