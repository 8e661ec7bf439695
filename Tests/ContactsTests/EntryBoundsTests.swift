// Contacts with very many entries: refused before any work, and no slower per entry than small ones.

import Records
import Testing

@testable import Contacts

@Suite("I16 entries of a contact have a bound")
struct EntryBoundsTests {
  private var generator = SystemRandomNumberGenerator()

  private static func edit(adding count: Int) -> ContactEdit {
    ContactEdit(
      firstName: "Amy", phones: (0..<count).map { .add(label: "p\($0)", value: "\($0)") })
  }

  private static func edit(categories: [String]) -> ContactEdit {
    var edit = ContactEdit()
    edit.categories = categories
    return edit
  }

  @Test mutating func `a contact of 5,000 phones is refused within 200 ms`() throws {
    let edit = Self.edit(adding: 5000)
    let start = ContinuousClock.now
    let error = #expect(throws: RecordsError.self) {
      try edit.changes(to: Fields(), using: &generator)
    }
    #expect(error?.code == .limitExceeded && error?.field == "phones")
    #expect(ContinuousClock.now - start < .milliseconds(200))
  }

  @Test mutating func `as many as may be are taken, in order, and fit a record`() throws {
    let edit = Self.edit(adding: 1000)
    let fields = try edit.changes(to: Fields(), using: &generator).applied(to: Fields())
    let entries = ContactRecord.entries(fields["phones"])
    #expect(entries.sorted(by: Entry.precedes).map(\.id) == entries.map(\.id))
    #expect(Set(entries.map(\.position)).count == 1000)
    #expect(entries.map(\.position.text.utf8.count).max() ?? .max <= 4)
    #expect(EncodedRecord(fields).bytes.count < 100_000)
    let one = ContactEdit(phones: [.add(label: "", value: "1")])
    #expect(throws: RecordsError.self) { try one.changes(to: fields, using: &generator) }
    let replaced = ContactEdit(phones: [.remove(entries[0].id), .add(label: "", value: "1")])
    #expect(try !replaced.changes(to: fields, using: &generator).isEmpty)
  }

  @Test mutating func `a contact that came with more can be changed, and made smaller`() throws {
    let entries = (0..<3000).map { index in
      Entry(
        id: EntryID(UInt128(index + 2)), position: Position(stored: "V\(index + 1000)V"),
        fields: ["value": .string("\(index)")])
    }
    let fields: Fields = ["phones": .entries(entries), "firstName": .string("Amy")]
    let edit = ContactEdit(
      firstName: "Bea",
      phones: [.change(entries[7].id, label: "x", value: nil), .remove(entries[9].id)])
    let after = try edit.changes(to: fields, using: &generator).applied(to: fields)
    #expect(ContactRecord.entries(after["phones"]).count == 2999)
    let contact = ContactRecord.contact(named: RecordName(stored: "a"), fields: fields)
    let start = ContinuousClock.now
    #expect(ContactEdit.replacing(contact, with: ContactDraft(contact)).lists.isEmpty)
    _ = ContactDraft(contact).matched(to: contact)
    #expect(ContinuousClock.now - start < .seconds(1))
  }

  @Test mutating func `1,000 categories are accepted, and more are rejected`() throws {
    let words = (0..<1001).map { "c\($0)" }
    let error = #expect(throws: RecordsError.self) {
      try Self.edit(categories: words).changes(to: Fields(), using: &generator)
    }
    #expect(error?.code == .limitExceeded && error?.field == "categories")
    let edit = Self.edit(categories: words.dropLast() + [" c7 ", ""])
    let fields = try edit.changes(to: Fields(), using: &generator).applied(to: Fields())
    let entries = ContactRecord.entries(fields["categories"])
    #expect(
      entries.sorted(by: Entry.precedes).map { ContactRecord.text($0.fields["value"]) }
        == words.dropLast())
    let fewer = Self.edit(categories: ["new", "c7"])
    let after = try fewer.changes(to: fields, using: &generator).applied(to: fields)
    let left = ContactRecord.entries(after["categories"]).sorted(by: Entry.precedes)
    #expect(left.map { ContactRecord.text($0.fields["value"]) } == ["c7", "new"])
    #expect(left[0] == entries.first { ContactRecord.text($0.fields["value"]) == "c7" })
  }

  @Test func `spaced positions are in order after any other`() {
    for left in [nil, "V", "z", "zzzV"].map({ $0.map { Position(stored: $0) } }) {
      for count in [1, 61, 62, 63, 5000] {
        let positions = Position.spaced(count, after: left)
        #expect(positions.count == count && positions == positions.sorted())
        #expect(Set(positions).count == count)
        if let left { #expect(positions.allSatisfy { left < $0 }) }
        let last = positions[count - 1]
        #expect(last < .between(last, nil) && Position.between(left, positions[0]) < positions[0])
      }
    }
  }

  @Test func `ids by content differ within a list and are the same on every device`() {
    let says: Fields = ["value": .string("1")]
    let first = DerivedEntryID.byContent(.phones, says, [])
    #expect(first == DerivedEntryID.byContent(.phones, says, [EntryID(9)]))
    #expect(first != DerivedEntryID.byContent(.emails, says, []))
    let second = DerivedEntryID.byContent(.phones, says, [first])
    #expect(second != first && second == DerivedEntryID.byContent(.phones, says, [first]))
  }
}
