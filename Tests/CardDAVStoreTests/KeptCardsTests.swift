import CardDAV
import Contacts
import DeviceRoom
import DeviceStore
import Records
import Testing

@testable import CardDAVStore

@Suite("D2 cards as clients sent them")
struct KeptCardsTests {
  private func keep(_ text: String, of record: String, on device: CardDevice) throws {
    let row = try #require(try device.card(record)).row
    try device.edit { edit in
      try KeptCards(edit.transaction.db).keep(Array(text.utf8), ofRecord: row)
    }
  }

  private func kept(_ record: String, on device: CardDevice) throws -> String? {
    let row = try #require(try device.card(record)).row
    return try device.read { try KeptCards($0).card(ofRecord: row, toPassword: 1) }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test func `a card is kept until the contact changes`() throws {
    let device = try CardDevice()
    try device.save("ada") { $0[.lastName] = "A" }
    #expect(try kept("ada", on: device) == nil)
    try keep("one\r\n", of: "ada", on: device)
    #expect(try kept("ada", on: device) == "one\r\n")
    try device.save("bob") { $0[.lastName] = "B" }
    try device.save("ada") { $0[.lastName] = "A" }
    #expect(try kept("ada", on: device) == "one\r\n")
    try device.save("ada") { $0[.lastName] = "C" }
    #expect(try kept("ada", on: device) == nil)
  }

  @Test func `the tag tells other bytes, and only those`() throws {
    let device = try CardDevice()
    try device.save("ada") { $0[.lastName] = "A" }
    let composed = try device.card("ada")?.tag
    try keep("one", of: "ada", on: device)
    let one = try device.card("ada")?.tag
    try keep("two", of: "ada", on: device)
    let two = try device.card("ada")?.tag
    try keep("one", of: "ada", on: device)
    #expect(Set([composed, one, two]).count == 3)
    #expect(try device.card("ada")?.tag == one)
  }

  @Test func `the card of a deleted contact is forgotten`() throws {
    let device = try CardDevice(isOnline: true)
    try device.save("ada") { $0[.lastName] = "A" }
    try keep("one", of: "ada", on: device)
    try device.delete("ada")
    #expect(try device.count("dav_kept") == 0)
  }
}
