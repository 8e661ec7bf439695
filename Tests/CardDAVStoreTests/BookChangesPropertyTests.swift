// A client that follows a book by its tokens, while random things happen to the book.

import CardDAV
import Contacts
import DeviceRoom
import DeviceStore
import PredicateWorld
import Records
import TestTiers
import Testing

@testable import CardDAVStore

@Suite("D1 clients that follow a book")
struct BookChangesPropertyTests {
  /// What a client knows of a book.
  private struct Follower {
    var token = ""
    var tags: [String: String] = [:]
    private(set) var readings = 0

    /// Asks for one page of changes.
    /// - Returns: whether it has all.
    mutating func follow(_ device: CardDevice, limit: Int) throws -> Bool {
      do {
        let page = try device.changes(since: token, limit: limit)
        for name in page.gone { tags[name] = nil }
        for card in page.cards { tags[card.name] = card.tag }
        token = page.token.text
        return !page.isPartial
      } catch let error as DAVError where error == SyncToken.invalid {
        (token, tags, readings) = ("", [:], readings + 1)
        return false
      }
    }
  }

  @Test(arguments: 0..<UInt64(TestTier.cases(30)))
  func `a client ends with what is there, whatever happens between its pages`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let device = try CardDevice(isOnline: true)
    let tablet = try TestDevice(device.room, "tablet")
    var now = Room.now
    var followers = [Follower(), Follower()]
    try device.save("rowing", isGroup: true) { $0[.displayName] = "Rowing" }
    for step in 0..<120 {
      try change(device, tablet, &now, step, using: &random)
      for index in followers.indices where random.below(3) == 0 {
        _ = try followers[index].follow(device, limit: 1 + random.below(4))
      }
    }
    let all = try device.changes(limit: .max - 1).cards
    let expected = Dictionary(
      all.map { ($0.name, $0.tag) }, uniquingKeysWith: { first, _ in first })
    #expect(expected.count == all.count, "two cards have one address")
    for card in all { #expect(try device.card(named: card.name) == card) }
    for var follower in followers {
      var pages = 0
      while try !follower.follow(device, limit: 3), pages < 1_000 { pages += 1 }
      #expect(follower.tags == expected, "seed \(seed)")
    }
  }

  private func change(
    _ device: CardDevice, _ tablet: TestDevice, _ now: inout Timestamp, _ step: Int,
    using random: inout SeededGenerator
  ) throws {
    let name = "c\(random.below(8))"
    let exists = try device.card(name) != nil
    switch random.below(12) {
    case 0...3: try device.save(name, at: now) { $0[.note] = "\(step)" }
    case 4, 5: if exists { try device.delete(name, at: now) }
    case 6: if try tablet.fields(name) != nil { try tablet.delete(name) }
    case 7: try tablet.save(name, ["note": .string("tablet \(step)")])
    case 8:
      let isMember = random.below(2) == 0
      try device.save(name, at: now) { $0.categories = isMember ? ["Rowing"] : [] }
    case 9: if exists { try rename(name, to: "c\(random.below(8)).vcf", on: device, at: now) }
    case 10:
      guard let row = try device.card(name)?.row else { return }
      try device.edit(at: now) {
        let db = $0.transaction.db
        try KeptCards(db).keep([UInt8(step)], ofRecord: row)
        try CardTouches(db).touch(row, in: #require(try DeviceReader.row(of: .standard, db)))
      }
    default:
      now = now.adding(seconds: Int64(random.below(5)) * CardDevice.day)
      try device.expire(at: now)
    }
  }

  /// Renames a card as a MOVE does: a card that has the name is deleted.
  private func rename(
    _ record: String, to name: String, on device: CardDevice, at now: Timestamp
  ) throws {
    try device.edit(at: now) { edit in
      let resources = CardResources(edit.transaction.db)
      let card = try #require(
        try resources.card(RecordID(zone: .standard, name: RecordName(stored: record))))
      let replaced = try resources.card(named: name, in: .standard)
      guard replaced != card else { return }
      if let replaced {
        guard !replaced.isGroup else { return }
        try edit.apply([.delete(replaced.id, version: nil)])
      }
      try edit.transaction.append(
        .updated, type: ContactRecord.type, zone: .standard, id: record, title: "",
        by: edit.transaction.author(of: nil))
      try resources.rename(card, to: name)
    }
  }
}
