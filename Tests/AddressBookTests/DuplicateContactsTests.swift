// Pairs of contacts that are probably one person. The judgement of a pair is tested in ContactsTests.

import AddressBook
import Contacts
import DeviceRoom
import DeviceStore
import Records
import Testing

@Suite("Duplicates among the contacts")
struct DuplicateContactsTests {
  private let room = Room()

  private func fields(_ last: String, phone: String? = nil, email: String? = nil) -> Fields {
    var fields: Fields = ["firstName": .string("Amy"), "lastName": .string(last)]
    fields["phones"] = phone.map(Self.entries)
    fields["emails"] = email.map(Self.entries)
    return fields
  }

  private static func entries(_ value: String) -> Value {
    .entries([
      Entry(id: EntryID(1), position: Position(stored: "h"), fields: ["value": .string(value)])
    ])
  }

  private func pairs(_ device: TestDevice, limit: Int = 100) throws -> [String] {
    try device.reader.duplicates(limit: limit).map {
      "\($0.first.id.name.text) \($0.second.id.name.text)"
    }
  }

  @Test func `the strongest pair is first, and the older contact of each`() throws {
    let laptop = try TestDevice(room, "laptop", isOnline: false)
    try laptop.save("b1", fields("Bell", phone: "+15550100199"))
    try laptop.save("c1", fields("Cole", email: "cole@example.com"))
    try laptop.save("a", fields("Adams", email: "adams@example.com"))
    try laptop.save("b2", fields("Bell", phone: "+15550100199"))
    try laptop.save("c2", fields("Cole", email: "cole@example.com"))
    #expect(try pairs(laptop) == ["c1 c2", "b1 b2"])
    #expect(try pairs(laptop, limit: 1) == ["c1 c2"])
    let found = try #require(try laptop.reader.duplicates(limit: 1).first)
    #expect(found.first.title == "Amy Cole" && found.second.title == "Amy Cole")
    #expect(found.judgement.reasons.map(\.fact).contains(.email))
  }

  @Test func `a pair is gone once one of them is deleted or differs`() throws {
    let laptop = try TestDevice(room, "laptop", isOnline: false)
    for name in ["b1", "b2", "b3"] {
      try laptop.save(name, fields("Bell", email: "bell@example.com"))
    }
    #expect(try Set(pairs(laptop)) == ["b1 b2", "b1 b3", "b2 b3"])
    try laptop.delete("b1")
    #expect(try pairs(laptop) == ["b2 b3"])
    try laptop.save("b3", fields("Zimmer", email: "zimmer@example.com"))
    #expect(try pairs(laptop).isEmpty)
  }

  @Test(arguments: [true, false])
  func `contacts of a group are compared only if they can be changed`(isWritable: Bool) throws {
    let zone = ZoneID(owner: AccountID(0xB0B), name: ZoneName(7))
    room.broker.share(zone, title: "Rowing", owner: "bob", isWritable: isWritable)
    let both = fields("Bell", email: "bell@example.com")
    room.broker.put("theirs", both, type: ContactRecord.type, in: zone)
    let laptop = try TestDevice(room, "laptop")
    #expect(try laptop.fields("theirs", in: zone) == both)
    try laptop.save("mine", both)
    #expect(try laptop.reader.duplicates(limit: 10).count == (isWritable ? 1 : 0))
  }
}
