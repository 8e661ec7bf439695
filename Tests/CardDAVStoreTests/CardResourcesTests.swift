import CardDAV
import Contacts
import DeviceRoom
import DeviceStore
import Foundation
import Records
import Testing

@testable import CardDAVStore

@Suite("D2 cards as resources")
struct CardResourcesTests {
  private func name(
    _ record: String, _ name: String, on device: CardDevice, in zone: ZoneID = .standard
  ) throws {
    try device.edit { edit in
      try CardResources(edit.transaction.db).name(
        RecordID(zone: zone, name: RecordName(stored: record)), name)
    }
  }

  // MARK: Names

  @Test func `a card that no client has named is called by its record`() throws {
    let device = try CardDevice()
    try device.save("ada") { $0[.lastName] = "Lovelace" }
    #expect(try device.card("ada")?.name == "ada.vcf")
    #expect(try device.card(named: "ada.vcf")?.id.name.text == "ada")
    for other in ["ada", "Ada.vcf", "ada.VCF", ".vcf", "", "ada.vcf.vcf"] {
      #expect(try device.card(named: other) == nil, "\(other)")
    }
  }

  @Test func `a card has one name: the one that a client chose`() throws {
    let device = try CardDevice()
    try device.save("ada") { $0[.lastName] = "Lovelace" }
    try name("ada", "Größe 1/2 €.txt", on: device)
    #expect(try device.card(named: "Größe 1/2 €.txt")?.id.name.text == "ada")
    #expect(try device.card(named: "ada.vcf") == nil)
    try name("ada", "ada.vcf", on: device)
    #expect(try device.card(named: "ada.vcf")?.id.name.text == "ada")
    #expect(try device.count("dav_name") == 0)
  }

  @Test func `a name belongs to one card of a book`() throws {
    let device = try CardDevice()
    let zone = ZoneID(name: ZoneName(9))
    try device.edit { try $0.apply([.createZone(zone, title: "Club")]) }
    for place in [ZoneID.standard, zone] {
      try device.save("ada", in: place) { $0[.lastName] = "A" }
      try name("ada", "x", on: device, in: place)
    }
    #expect(try device.card(named: "x")?.id.zone == .standard)
    #expect(try device.card(named: "x", in: zone)?.id.zone == zone)
  }

  @Test func `the name of a deleted card is listed with its deletion, and can be used again`()
    throws
  {
    let device = try CardDevice()
    try device.save("ada") { $0[.lastName] = "A" }
    try name("ada", "x", on: device)
    let token = try device.changes().token.text
    try device.delete("ada")
    #expect(try device.card(named: "x") == nil)
    #expect(try device.changes(since: token).gone == ["x"])
    try device.save("bob") { $0[.lastName] = "B" }
    try name("bob", "x", on: device)
    #expect(try device.card(named: "x")?.id.name.text == "bob")
    // The client that has the former card gets the new one at its address.
    #expect(try device.changes(since: token).names == ["x"])
    #expect(try !device.changes(since: token).gone.contains("x"))
  }

  @Test func `a name that a client gave to another card does not hide the record of this name`()
    throws
  {
    let device = try CardDevice()
    try device.save("ada") { $0[.lastName] = "A" }
    try name("ada", "bob.vcf", on: device)
    try device.save("bob") { $0[.lastName] = "B" }
    let cards = try device.changes().cards
    #expect(cards.count == 2 && Set(cards.map(\.name)).count == 2)
    for card in cards { #expect(try device.card(named: card.name)?.id == card.id) }
  }

  // MARK: Tags

  @Test func `a tag is quoted, and another one after each change`() throws {
    let device = try CardDevice()
    try device.save("ada") { $0[.lastName] = "A" }
    var tags = Set<String>()
    for number in 0..<5 {
      try device.save("ada") { $0[.note] = "\(number)" }
      tags.insert(try #require(try device.card("ada")).tag)
    }
    #expect(tags.count == 5)
    #expect(tags.allSatisfy { $0.hasPrefix("\"") && $0.hasSuffix("\"") && $0.count > 4 })
  }

  @Test func `a tag stays while the card does: at the broker's confirmation and at other changes`()
    throws
  {
    let device = try CardDevice(isOnline: false)
    try device.save("ada") { $0[.lastName] = "A" }
    let before = try #require(try device.card("ada"))
    let modified = try device.read { try CardResources($0).content(of: before)?.modified }
    try device.device.goOnline()
    try device.save("bob") { $0[.lastName] = "B" }
    try device.save("ada") { $0[.lastName] = "A" }
    let after = try #require(try device.card("ada"))
    #expect(after.tag == before.tag)
    // REV is part of the card.
    #expect(try device.read { try CardResources($0).content(of: after)?.modified } == modified)
  }

  @Test func `a card that comes back has another tag than before`() throws {
    let device = try CardDevice()
    try device.save("ada") { $0[.lastName] = "A" }
    let before = try #require(try device.card("ada")).tag
    try device.delete("ada")
    try device.save("ada") { $0[.lastName] = "A" }
    #expect(try #require(try device.card("ada")).tag != before)
  }

  @Test func `a picture that arrives later changes the tag and is listed`() throws {
    let room = Room()
    let device = try CardDevice(room: room, isOnline: true)
    // Larger than what is fetched without being requested.
    let photo = room.broker.assets.hold(Array(repeating: 7, count: (2 << 20) + 1))
    room.broker.put(
      "ada", ["photo": .asset(photo)], type: ContactRecord.type,
      in: ZoneID.standard.resolved(for: room.broker.account))
    try device.device.goOffline()
    try device.device.goOnline()
    let before = try #require(try device.card("ada"))
    let token = try device.changes().token.text
    #expect(try !device.device.reader.isHere(photo))
    try device.device.perform(device.device.replica.arrived([photo], now: Room.now))
    #expect(try device.device.reader.isHere(photo))
    #expect(try #require(try device.card("ada")).tag != before.tag)
    let news = try device.changes(since: token)
    #expect(news.names == ["ada.vcf"])
    #expect(try device.changes(since: news.token.text).cards.isEmpty)
  }

  // MARK: Lists

  @Test func `only contacts and groups are cards`() throws {
    let device = try CardDevice()
    try device.save("ada") { $0[.lastName] = "A" }
    try device.save("rowing", isGroup: true) { $0[.displayName] = "Rowing" }
    try device.edit { edit in
      try edit.apply([
        .save(
          LocalEdit.RecordSave(
            id: RecordID(zone: .standard, name: RecordName(stored: "other")),
            type: RecordType(stored: "Other"), changes: FieldChanges(set: ["x": .string("y")])))
      ])
    }
    let cards = try device.changes().cards
    #expect(cards.map(\.id.name.text) == ["ada", "rowing"])
    #expect(cards.map(\.isGroup) == [false, true])
    #expect(try device.card(named: "other.vcf") == nil)
  }

  @Test func `cards are found by a word, and groups always`() throws {
    let device = try CardDevice()
    try device.save("ada") { $0[.lastName] = "Lovelace" }
    try device.save("bob") { $0[.lastName] = "Builder" }
    try device.save("rowing", isGroup: true) { $0[.displayName] = "Rowing" }
    func found(_ words: Set<Set<String>>) throws -> [String] {
      try device.read { try CardResources($0).cards(in: .standard, withAnyOf: words) }.map(\.name)
    }
    #expect(try found([["lovel"]]) == ["ada.vcf", "rowing.vcf"])
    #expect(
      try found([["lovelace", "love"], ["builder"]]) == ["ada.vcf", "bob.vcf", "rowing.vcf"])
    #expect(try found([["lovelace", "builder"], ["nobody"]]) == ["rowing.vcf"])
  }
}
