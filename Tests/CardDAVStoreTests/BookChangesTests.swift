import CardDAV
import Contacts
import DeviceRoom
import DeviceStore
import Records
import Testing

@testable import CardDAVStore

@Suite("D1 changes of a book")
struct BookChangesTests {
  private func filled(_ count: Int) throws -> CardDevice {
    let device = try CardDevice()
    for number in 0..<count { try device.save("c\(number)") { $0[.lastName] = "N\(number)" } }
    return device
  }

  private func change(_ name: String, on device: CardDevice, to title: String) throws {
    try device.save(name) { $0[.lastName] = title }
  }

  @Test func `a client without a token gets all cards, and with its token nothing more`() throws {
    let device = try filled(3)
    let all = try device.changes()
    #expect(all.names == ["c0.vcf", "c1.vcf", "c2.vcf"] && all.gone.isEmpty && !all.isPartial)
    #expect(try all.token.text == device.token())
    let again = try device.changes(since: all.token.text)
    #expect(again.cards.isEmpty && again.gone.isEmpty && again.token == all.token)
  }

  @Test func `a token tells what is new, changed and gone since, once`() throws {
    let device = try filled(3)
    let first = try device.changes().token.text
    try change("c0", on: device, to: "Zed")
    try device.delete("c1")
    try change("new", on: device, to: "New")
    let second = try device.changes(since: first)
    #expect(second.names == ["c0.vcf", "new.vcf"] && second.gone == ["c1.vcf"])
    let third = try device.changes(since: second.token.text)
    #expect(third.cards.isEmpty && third.gone.isEmpty)
    // A client that did not get the answer asks again.
    #expect(try device.changes(since: first).names == ["c0.vcf", "new.vcf"])
  }

  @Test func `a card that is deleted and made again is changed, not gone`() throws {
    let device = try filled(1)
    let token = try device.changes().token.text
    try device.delete("c0")
    try change("c0", on: device, to: "Back")
    let news = try device.changes(since: token)
    #expect(news.names == ["c0.vcf"] && news.gone.isEmpty)
  }

  @Test(arguments: 1...7)
  func `pages of any size tell all changes, each once`(limit: Int) throws {
    let device = try filled(6)
    var token = try device.changes().token.text
    for number in 0..<3 { try change("c\(number)", on: device, to: "Zed") }
    for number in 3..<6 { try device.delete("c\(number)") }
    var (names, gone) = ([String](), [String]())
    for _ in 0..<10 {
      let page = try device.changes(since: token, limit: limit)
      names += page.names
      gone += page.gone
      token = page.token.text
      #expect(page.cards.count + page.gone.count <= limit)
      if !page.isPartial { break }
    }
    #expect(names.sorted() == ["c0.vcf", "c1.vcf", "c2.vcf"])
    #expect(gone.sorted() == ["c3.vcf", "c4.vcf", "c5.vcf"])
    #expect(try token == device.token())
  }

  @Test func `deletions of one transaction stay together when changes are cut`() throws {
    let device = try filled(4)
    let token = try device.changes().token.text
    try device.edit { edit in
      try edit.apply(
        (0..<4).map {
          .delete(RecordID(zone: .standard, name: RecordName(stored: "c\($0)")), version: nil)
        })
    }
    var (gone, now) = ([String](), token)
    for _ in 0..<10 {
      let page = try device.changes(since: now, limit: 1)
      (gone, now) = (gone + page.gone, page.token.text)
      if !page.isPartial { break }
    }
    #expect(gone.sorted() == ["c0.vcf", "c1.vcf", "c2.vcf", "c3.vcf"])
  }

  @Test func `a listing in parts while cards change misses nothing`() throws {
    let device = try filled(5)
    let first = try device.changes(limit: 2)
    #expect(first.names == ["c0.vcf", "c1.vcf"] && first.isPartial)
    // One that was listed changes, one is deleted, one that was not is changed, and one is new.
    try change("c0", on: device, to: "Zed")
    try device.delete("c1")
    try change("c3", on: device, to: "Zed")
    try change("new", on: device, to: "New")
    let second = try device.changes(since: first.token.text, limit: 2)
    #expect(second.names == ["c2.vcf", "c3.vcf"] && second.isPartial)
    let third = try device.changes(since: second.token.text, limit: 2)
    #expect(third.names == ["c4.vcf", "new.vcf"] && !third.isPartial)
    let news = try device.changes(since: third.token.text)
    #expect(Set(news.names).isSuperset(of: ["c0.vcf"]) && news.gone == ["c1.vcf"])
    #expect(try device.changes(since: news.token.text).cards.isEmpty)
  }

  @Test func `a renamed card is gone at its former address`() throws {
    let device = try filled(2)
    let token = try device.changes().token.text
    let card = try #require(try device.card("c0"))
    try device.edit { edit in
      try edit.transaction.append(
        .updated, type: ContactRecord.type, zone: .standard, id: "c0", title: "",
        by: edit.transaction.author(of: nil))
      try CardResources(edit.transaction.db).rename(card, to: "chosen")
    }
    let news = try device.changes(since: token)
    #expect(news.names == ["chosen"] && news.gone == ["c0.vcf"])
    #expect(try device.card(named: "c0.vcf") == nil)
    #expect(try device.card(named: "chosen")?.id == card.id)
    #expect(try device.changes(since: news.token.text).gone.isEmpty)
  }

  @Test(arguments: ["x", "urn:contacts:sync/", "urn:contacts:sync/0/0/0", "http://a/b"])
  func `a token of another server is invalid`(token: String) throws {
    let device = try filled(1)
    #expect(throws: SyncToken.invalid) { try device.changes(since: token) }
  }

  @Test func `a token of the future is invalid`() throws {
    let device = try filled(1)
    var token = try device.changes().token
    token.position += 1_000
    #expect(throws: SyncToken.invalid) { try device.changes(since: token.text) }
  }

  @Test func `a token is invalid after changes while there was no password`() throws {
    let device = try CardDevice()
    try device.save("a") { $0[.lastName] = "A" }
    let token = try device.changes().token.text
    try device.remove(password: "phone")
    try device.delete("a")
    try device.add(password: "phone")
    #expect(throws: SyncToken.invalid) { try device.changes(since: token) }
  }

  @Test func `the deletion of a touched card, or of a newest record, does not end a token`() throws
  {
    let device = try CardDevice(isOnline: true)
    try device.save("a") { $0[.lastName] = "A" }
    try device.save("b") { $0[.lastName] = "B" }
    let row = try #require(try device.card("a")).row
    try device.edit { edit in
      let db = edit.transaction.db
      let zone = try #require(try DeviceReader.row(of: .standard, db))
      try CardTouches(db).touch(row, in: zone)
    }
    let token = try device.changes().token.text
    try device.delete("a")
    let second = try device.changes(since: token)
    #expect(second.gone == ["a.vcf"] && second.cards.isEmpty)
    // The broker has confirmed the deletion, so the record is no longer stored.
    try device.edit { edit in
      try edit.apply([
        .save(
          LocalEdit.RecordSave(
            id: RecordID(zone: .standard, name: RecordName(stored: "other")),
            type: RecordType(stored: "Other"), changes: FieldChanges(set: ["x": .string("y")])))
      ])
    }
    let third = try device.changes(since: second.token.text).token.text
    try device.delete("other")
    #expect(try device.changes(since: third).cards.isEmpty)
    #expect(throws: Never.self) { try device.changes(since: token) }
  }

  @Test func `deletions are remembered for 30 days, and older tokens are invalid`() throws {
    let device = try filled(3)
    let first = try device.changes().token.text
    try device.delete("c0")
    let second = try device.changes(since: first).token.text
    try device.delete("c1")
    let month = Room.now.adding(seconds: 29 * CardDevice.day)
    try device.save("c2", at: month) { $0[.note] = "later" }
    try device.expire(at: month)
    #expect(try device.changes(since: first).gone.sorted() == ["c0.vcf", "c1.vcf"])
    let later = Room.now.adding(seconds: 31 * CardDevice.day)
    try device.save("c2", at: later) { $0[.note] = "much later" }
    try device.expire(at: later)
    #expect(throws: SyncToken.invalid) { try device.changes(since: first) }
    // The deletion after this token is still known.
    #expect(try device.changes(since: second).gone == ["c1.vcf"])
    #expect(try device.count("dav_gone") == 1)
  }
}
