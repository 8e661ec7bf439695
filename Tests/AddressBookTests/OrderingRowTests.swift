// The row with the language of the device's lists.

import AgentStore
import Collation
import Contacts
import DeviceStore
import GRDB
import Testing

@testable import AddressBook

@Suite("A3 the language of the lists")
struct OrderingRowTests {
  private func reloaded(_ row: OrderingRow?) throws -> OrderingRow? {
    let database = try DeviceDatabase.inMemory()
    return try database.writer.write { db in
      try row?.store(db)
      return try OrderingRow.load(db)
    }
  }

  @Test func `a new database has no row`() throws {
    #expect(try reloaded(nil) == nil)
  }

  @Test func `the first row has one generation, of its language`() throws {
    let row = try #require(try reloaded(OrderingRow(first: Language("sv_SE"))))
    #expect(row.generations.map(\.number) == [1])
    #expect(row.current.ordering.language == Language("sv_SE"))
    #expect(row.version == ContactCollator.of(Language("sv_SE")).version)
    #expect(row.words == ContactSearch.version)
    #expect(row.next == nil && row.done == 0)
  }

  @Test func `a row with a rebuild has two generations and the progress`() throws {
    var row = OrderingRow(first: Language("en_US"))
    row.next = OrderingRow.Generation(number: 2, ordering: .of(Language("sv_SE")))
    row.done = 17
    row.version = "old"
    let stored = try #require(try reloaded(row))
    #expect(stored.generations.map(\.number) == [1, 2])
    #expect(stored.next?.ordering.language == Language("sv_SE"))
    #expect(stored.done == 17 && stored.version == "old")
  }
}
