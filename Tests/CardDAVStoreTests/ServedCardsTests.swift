import CardDAV
import ContactCards
import Contacts
import DeviceRoom
import DeviceStore
import Records
import Testing

@testable import CardDAVStore

@Suite("D3 cards that clients know")
struct ServedCardsTests {
  /// A client of a password reads the card of a record.
  private func serve(
    _ record: String, to password: String = "phone", on device: CardDevice,
    at now: Timestamp = Room.now
  ) throws {
    let card = try #require(try device.card(record))
    let id = try #require(try device.password(password)).id
    try device.edit(at: now) { edit in
      try ServedCards(edit.transaction.db).note([card], toPassword: id, now: now)
    }
  }

  /// The notes of the cards that a password's clients know, the latest last.
  private func known(
    _ record: String, to password: String = "phone", on device: CardDevice
  ) throws -> [String] {
    let card = try #require(try device.card(record))
    let id = try #require(try device.password(password)).id
    return try device.read { db in
      let (fields, _) = try #require(try CardResources(db).content(of: card))
      let contact = ContactRecord.contact(named: card.id.name, fields: fields)
      return try ServedCards(db).cards(
        ofRecord: card.row, toPassword: id, present: ServedCard.card(of: contact))
    }.map { card in card.properties.first { $0.key == "NOTE" }?.value ?? "" }
  }

  private func isOutdated(
    _ record: String, to password: String = "phone", on device: CardDevice
  ) throws -> Bool {
    let card = try #require(try device.card(record))
    let id = try #require(try device.password(password)).id
    return try device.read { try ServedCards($0).isOutdated(card.row, toPassword: id) }
  }

  private func change(
    _ record: String, to note: String, on device: CardDevice, at now: Timestamp = Room.now
  ) throws {
    try device.save(record, at: now) { $0[.note] = note }
  }

  @Test func `the card that a client read is copied when the record moves on`() throws {
    let device = try CardDevice()
    try change("ada", to: "one", on: device)
    #expect(try known("ada", on: device).isEmpty)
    try serve("ada", on: device)
    #expect(try known("ada", on: device) == ["one"])
    #expect(try device.count("dav_card") == 0)
    try change("ada", to: "two", on: device)
    #expect(try known("ada", on: device) == ["one"])
    #expect(try device.count("dav_card") == 1)
    // Nobody has read the second one, so it is not copied.
    try change("ada", to: "three", on: device)
    #expect(try known("ada", on: device) == ["one"])
    try serve("ada", on: device)
    #expect(try known("ada", on: device) == ["one", "three"])
  }

  @Test func `passwords share a copy, and each has its own list`() throws {
    let device = try CardDevice(passwords: ["phone", "tablet"])
    try change("ada", to: "one", on: device)
    try serve("ada", on: device)
    try serve("ada", to: "tablet", on: device)
    try change("ada", to: "two", on: device)
    try serve("ada", to: "tablet", on: device)
    #expect(try device.count("dav_card") == 1)
    #expect(try known("ada", on: device) == ["one"])
    #expect(try known("ada", to: "tablet", on: device) == ["one", "two"])
    #expect(try isOutdated("ada", on: device))
    #expect(try !isOutdated("ada", to: "tablet", on: device))
  }

  @Test func `a card that no client has read is not outdated`() throws {
    let device = try CardDevice()
    try change("ada", to: "one", on: device)
    #expect(try !isOutdated("ada", on: device))
    try serve("ada", on: device)
    #expect(try !isOutdated("ada", on: device))
    try change("ada", to: "two", on: device)
    #expect(try isOutdated("ada", on: device))
  }

  @Test func `a card that changed while it was read is not noted as the present one`() throws {
    let device = try CardDevice()
    try change("ada", to: "one", on: device)
    let read = try #require(try device.card("ada"))
    try change("ada", to: "two", on: device)
    let id = try #require(try device.password()).id
    try device.edit { edit in
      try ServedCards(edit.transaction.db).note([read], toPassword: id, now: Room.now)
    }
    #expect(try known("ada", on: device).isEmpty)
    #expect(try device.read { try ServedCards($0).unknown([read], toPassword: id) } == [read])
  }

  @Test func `the number of versions is bounded, and the latest ones stay`() throws {
    let device = try CardDevice()
    for number in 0..<20 {
      try change("ada", to: "v\(number)", on: device)
      try serve("ada", on: device)
    }
    #expect(try known("ada", on: device) == (11...19).map { "v\($0)" })
  }

  @Test func `a copy that no password needs any more is deleted`() throws {
    let device = try CardDevice(passwords: ["phone", "tablet"])
    try change("ada", to: "one", on: device)
    try serve("ada", to: "tablet", on: device)
    try change("ada", to: "two", on: device)
    try device.remove(password: "tablet")
    #expect(try device.count("dav_base") == 0)
    try device.expire(at: Room.now.adding(seconds: CardDevice.day))
    #expect(try device.count("dav_card") == 0)
  }

  @Test func `a card that was read long ago is remembered from the day on which it is replaced`()
    throws
  {
    let device = try CardDevice(passwords: ["phone"])
    let phone = try #require(try device.password())
    try change("ada", to: "one", on: device)
    try serve("ada", on: device)
    let late = Room.now.adding(seconds: 300 * CardDevice.day)
    try device.edit(at: late) { edit in
      try AppPasswordTable(edit.transaction.db).noteUse(of: phone, now: late)
    }
    try device.save("ada", at: late) { $0[.note] = "two" }
    try device.expire(at: late)
    #expect(try known("ada", on: device) == ["one"])
  }

  @Test
  func `a former card is forgotten after 180 days, and the present one of a used password not`()
    throws
  {
    let device = try CardDevice(passwords: ["phone", "tablet"])
    let phone = try #require(try device.password())
    try change("ada", to: "one", on: device)
    try serve("ada", on: device)
    try change("ada", to: "two", on: device)
    try serve("ada", on: device)
    try serve("ada", to: "tablet", on: device)
    let early = Room.now.adding(seconds: 179 * CardDevice.day)
    try device.edit(at: early) { edit in
      try AppPasswordTable(edit.transaction.db).noteUse(of: phone, now: early)
    }
    try device.save("bob", at: early) { $0[.note] = "x" }
    try device.expire(at: early)
    #expect(try known("ada", on: device) == ["one", "two"])
    let late = Room.now.adding(seconds: 182 * CardDevice.day)
    try device.save("bob", at: late) { $0[.note] = "y" }
    try device.expire(at: late)
    #expect(try known("ada", on: device) == ["two"])
    #expect(try known("ada", to: "tablet", on: device).isEmpty)
    #expect(try device.count("dav_card") == 0)
  }
}
