// Every property goes into a record and comes back, and merges of lists have entries to merge.

import Records
import Testing

@testable import Contacts

@Suite("A2, C5, C11 contact and record")
struct ContactRecordTests {
  var generator = SystemRandomNumberGenerator()

  func contact(_ fields: Fields) -> Contact {
    ContactRecord.contact(named: RecordName(stored: "c"), fields: fields)
  }

  /// A draft that says something everywhere.
  static let full: ContactDraft = {
    var draft = ContactDraft()
    for text in ContactText.allCases { draft[text] = "the \(text.rawValue)" }
    draft[.birthday] = "--06-05"
    for list in ContactList.allCases {
      var texts: CaseValues<EntryText, String> = [:]
      for property in list.properties { texts[property] = "its \(property.rawValue)" }
      if list.properties.contains(.preference) { texts[.preference] = "1" }
      draft[list] = [.init(texts: texts), .init(texts: [list.substance[0]: "second"])]
    }
    draft[.other].append(.init(texts: [.name: "SOUND"], content: .inline([1, 2, 3])))
    draft.departments = ["Works", "Night shift"]
    draft.categories = ["Rowing", "Family"]
    draft.isEmergency = true
    draft.photo = ContactPhoto(
      media: .asset(Asset(digest: [UInt8](repeating: 7, count: 32), sizeBytes: 9)),
      mediaType: "image/png")
    return draft
  }()

  mutating func fields(_ draft: ContactDraft, in fields: Fields = Fields()) throws -> Fields {
    try ContactEdit.replacing(contact(fields), with: draft)
      .changes(to: fields, using: &generator).applied(to: fields)
  }

  @Test mutating func `every property comes back from the record`() throws {
    let read = contact(try fields(Self.full))
    var draft = ContactDraft(read)
    for list in ContactList.allCases {
      #expect(draft[list].allSatisfy { $0.id != nil })
      draft[list] = draft[list].map { .init(texts: $0.texts, content: $0.content) }
    }
    #expect(draft == Self.full)
  }

  @Test mutating func `the draft of a contact changes nothing`() throws {
    let fields = try fields(Self.full)
    let edit = ContactEdit.replacing(contact(fields), with: ContactDraft(contact(fields)))
    #expect(edit == ContactEdit())
    #expect(try edit.changes(to: fields, using: &generator).isEmpty)
  }

  @Test mutating func `an empty draft leaves an empty record`() throws {
    let emptied = try fields(ContactDraft(), in: fields(Self.full))
    #expect(emptied.isEmpty)
  }

  @Test mutating func `a draft read again takes the entries that are there`() throws {
    let first = try fields(Self.full)
    var changed = Self.full
    changed[.phones][0][.value] = "another number"
    let second = try fields(changed.matched(to: contact(first)), in: first)
    #expect(contact(second).phones[0].id == contact(first).phones[0].id)
    #expect(contact(second).phones[0].value == "another number")
    #expect(contact(second).addresses == contact(first).addresses)
    #expect(contact(second).other == contact(first).other)
    #expect(try fields(Self.full.matched(to: contact(first)), in: first) == first)
  }

  @Test mutating func `a category has the same entry on every device`() throws {
    var draft = ContactDraft(firstName: "A")
    draft.categories = ["Rowing", "Rowing", " Family "]
    let here = try fields(draft)
    let there = try fields(draft)
    #expect(here == there)
    #expect(contact(here).categories == ["Rowing", "Family"])
  }

  @Test mutating func `a typed date is kept in one form, an odd one as it came`() throws {
    var edit = ContactEdit()
    edit[.birthday] = "19840605"
    edit[.anniversary] = "around 1990"
    edit[.dates] = [.add(label: "first boat", value: "--0607")]
    let read = contact(try edit.changes(to: Fields(), using: &generator).applied(to: Fields()))
    #expect(read.birthday == "1984-06-05")
    #expect(read.anniversary == "around 1990")
    #expect(read.dates.map(\.value) == ["--06-07"])
  }

  @Test mutating func `an entry is changed in what is named only`() throws {
    let before = try fields(Self.full)
    let id = contact(before).addresses[0].id
    var edit = ContactEdit()
    edit[.addresses] = [.update(id, [.city: "Malmö", .preference: ""])]
    let after = contact(try edit.changes(to: before, using: &generator).applied(to: before))
    var expected = contact(before).addresses[0]
    expected.city = "Malmö"
    expected.details.preference = nil
    #expect(after.addresses[0] == expected)
  }
}
