import Contacts
import Testing

@testable import ContactCards

@Suite("A2, F1 labels and types")
struct EntryLabelTests {
  private static let phones = [
    "mobile": ["cell"], "home fax": ["home", "fax"], "work fax": ["work", "fax"], "fax": ["fax"],
    "pager": ["pager"], "main": ["main"], "car": ["car"], "home": ["home"], "work": ["work"],
    "other": ["other"],
  ]

  @Test func `the types of a label are read as the label, with further ones beside it`() {
    for (label, types) in Self.phones {
      #expect(EntryLabel.types(of: label, .phones) == types)
      for order in [types, types.reversed()] {
        for further in [[], ["voice"], ["msg", "X-Slow"]] {
          let read = EntryLabel.read(further + order, .phones)
          #expect(read.label == label, "\(label)")
          #expect(read.kinds == further, "\(label)")
        }
      }
    }
    for list in [ContactList.emails, .addresses, .urls, .instantMessages] {
      for label in ["home", "work", "other"] {
        #expect(EntryLabel.types(of: label, list) == [label])
        #expect(EntryLabel.read([label, "fax"], list).label == label)
      }
      #expect(EntryLabel.types(of: "mobile", list) == nil)
    }
  }

  @Test(arguments: ContactList.allCases)
  func `no label needs no types, a label of a person's own has none`(list: ContactList) {
    #expect(EntryLabel.types(of: "", list) == [])
    #expect(EntryLabel.types(of: "Boat", list) == nil)
    #expect(EntryLabel.read([], list).label == "")
    let read = EntryLabel.read(["voice", "X-Slow"], list)
    #expect(read.label == "" && read.kinds == ["voice", "X-Slow"])
  }

  @Test(arguments: [
    ("TEL;X-Jetty:1", "Jetty"), ("TEL;HOME;X-Jetty:1", "home"),
    ("TEL;X-CUSTOM(Boat house):1", "Boat house"),
    ("TEL;X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,=E6=B5=B7):1", "海"),
    ("TEL;TYPE=X-CUSTOM(CHARSET=UTF-8,ENCODING=QUOTED-PRINTABLE,=42=6F):1", "Bo"),
    ("TEL;TYPE=x-boat:1", "boat"), ("TEL;TYPE=x-:1", ""), ("TEL;TYPE=\"X-Boat,voice\":1", "Boat"),
    ("TEL;TYPE=HOME\\,FAX:1", "home fax"), ("TEL;TYPE=X-CUSTOM(:1", "CUSTOM("),
    ("item1.TEL;TYPE=x-test_type:1\r\nitem1.X-ABLABEL:Test Type", "Test Type"),
  ])
  func `a type of a person's own is a label, also as phones encode it`(line: String, label: String)
  {
    let phone = contact(card("N:Roe;;;;", "FN:Roe", line)).draft[.phones][0]
    #expect(phone[.label] == label)
    #expect(phone[.value] == "1")
    let isOther = ["home", ""].contains(label)
    #expect(isOther || !phone[.kinds].lowercased().contains("x-"), "\(phone[.kinds])")
  }

  @Test func `an encoded type beside another label is kept as a plain one`() {
    let phone = contact(card("N:Roe;;;;", "FN:Roe", "TEL;HOME;X-CUSTOM(Boat):1")).draft[.phones][0]
    #expect(phone[.label] == "home" && phone[.kinds] == "X-Boat")
  }

  @Test(arguments: [
    ("Jetty", "X-Jetty"), ("Test Type", "X-Test-Type"), ("test_type", "X-test_type"), ("海", nil),
    ("a,b", nil), ("mobile", "CELL"),
  ])
  func `a file has a label of a person's own in the forms of Apple and Android`(
    label: String, type: String?
  ) throws {
    var imported = contact(card("N:Roe;;;;", "FN:Roe", "TEL:1"))
    imported.draft[.phones][0][.label] = label
    let roe = try kept(imported)
    for version in [CardVersion.three, .four] {
      let composer = CardComposer(version: version, isForFile: true)
      let made = composer.card(of: roe) { _ in nil }
      var bytes: [UInt8] = []
      CardWriter.write(made, to: &bytes)
      let text = String(decoding: bytes, as: UTF8.self)
      let phone = try #require(made.properties.first { $0.name == "TEL" })
      #expect(phone.value(of: "TYPE")?.lowercased() == type?.lowercased())
      #expect(text.contains("X-ABLabel") == (label != "mobile"))
      let again = contact(text).draft[.phones]
      #expect(again.map { $0[.label] } == [label] && again.allSatisfy { $0[.kinds].isEmpty })
    }
  }

  @Test(arguments: [
    ("CELL", "cell"), ("Voice", "voice"), ("X-Slow", "X-Slow"), ("spouse", "spouse"),
    ("PREF", "pref"),
    ("Cellular", "Cellular"), ("", ""),
  ])
  func `a known type has small letters, another stays`(text: String, type: String) {
    #expect(EntryLabel.type(text) == type)
  }

  @Test(arguments: [
    ("Anniversary", "anniversary"), ("Spouse", "spouse"), ("Home Fax", "home fax"),
    ("Boat", "Boat"), ("", ""),
  ])
  func `a usual label of a table has small letters, another stays`(text: String, label: String) {
    #expect(CSVColumn.label(text) == label)
  }

  @Test func `Apple's labels become words and are written as Apple's again`() {
    for label in ["mobile", "home fax", "other fax", "homepage", "school", "brother", "manager"] {
      let apple = EntryLabel.toApple(label)
      #expect(apple.hasPrefix("_$!<") && apple.hasSuffix(">!$_"))
      #expect(EntryLabel.fromApple(apple) == label)
    }
    for other in ["Boat", "_$!<Nothing>!$_", "_$!<Home", "Home>!$_", "_$!<home>!$_", ""] {
      #expect(EntryLabel.fromApple(other) == other)
      #expect(EntryLabel.toApple(other) == other)
    }
  }
}
