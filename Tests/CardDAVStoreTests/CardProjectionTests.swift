import CardDAV
import Contacts
import DeviceRoom
import DeviceStore
import Records
import Testing

@testable import CardDAVStore

@Suite("D1 notes for clients")
struct CardProjectionTests {
  private func shared(isWritable: Bool = true) throws -> CardDevice {
    let room = Room()
    room.broker.share(CardDevice.shared, title: "Rowing", owner: "bob", isWritable: isWritable)
    room.broker.put(
      "zelda", ["lastName": .string("Z")], type: ContactRecord.type, in: CardDevice.shared)
    return try CardDevice(room: room, isOnline: true)
  }

  private func take(_ device: CardDevice) throws {
    device.room.broker.take(CardDevice.shared)
    try device.room.tell([device.room.broker.directoryNews])
  }

  private func giveBack(_ device: CardDevice) throws {
    device.room.broker.share(CardDevice.shared, title: "Rowing", owner: "bob", isWritable: true)
    try device.device.goOffline()
    try device.device.goOnline()
  }

  private static let tables = [
    "dav_state", "dav_book", "dav_name", "dav_gone", "dav_touched", "dav_kept", "dav_card",
    "dav_base",
  ]

  @Test func `without a password no change leaves a row`() throws {
    let device = try CardDevice(passwords: [])
    try device.save("a") { $0[.lastName] = "A" }
    try device.save("a") { $0[.lastName] = "B" }
    try device.delete("a")
    for table in Self.tables { #expect(try device.count(table) == 0, "\(table)") }
  }

  @Test func `the last password takes all notes with it`() throws {
    let device = try CardDevice(passwords: ["phone", "tablet"])
    try device.save("a") { $0[.lastName] = "A" }
    try device.edit { edit in
      let id = RecordID(zone: .standard, name: RecordName(stored: "a"))
      try CardResources(edit.transaction.db).name(id, "x")
    }
    try device.delete("a")
    try device.remove(password: "phone")
    #expect(try device.count("dav_gone") == 1)
    try device.remove(password: "tablet")
    for table in Self.tables { #expect(try device.count(table) == 0, "\(table)") }
  }

  @Test func `signing out removes the passwords`() throws {
    let device = try CardDevice(isOnline: true)
    try device.device.perform(device.device.replica.signOut(discarding: true, now: Room.now))
    #expect(try device.password() == nil)
    for table in Self.tables + ["dav_password"] {
      #expect(try device.count(table) == 0, "\(table)")
    }
  }

  @Test func `a deletion by another device is listed`() throws {
    let device = try CardDevice(isOnline: true)
    let tablet = try TestDevice(device.room, "tablet")
    try tablet.save("a", ["lastName": .string("A")])
    try tablet.save("b", ["lastName": .string("B")])
    let token = try device.changes().token.text
    try tablet.delete("a")
    let news = try device.changes(since: token)
    #expect(news.gone == ["a.vcf"] && news.cards.isEmpty)
    try tablet.save("b", ["lastName": .string("C")])
    #expect(try device.changes(since: news.token.text).names == ["b.vcf"])
  }

  @Test func `a group that leaves is no book any more`() throws {
    let device = try shared()
    let token = try device.changes(in: CardDevice.shared).token.text
    try take(device)
    #expect(throws: RecordsError.self) { try device.changes(since: token, in: CardDevice.shared) }
    #expect(try device.card("zelda", in: CardDevice.shared) == nil)
    for table in ["dav_touched", "dav_kept", "dav_base"] { #expect(try device.count(table) == 0) }
  }

  @Test func `a group that comes back is read again`() throws {
    let device = try shared()
    let token = try device.changes(in: CardDevice.shared).token.text
    try take(device)
    try giveBack(device)
    #expect(throws: SyncToken.invalid) { try device.changes(since: token, in: CardDevice.shared) }
    let all = try device.changes(in: CardDevice.shared)
    #expect(all.names == ["zelda.vcf"])
    #expect(try device.changes(since: all.token.text, in: CardDevice.shared).cards.isEmpty)
  }

  @Test func `after a group has left, the first change of another book is listed`() throws {
    let device = try shared()
    try device.save("a") { $0[.lastName] = "A" }
    try take(device)
    let token = try device.changes().token.text
    try device.save("a") { $0[.lastName] = "B" }
    #expect(try device.changes(since: token).names == ["a.vcf"])
    try device.delete("a")
    #expect(try device.changes(since: token).gone == ["a.vcf"])
  }

  @Test func `a group that this device deletes leaves no rows`() throws {
    let device = try CardDevice(isOnline: true)
    let zone = ZoneID(name: ZoneName(9))
    try device.edit { try $0.apply([.createZone(zone, title: "Club")]) }
    try device.edit { edit in try BookNames(edit.transaction.db).name(zone, "my club") }
    try device.save("a", in: zone) { $0[.lastName] = "A" }
    try device.save("s") { $0[.lastName] = "S" }
    try device.edit { try $0.apply([.deleteZone(zone)]) }
    #expect(throws: RecordsError.self) { try device.token(of: zone) }
    #expect(try device.count("dav_book") == 0)
    let token = try device.changes().token.text
    try device.save("s") { $0[.lastName] = "T" }
    #expect(try device.changes(since: token).names == ["s.vcf"])
  }
}
