// The states a picker shows, and what is kept of one that was typed.

import Records
import Testing

@testable import Contacts

@Suite("V5 states")
struct USStateTests {
  @Test func `there are fifty states, the district, five territories and three of the forces`() {
    #expect(USState.all.count == 59)
    #expect(Set(USState.all.map(\.abbreviation)).count == 59)
    #expect(Set(USState.all.map(\.name)).count == 59)
    for abbreviation in ["TX", "DC", "PR", "GU", "AS", "MP", "VI", "AA", "AE", "AP"] {
      #expect(USState.all.contains { $0.abbreviation == abbreviation })
    }
    #expect(USState.all.allSatisfy { $0.abbreviation.utf8.count == 2 && $0.name.count > 3 })
  }

  @Test(
    arguments: [
      ("TX", "TX"), ("tx", "TX"), ("Texas", "TX"), ("tEXAS", "TX"), ("  texas ", "TX"),
      ("new  york", "NY"), ("District of Columbia", "DC"), ("u.s. virgin islands", "VI"),
      ("armed forces pacific", "AP"), ("Texa", nil), ("", nil), ("T X", nil), ("Bayern", nil),
    ] as [(String, String?)])
  func `a state is known by its name or its abbreviation, in any case`(
    typed: String, abbreviation: String?
  ) {
    #expect(USState(named: typed)?.abbreviation == abbreviation)
  }

  @Test(
    arguments: [
      ("Texas", "", "TX"), ("texas", "usa", "TX"), ("ca", "United States", "CA"),
      ("Georgia", "Georgia", "Georgia"), ("Bayern", "", "Bayern"), ("WA", "Australia", "WA"),
    ])
  func `what is kept is the abbreviation, of a US address only`(
    typed: String, country: String, kept: String
  ) {
    #expect(USState.stored(typed, country: country) == kept)
  }

  @Test func `a state is stored as its abbreviation if the country is the United States`() {
    var contact = Contact(id: RecordName(stored: "c"))
    var abroad = PostalAddress(id: EntryID(1), position: .between(nil, nil))
    abroad.country = "Australia"
    contact.addresses = [abroad]
    var edit = ContactEdit()
    edit[.addresses] = [
      .insert([.state: "texas"]), .insert([.state: "Victoria", .country: "Australia"]),
      .update(EntryID(1), [.state: "WA"]),
      .update(EntryID(1), [.state: "washington", .country: "USA"]), .remove(EntryID(1)),
    ]
    #expect(
      edit.abbreviatingStates(of: contact)[.addresses] == [
        .insert([.state: "TX"]), .insert([.state: "Victoria", .country: "Australia"]),
        .update(EntryID(1), [.state: "WA"]),
        .update(EntryID(1), [.state: "WA", .country: "USA"]), .remove(EntryID(1)),
      ])
  }
}
