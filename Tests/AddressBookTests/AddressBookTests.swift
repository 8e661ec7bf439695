// Random edits of contacts and groups. Afterwards the lists, headings, counts and searches must be those of a model
// that keeps the contacts in a dictionary and sorts them with Swift's comparison of strings.

import AddressBook
import DeviceRoom
import DeviceStore
import PredicateWorld
import Records
import Testing

@Suite("A2, A3, C10 lists after random edits")
struct AddressBookTests {
  @Test(arguments: 0..<6 as Range<UInt64>)
  func `lists, headings, counts and searches agree with the contacts`(seed: UInt64) throws {
    var world = try ListWorld(seed: seed)
    for _ in 0..<40 { try world.step() }
    try world.expectAgreement()
    try world.restart()
    for _ in 0..<10 { try world.step() }
    try world.expectAgreement()
  }

  @Test func `records of other types and of the public database are in no list`() throws {
    let device = try TestDevice(Room(), "laptop", isOnline: false, hasTimeline: true)
    let fields: Fields = ["lastName": .string("Adams")]
    try device.save("a", fields, in: .public)
    let note = LocalEdit.RecordSave(
      id: RecordID(zone: .standard, name: RecordName(stored: "b")),
      type: RecordType(stored: "Note"), changes: FieldChanges(set: fields))
    try device.edit([.save(note)])
    #expect(try device.fields("a", in: .public) == fields)
    #expect(try device.reader.contacts(ContactQuery()).rows.isEmpty)
    #expect(try device.reader.contacts(ContactQuery(text: "adams")).rows.isEmpty)
    #expect(try device.reader.contactCount() == 0)
  }

  @Test func `a change from the other device is in the lists, with its heading`() throws {
    let room = Room()
    let laptop = try TestDevice(room, "laptop")
    let phone = try TestDevice(room, "phone")
    try laptop.save("a", ["lastName": .string("Adams")])
    try phone.save("a", ["lastName": .string("Zimmer")])
    for device in [laptop, phone] {
      let rows = try device.reader.contacts(ContactQuery()).rows
      #expect(rows.map(\.displayName) == ["Zimmer"])
      #expect(rows.map(\.sectionKey) == ["Z"])
      #expect(try device.reader.sections(.last).map(\.label) == ["Z"])
      #expect(try device.reader.contacts(ContactQuery(text: "adams")).rows.isEmpty)
    }
  }
}

/// A device without a connection, and the contacts that it must show.
private struct ListWorld {
  /// A contact of the model. Its names are unique, of three letters after the first, in ASCII.
  private struct Person {
    var first: String
    var last: String
    let zone: ZoneID
  }

  private static let letters = Array("abcdefghijklmnopqrstuvwxyz")

  private let seed: UInt64
  private let device: TestDevice
  private var generator: SeededGenerator
  private var people: [String: Person] = [:]
  private var zones: [ZoneID] = [.standard]
  private var count = 0

  init(seed: UInt64) throws {
    self.seed = seed
    generator = SeededGenerator(seed: seed)
    device = try TestDevice(Room(), "laptop", isOnline: false)
  }

  mutating func restart() throws { try device.restart() }

  mutating func step() throws {
    switch generator.below(12) {
    case 0..<6: try save(nil)
    case 6..<8: try save(people.keys.sorted().randomElement(using: &generator))
    case 8..<10: try delete()
    case 10: try createZone()
    default: try deleteZone()
    }
  }

  /// Saves a new contact, or changes one name of the contact `id`.
  private mutating func save(_ id: String?) throws {
    guard let id, var person = people[id] else {
      count += 1
      return try store(
        "c\(count)",
        Person(first: newName(), last: newName(), zone: generator.one(of: zones)))
    }
    if generator.percent(50) { person.first = newName() } else { person.last = newName() }
    try store(id, person)
  }

  private mutating func store(_ id: String, _ person: Person) throws {
    let fields: Fields = ["firstName": .string(person.first), "lastName": .string(person.last)]
    try device.save(id, fields, in: person.zone)
    people[id] = person
  }

  private mutating func delete() throws {
    guard let id = people.keys.sorted().randomElement(using: &generator), let person = people[id]
    else { return }
    try device.delete(id, in: person.zone)
    people[id] = nil
  }

  private mutating func createZone() throws {
    count += 1
    let zone = ZoneID(name: ZoneName(UInt128(count)))
    try device.edit([.createZone(zone, title: "Group \(count)")])
    zones.append(zone)
  }

  private mutating func deleteZone() throws {
    guard let zone = zones.dropFirst().randomElement(using: &generator) else { return }
    try device.edit([.deleteZone(zone)])
    zones.removeAll { $0 == zone }
    people = people.filter { $0.value.zone != zone }
  }

  private mutating func newName() -> String {
    count += 1
    let initial = generator.one(of: Self.letters).uppercased()
    let suffix = [count / 676 % 26, count / 26 % 26, count % 26].map { Self.letters[$0] }
    return initial + String(suffix)
  }

  // MARK: What must hold

  func expectAgreement() throws {
    for zone in [nil] + zones.map(Optional.some) {
      try expectLists(of: zone)
      try expectSearches(in: zone)
    }
    #expect(try device.reader.contactCount() == people.count, "seed \(seed)")
    let counts = try device.reader.groups().map { [$0.zone: $0.contacts] }
    #expect(
      Set(counts) == Set(zones.map { zone in [zone: expected(zone, by: \.last).count] }),
      "seed \(seed)")
    #expect(try device.reader.findings() == [], "seed \(seed)")
  }

  private func expectLists(of zone: ZoneID?) throws {
    let orders: [(ContactOrder, KeyPath<Person, String>)] = [(.last, \.last), (.first, \.first)]
    for (order, key) in orders {
      let expected = expected(zone, by: key)
      let rows = try rows(ContactQuery(order: order, zone: zone, limit: 7))
      #expect(rows.map(\.record.id.name.text) == expected.map(\.id), "seed \(seed), \(order)")
      #expect(rows.map(\.sortIndex) == Array(0..<expected.count), "seed \(seed), \(order)")
      let initials = expected.map { String($0.person[keyPath: key].prefix(1)) }
      #expect(rows.map(\.sectionKey) == initials, "seed \(seed), \(order)")
      let sections = try device.reader.sections(order, zone: zone)
      #expect(sections.map(\.label) == Set(initials).sorted(), "seed \(seed), \(order)")
      for section in sections {
        #expect(section.contacts == initials.count { $0 == section.label }, "seed \(seed)")
        #expect(section.start == initials.firstIndex(of: section.label), "seed \(seed)")
      }
    }
  }

  private func expectSearches(in zone: ZoneID?) throws {
    for letter in "abkmxz" {
      let text = String(letter)
      let found = try rows(ContactQuery(zone: zone, text: text, limit: 5))
      let expected = expected(zone, by: \.last).filter { _, person in
        [person.first, person.last].contains { $0.lowercased().hasPrefix(text) }
      }
      #expect(
        found.map(\.record.id.name.text) == expected.map(\.id), "seed \(seed), text \(text)")
    }
  }

  private func expected(
    _ zone: ZoneID?, by key: KeyPath<Person, String>
  ) -> [(id: String, person: Person)] {
    people.filter { zone == nil || $0.value.zone == zone }
      .map { (id: $0.key, person: $0.value) }
      .sorted { $0.person[keyPath: key] < $1.person[keyPath: key] }
  }

  private func rows(_ query: ContactQuery) throws -> [ContactRow] {
    var query = query
    var rows: [ContactRow] = []
    repeat {
      let page = try device.reader.contacts(query)
      rows += page.rows
      query.cursor = page.next
    } while query.cursor != nil && rows.count < 1000
    return rows
  }
}
