// Positions in memory never change what a search returns, whatever is written in the meantime.

import AgentStore
import Collation
import Contacts
import DeviceRoom
import DeviceStore
import Foundation
import GRDB
import PredicateWorld
import Records
import SQLiteFile
import Synchronization
import TestTiers
import Testing

@testable import AddressBook

@Suite("P7 the positions of a list")
final class PositionCacheTests {
  private let folder: URL
  private let database: DeviceDatabase

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "positions-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    database = try DeviceDatabase(path: folder.appending(path: "contacts.sqlite").path)
  }

  deinit {
    try? database.close()
    try? FileManager.default.removeItem(at: folder)
  }

  private func openReplica(_ language: String) throws -> Replica {
    try Replica(
      database: database,
      settings: DeviceSettings(container: "contacts", accountName: "ada", deviceName: "laptop"),
      bundled: [], language: Language(language), generator: SystemRandomNumberGenerator(),
      now: Room.now)
  }

  /// A device with contacts that all have the word “harbour”, and are named by numbers from 10,000. Others without the word
  /// precede them in the list.
  private func replica(contacts count: Int, _ language: String = "en_US") throws -> Replica {
    let replica = try openReplica(language)
    let others = (0..<200).map { number in
      let name = Value.string("A\(number)")
      return LocalEdit.save(
        TestDevice.contact(
          "other\(number)", ["firstName": name, "lastName": name, "company": name]))
    }
    _ = try replica.edit([.createZone(Self.group, title: "Choir")] + others, now: Room.now)
    _ = try replica.edit((0..<count).map { save($0, named: 10_000 + $0) }, now: Room.now)
    while try replica.advanceProjections(now: Room.now) {}
    return replica
  }

  private static let group = ZoneID(name: ZoneName(1))

  /// Saves a contact whose positions in the three lists have nothing in common.
  private func save(_ contact: Int, named name: Int, in zone: ZoneID = .standard) -> LocalEdit {
    let fields: Fields = [
      "firstName": .string(String(20_000 + name * 7_919 % 10_007)),
      "lastName": .string(String(name)),
      "company": .string(String(40_000 + name * 104_729 % 10_009)),
      "note": .string("harbour"),
    ]
    return .save(TestDevice.contact("c\(contact)", fields, in: zone))
  }

  private func cache(of replica: Replica) throws -> PositionCache {
    try #require(replica.projection(AddressBook.self)?.memory as? PositionCache)
  }

  private static let harbour = ContactQuery(text: "harb", limit: 50)

  @Test(.onlyInCheck)
  func `searches derive positions when they have lost as much time without them`() throws {
    let replica = try replica(contacts: 6_000)
    let cache = try cache(of: replica)
    // A search for what 600 of 6,000 contacts have loses two thirds of what deriving takes.
    _ = try replica.edit((0..<600).map { save($0, named: 10_600_000 + $0) }, now: Room.now)
    while try replica.advanceProjections(now: Room.now) {}
    let query = ContactQuery(text: "1060", limit: 50)
    #expect(try replica.reader.contacts(query).rows.count == 50)
    #expect(cache.positions(since: cache.moment) == nil)
    #expect(try replica.reader.contacts(query).rows.count == 50)
    #expect(cache.positions(since: cache.moment) != nil)
  }

  @Test(.onlyInCheck, arguments: 0..<4 as Range<UInt64>)
  func `a search after any edits finds what the list has, page by page`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let replica = try replica(contacts: 1_000)
    let cache = try cache(of: replica)
    _ = try replica.edit(
      (2_000..<2_600).map { save($0, named: 10_000 + $0, in: Self.group) }, now: Room.now)
    while try replica.advanceProjections(now: Room.now) {}
    var searchesWithPositions = 0
    var next = 1_000
    for _ in 0..<16 {
      let edits = (0..<[1, 3, 40, 400][generator.below(4)]).map { _ -> LocalEdit in
        let contact = generator.below(next)
        switch generator.below(8) {
        case 0:
          next += 1
          return save(next, named: 10_000 + generator.below(2_000))
        case 1: return save(contact, named: 10_000 + generator.below(2_000))
        case 2: return save(contact, named: 5_000 + generator.below(100))
        case 3:
          let id = RecordID(zone: .standard, name: RecordName(stored: "c\(contact)"))
          return .delete(id, version: nil)
        default: return save(contact, named: 10_000 + contact)
        }
      }
      // A deleted record that is edited is rejected as a whole; that is a transaction too.
      _ = try? replica.edit(edits, now: Room.now)
      if generator.below(3) > 0 { while try replica.advanceProjections(now: Room.now) {} }
      // Most searches are in one list, so that its positions are used.
      let order = [ContactOrder.last, .last, .last, .first, .company][generator.below(5)]
      let zone = generator.below(4) == 0 ? Self.group : nil
      let list = try replica.reader.allNames(ContactQuery(order: order, zone: zone, limit: 1_000))
        .filter { $0.hasPrefix("c") }
      if cache.positions(since: cache.moment) != nil { searchesWithPositions += 1 }
      let query = ContactQuery(order: order, zone: zone, text: "harb", limit: 50)
      #expect(try replica.reader.allNames(query) == list, "seed \(seed), \(order)")
    }
    #expect(searchesWithPositions > 2, "seed \(seed)")
  }

  @Test(.onlyInCheck) func `a search after the lists changed their language has the new order`()
    throws
  {
    let numbers = 0..<2_200
    let english = try replica(contacts: 0, "en_US")
    // Ö is an O in English, and comes after Z in Swedish.
    _ = try english.edit(
      numbers.map { number in
        let name = (number % 2 == 0 ? "Ö" : "Z") + String(10_000 + number)
        return .save(
          TestDevice.contact(
            "c\(number)", ["lastName": .string(name), "note": .string("harbour")]))
      }, now: Room.now)
    while try english.advanceProjections(now: Room.now) {}
    let replica = try openReplica("sv_SE")
    let cache = try cache(of: replica)
    for _ in 0..<3 { _ = try replica.reader.contacts(Self.harbour) }
    #expect(cache.positions(since: cache.moment) != nil)
    let before = try replica.reader.allNames(Self.harbour)
    while try replica.advanceProjections(now: Room.now) {}
    #expect(cache.positions(since: cache.moment) != nil)
    let after = try replica.reader.allNames(Self.harbour)
    let letters = [0, 1].map { rest in numbers.filter { $0 % 2 == rest }.map { "c\($0)" } }
    #expect(before == letters[0] + letters[1])
    #expect(after == letters[1] + letters[0])
  }

  @Test(.onlyInCheck) func `a search beside a writer sees the names of one moment`() throws {
    let count = 1_200
    let replica = try replica(contacts: count)
    let reader = replica.reader
    let expected = (0..<50).map { String(10_000 + $0) }
    let searches = Searches(reader, try cache(of: replica))
    searches.start()
    // Each transaction exchanges the names of contacts, so that at each moment the page has the same names.
    var generator = SeededGenerator(seed: 7)
    var owners = Array(0..<count)
    for transaction in 0..<5_000 where transaction < 400 || searches.pages.count < 50 {
      let exchanged = (0..<(1 + generator.below(20))).map { _ in
        (generator.below(60), generator.below(count))
      }
      for (left, right) in exchanged { owners.swapAt(left, right) }
      let changed = Set(exchanged.flatMap { [$0.0, $0.1] })
      _ = try replica.edit(
        changed.map { save(owners[$0], named: 10_000 + $0) }, now: Room.now)
    }
    let pages = searches.end()
    #expect(pages.count >= 50)
    #expect(pages.allSatisfy { $0 == expected })
    #expect(searches.searchesWithPositions > 5)
  }

  /// Searches on a thread of its own.
  private final class Searches: Sendable {
    private let reader: DeviceReader
    private let cache: PositionCache
    private let state = Mutex((pages: [[String]](), withPositions: 0, isEnding: false))
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ reader: DeviceReader, _ cache: PositionCache) {
      self.reader = reader
      self.cache = cache
    }

    /// The number of searches that began with positions.
    var searchesWithPositions: Int { state.withLock { $0.withPositions } }

    /// The names on each page that was read.
    var pages: [[String]] { state.withLock { $0.pages } }

    func start() {
      Thread.detachNewThread { [self] in
        while !state.withLock({ $0.isEnding }) {
          let hasPositions = cache.positions(since: cache.moment) != nil
          let rows = try? reader.contacts(PositionCacheTests.harbour).rows
          state.withLock {
            $0.pages.append(rows?.compactMap(\.contact.lastName) ?? [])
            if hasPositions { $0.withPositions += 1 }
          }
        }
        hasEnded.signal()
      }
    }

    /// Ends the thread, and returns the pages.
    func end() -> [[String]] {
      state.withLock { $0.isEnding = true }
      hasEnded.wait()
      return pages
    }
  }

  @Test func `positions that were read beside a transaction know its changes`() throws {
    let replica = try replica(contacts: 600)
    let cache = PositionCache()
    let positions = try #require(
      try replica.reader.read { db in
        try ListPositions(.last, generation: 1, db)
      })
    cache.note([7])
    // The transaction has not ended, so the reader may not see what it changed.
    let during = cache.moment
    cache.keep(positions, since: during)
    #expect(cache.positions(since: during) == nil)
    cache.end()
    let moment = cache.moment
    #expect(cache.positions(since: moment)?.changes.keys.sorted() == [7])
    cache.keep(positions, since: moment)
    #expect(cache.positions(since: cache.moment)?.changes.isEmpty == true)
  }

  @Test func `with too many changes the positions are forgotten, and older ones are not kept`()
    throws
  {
    let replica = try replica(contacts: 600)
    let positions = try #require(
      try replica.reader.read { db in
        try ListPositions(.last, generation: 1, db)
      })
    for records in [nil, Array(0...Int64(PositionCache.changesMaximum))] as [[Int64]?] {
      let cache = PositionCache()
      let before = cache.moment
      cache.keep(positions, since: before)
      #expect(cache.positions(since: cache.moment) != nil)
      cache.note(records)
      cache.end()
      #expect(cache.positions(since: cache.moment) == nil)
      cache.keep(positions, since: before)
      #expect(cache.positions(since: cache.moment) == nil)
      cache.keep(positions, since: cache.moment)
      #expect(cache.positions(since: cache.moment) != nil)
    }
  }

  @Test func `a transaction that is rolled back ends too`() throws {
    let replica = try replica(contacts: 600)
    let cache = try cache(of: replica)
    let positions = try #require(
      try replica.reader.read { db in
        try ListPositions(.last, generation: 1, db)
      })
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      try replica.write(Timestamp(microseconds: 1)) { _ in
        cache.note(nil)
        throw Refused()
      }
    }
    cache.keep(positions, since: cache.moment)
    #expect(cache.positions(since: cache.moment) != nil)
  }

  @Test func `P2b an edit compiles no statement again`() throws {
    let replica = try replica(contacts: 1)
    let now = Timestamp(microseconds: 1)
    let sql = "DELETE FROM contact WHERE record = ?"
    let before = try replica.write(now) { try $0.db.cachedStatement(sql: sql) }
    _ = try replica.edit([save(0, named: 5)], now: now)
    let after = try replica.write(now) { try $0.db.cachedStatement(sql: sql) }
    #expect(before === after)
  }
}
