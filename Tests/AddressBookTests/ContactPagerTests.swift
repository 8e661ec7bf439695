// Lists, pages and searches.

import AddressBook
import Contacts
import DeviceRoom
import DeviceStore
import Records
import Testing

@Suite("A3, C1, C10 lists and search")
struct ContactPagerTests {
  private let device: TestDevice

  init() throws {
    device = try TestDevice(Room(), "laptop", isOnline: false)
    try save("zed", first: "Zed", last: "Adams", company: "Acme", phone: "+1 (555) 010-0199")
    try save("amy", first: "Amy", last: "Bell", company: nil, phone: nil)
    try save("cora", first: "Cora", last: nil, company: nil, phone: nil)
    try save("dunn", first: nil, last: "Dunn", company: nil, phone: nil)
    try save("eco", first: nil, last: nil, company: "Éco Ltd", phone: nil)
  }

  private func save(
    _ id: String, first: String?, last: String?, company: String?, phone: String?
  ) throws {
    var fields = Fields()
    fields["firstName"] = first.map { .string($0) }
    fields["lastName"] = last.map { .string($0) }
    fields["company"] = company.map { .string($0) }
    fields["phones"] = phone.map {
      .entries([
        Entry(
          id: EntryID(1), position: Position(stored: "h"),
          fields: ["label": .string("home"), "value": .string($0)])
      ])
    }
    try device.save(id, fields)
  }

  private func ids(_ query: ContactQuery) throws -> [String] {
    try device.reader.contacts(query).rows.map(\.record.id.name.text)
  }

  @Test func `the five cases come in the promised order, under their letters`() throws {
    let rows = try device.reader.contacts(ContactQuery()).rows
    #expect(rows.map(\.record.id.name.text) == ["zed", "amy", "cora", "dunn", "eco"])
    #expect(rows.map(\.sectionKey) == ["A", "B", "C", "D", "E"])
    #expect(rows.map(\.sortIndex) == [0, 1, 2, 3, 4])
    #expect(rows.first?.displayName == "Zed Adams")
  }

  @Test func `a page of some fields has these, and the same names, letters and places`() throws {
    try device.save(
      "may", ["note": .string("n"), "birthday": .string("1984-06-05"), "nickname": .string("May")])
    for order in ContactOrder.allCases {
      var query = ContactQuery(order: order)
      let whole = try device.reader.contacts(query)
      query.fields = ["note"]
      let some = try device.reader.contacts(query)
      #expect(some.rows.map(\.displayName) == whole.rows.map(\.displayName))
      #expect(some.rows.map(\.sortName) == whole.rows.map(\.sortName))
      #expect(some.rows.map(\.sectionKey) == whole.rows.map(\.sectionKey))
      #expect(some.rows.map(\.record.id) == whole.rows.map(\.record.id))
      #expect(some.rows.map(\.record.version) == whole.rows.map(\.record.version))
      #expect(some.rows.map(\.contact.phones) == whole.rows.map(\.contact.phones))
      let may = try #require(some.rows.first { $0.displayName == "May" })
      #expect(may.contact.note == "n")
      #expect(may.record.fields["birthday"] == nil)
    }
  }

  @Test func `the contacts of a page can be read one by one, until an error`() throws {
    struct Stop: Error {}
    let query = ContactQuery(limit: 3)
    let page = try device.reader.contacts(query)
    var rows: [ContactRow] = []
    let end = try device.reader.forEachContact(query, { $0 }, then: { rows.append($0) })
    #expect(rows == page.rows)
    #expect(end.next == page.next && end.language == page.language)
    let stopping: @Sendable (ContactRow) throws -> ContactRow = { row in
      if row == page.rows[1] { throw Stop() }
      return row
    }
    #expect(throws: Stop.self) {
      _ = try device.reader.forEachContact(query, stopping, then: { rows.append($0) })
    }
    #expect(throws: Stop.self) {
      _ = try device.reader.forEachContact(query, { $0 }, then: { _ = try stopping($0) })
    }
    #expect(try device.reader.contacts(query) == page)
  }

  @Test func `a page that is decoded in several batches is what short pages are`() throws {
    let note = Value.string(String(repeating: "n", count: 30_000))
    for number in 0..<300 {
      var fields: Fields = ["lastName": .string("Berg \(number * 7919 % 1_000)")]
      // More than a batch's bytes before it has all its contacts.
      if number.isMultiple(of: 4) { fields["note"] = note }
      try device.save("c\(number)", fields)
    }
    let whole = try device.reader.contacts(ContactQuery())
    var query = ContactQuery(limit: 40)
    var rows: [ContactRow] = []
    repeat {
      let page = try device.reader.contacts(query)
      rows += page.rows
      query.cursor = page.next
    } while query.cursor != nil
    #expect(whole.rows.count == 305 && whole.next == nil)
    #expect(whole.rows == rows)
  }

  @Test func `pages follow each other without gap or repetition in every order`() throws {
    for order in ContactOrder.allCases {
      var seen: [String] = []
      var query = ContactQuery(order: order, limit: 2)
      repeat {
        let page = try device.reader.contacts(query)
        seen += page.rows.map(\.record.id.name.text)
        query.cursor = page.next
      } while query.cursor != nil
      #expect(Set(seen).count == 5 && seen.count == 5, "\(order)")
    }
  }

  @Test(arguments: [
    ("ada", ["zed"]), ("adams zed", ["zed"]), ("ZE AD", ["zed"]), ("eco", ["eco"]),
    ("5550100199", ["zed"]), ("0199", ["zed"]), ("(555) 010-0199", ["zed"]), ("nobody", []),
    ("\"", []),
  ])
  func `words are found at their beginnings in any order, phones in any form`(
    text: String, expected: [String]
  ) throws {
    #expect(try ids(ContactQuery(text: text)) == expected)
  }

  @Test func `a deleted contact is in no list and no search`() throws {
    try device.delete("zed")
    #expect(try ids(ContactQuery(text: "adams")).isEmpty)
    #expect(try ids(ContactQuery()).count == 4)
    #expect(try device.reader.contactCount() == 4)
  }

  @Test func `a changed contact is found by its new words only`() throws {
    try device.save("amy", ["lastName": .string("Zorn")])
    #expect(try ids(ContactQuery(text: "bell")).isEmpty)
    #expect(try ids(ContactQuery(text: "zorn")) == ["amy"])
    #expect(try ids(ContactQuery()).last == "amy")
  }

  @Test func `a person is found by id, by name and by the beginning of either`() throws {
    func matches(_ text: String) throws -> [String] {
      try device.reader.contacts(matching: text).map(\.record.id.name.text)
    }
    #expect(try matches("amy") == ["amy"])
    #expect(try matches("amy BELL") == ["amy"])
    #expect(try matches("eco ltd") == ["eco"])
    #expect(try matches("zed a") == ["zed"])
    #expect(try matches("d") == ["dunn"])
    #expect(try matches("").isEmpty)
  }

  @Test func `a cursor or limit that makes no sense is refused`() {
    for query in [ContactQuery(cursor: "x"), ContactQuery(limit: 0), ContactQuery(limit: 9999)] {
      let error = #expect(throws: RecordsError.self) { try device.reader.contacts(query) }
      #expect(error?.code == .invalidArguments)
    }
  }
}
