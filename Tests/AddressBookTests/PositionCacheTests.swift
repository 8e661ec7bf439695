// Positions in memory never change what a search returns, whatever is written in the meantime.

import AgentStore
import Contacts
import DeviceRoom
import DeviceStore
import Foundation
import GRDB
import PredicateWorld
import Records
import SQLiteFile
import Synchronization
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

  /// A device with contacts that all have the word “harbour”, and are named by numbers from 10,000. Others without the word
  /// precede them in the list.
  private func replica(contacts count: Int) throws -> Replica {
    let replica = try Replica(
      database: database,
      settings: DeviceSettings(container: "contacts", accountName: "ada", deviceName: "laptop"),
      bundled: [], generator: SystemRandomNumberGenerator(), now: Room.now)
    let others = (0..<200).map { number in
      let name = String(1_000 + number)
      return LocalEdit.save(TestDevice.contact("other\(number)", ["lastName": .string(name)]))
    }
    _ = try replica.edit(others, now: Room.now)
    _ = try replica.edit((0..<count).map { save($0, named: 10_000 + $0) }, now: Room.now)
    while try replica.advanceProjections(now: Room.now) {}
    return replica
  }

  private func save(_ contact: Int, named name: Int) -> LocalEdit {
    .save(
      TestDevice.contact(
        "c\(contact)",
        ["firstName": .string("a"), "lastName": .string(String(name)), "note": .string("harbour")]))
  }

  private func cache(of replica: Replica) throws -> PositionCache {
    try #require(replica.projection(AddressBook.self)?.memory as? PositionCache)
  }

  private static let harbour = ContactQuery(text: "harb", limit: 50)

  @Test func `searches derive positions when they have lost as much time without them`() throws {
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

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `a search after any edits finds what the list has, page by page`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let replica = try replica(contacts: 1_000)
    let cache = try cache(of: replica)
    var usedPositions = 0
    var next = 1_000
    for _ in 0..<12 {
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
      let list = try names(ContactQuery(limit: 1_000), replica).filter { $0.hasPrefix("c") }
      #expect(try names(Self.harbour, replica) == list, "seed \(seed)")
      if cache.positions(since: cache.moment) != nil { usedPositions += 1 }
    }
    #expect(usedPositions > 2, "seed \(seed)")
  }

  /// The record names of all contacts of a query, page by page.
  private func names(_ query: ContactQuery, _ replica: Replica) throws -> [String] {
    var query = query
    var names: [String] = []
    repeat {
      let page = try replica.reader.contacts(query)
      names += page.rows.map(\.record.id.name.text)
      query.cursor = page.next
    } while query.cursor != nil
    return names
  }

  @Test func `a search beside a writer sees the names of one moment`() throws {
    let count = 1_200
    let replica = try replica(contacts: count)
    let reader = replica.reader
    let expected = (0..<50).map { String(10_000 + $0) }
    let searches = Searches(reader)
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
    let cache = try cache(of: replica)
    _ = try reader.contacts(Self.harbour)
    #expect(cache.positions(since: cache.moment) != nil)
  }

  /// Searches on a thread of its own.
  private final class Searches: Sendable {
    private let reader: DeviceReader
    private let state = Mutex((pages: [[String]](), isEnding: false))

    init(_ reader: DeviceReader) {
      self.reader = reader
    }

    /// The names on each page that was read.
    var pages: [[String]] { state.withLock { $0.pages } }

    func start() {
      Thread.detachNewThread { [self] in
        while !state.withLock({ $0.isEnding }) {
          let rows = try? reader.contacts(PositionCacheTests.harbour).rows
          state.withLock { $0.pages.append(rows?.compactMap(\.contact.lastName) ?? []) }
        }
      }
    }

    func end() -> [[String]] {
      state.withLock {
        $0.isEnding = true
        return $0.pages
      }
    }
  }

  @Test func `positions that were read beside a transaction know its changes`() throws {
    let replica = try replica(contacts: 600)
    let cache = PositionCache()
    let positions = try #require(
      try replica.reader.read { db in
        try ListPositions(.last, generation: 1, db)
      })
    let queue = try DatabaseQueue()
    try queue.write { db in
      cache.note([7], in: db)
      // The transaction has not ended, so the reader may not see what it changed.
      let moment = cache.moment
      cache.keep(positions, since: moment)
      #expect(cache.positions(since: moment) == nil)
    }
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
      let queue = try DatabaseQueue()
      let before = cache.moment
      cache.keep(positions, since: before)
      #expect(cache.positions(since: cache.moment) != nil)
      try queue.write { cache.note(records, in: $0) }
      #expect(cache.positions(since: cache.moment) == nil)
      cache.keep(positions, since: before)
      #expect(cache.positions(since: cache.moment) == nil)
      cache.keep(positions, since: cache.moment)
      #expect(cache.positions(since: cache.moment) != nil)
    }
  }

  @Test func `a transaction that is rolled back ends too`() throws {
    struct Refused: Error {}
    let cache = PositionCache()
    let queue = try DatabaseQueue()
    let replica = try replica(contacts: 600)
    let positions = try #require(
      try replica.reader.read { db in
        try ListPositions(.last, generation: 1, db)
      })
    try? queue.write { db in
      cache.note(nil, in: db)
      throw Refused()
    }
    cache.keep(positions, since: cache.moment)
    #expect(cache.positions(since: cache.moment) != nil)
  }
}
