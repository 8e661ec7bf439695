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
