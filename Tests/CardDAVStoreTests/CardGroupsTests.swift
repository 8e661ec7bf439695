import CardDAV
import Contacts
import DeviceRoom
import DeviceStore
import Records
import Testing

@testable import CardDAVStore

@Suite("D2 groups that are cards")
struct CardGroupsTests {
  private func prepared(isOnline: Bool = false) throws -> CardDevice {
    let device = try CardDevice(isOnline: isOnline)
    try device.save("rowing", isGroup: true) { $0[.displayName] = "Rowing" }
    try device.save("choir", isGroup: true) { $0[.displayName] = "Choir" }
    try device.save("ada") { $0.categories = ["Rowing"] }
    try device.save("bob") { $0[.uid] = "urn:uuid:bob" }
    return device
  }

  private func members(_ title: String, on device: CardDevice) throws -> [String] {
    try device.read { db in
      let zone = try #require(try DeviceReader.row(of: .standard, db))
      return try CardGroups(db).members(ofGroup: title, in: zone)
    }
  }

  /// The groups whose cards `body` changes.
  private func changed(on device: CardDevice, _ body: () throws -> Void) throws -> [String] {
    let token = try device.changes().token.text
    let before = try device.changes().cards
    try body()
    let after = Set(try device.changes().cards)
    let news = try device.changes(since: token)
    let groups = before.filter { $0.isGroup && !after.contains($0) }.map(\.name)
    #expect(news.cards.filter(\.isGroup).map(\.name).sorted() == groups.sorted())
    return groups
  }

  @Test func `the members are the contacts with the title as a category, by UID`() throws {
    let device = try prepared()
    try device.save("bob") { $0.categories = ["Choir", "Rowing"] }
    #expect(try members("Rowing", on: device) == ["ada", "urn:uuid:bob"])
    #expect(try members("Choir", on: device) == ["urn:uuid:bob"])
    #expect(try members("rowing", on: device).isEmpty)
  }

  @Test func `a group's card changes when a contact joins or leaves it`() throws {
    let device = try prepared()
    #expect(
      try changed(on: device) { try device.save("bob") { $0.categories = ["Rowing", "x"] } }
        == ["rowing.vcf"])
    #expect(
      try changed(on: device) { try device.save("bob") { $0.categories = ["Choir"] } }.sorted()
        == ["choir.vcf", "rowing.vcf"])
    #expect(
      try changed(on: device) { try device.save("new") { $0.categories = ["Choir"] } }
        == ["choir.vcf"])
    #expect(try changed(on: device) { try device.delete("new") } == ["choir.vcf"])
  }

  @Test func `it stays at other changes of a member`() throws {
    let device = try prepared()
    #expect(try changed(on: device) { try device.save("ada") { $0[.note] = "x" } }.isEmpty)
    #expect(try changed(on: device) { try device.save("bob") { $0.categories = ["y"] } }.isEmpty)
  }

  @Test func `it changes when a member gets another UID`() throws {
    let device = try prepared()
    #expect(
      try changed(on: device) { try device.save("ada") { $0[.uid] = "urn:uuid:ada" } }
        == ["rowing.vcf"])
  }

  @Test func `it changes when another device deletes a member`() throws {
    let device = try prepared(isOnline: true)
    let tablet = try TestDevice(device.room, "tablet")
    #expect(try changed(on: device) { try tablet.delete("ada") } == ["rowing.vcf"])
    #expect(try members("Rowing", on: device).isEmpty)
  }

  @Test func `a card of a group that was kept is forgotten when a member joins`() throws {
    let device = try prepared()
    let row = try #require(try device.card("rowing")).row
    try device.edit { try KeptCards($0.transaction.db).keep([1], ofRecord: row) }
    try device.save("bob") { $0.categories = ["Rowing"] }
    #expect(try device.read { try KeptCards($0).card(ofRecord: row, toPassword: 1) } == nil)
  }
}
