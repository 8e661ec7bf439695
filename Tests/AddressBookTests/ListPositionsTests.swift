import AgentStore
import Contacts
import DeviceRoom
import DeviceStore
import GRDB
import Records
import Testing

@testable import AddressBook

@Suite("P7 positions in a list")
struct ListPositionsTests {
  /// A device with contacts whose record numbers do not follow the order of their names.
  private func device(contacts count: Int) throws -> TestDevice {
    let device = try TestDevice(Room(), "laptop", isOnline: false)
    try device.edit(
      (0..<count).map { number in
        let last = String(number * 7919 % count + 10_000)
        let first = String(20_000 - number)
        return .save(
          TestDevice.contact(
            "c\(number)", ["firstName": .string(first), "lastName": .string(last)]))
      })
    while try device.replica.advanceProjections(now: Room.now) {}
    return device
  }

  private func positions(
    _ order: ContactOrder, _ device: TestDevice
  ) throws -> ListPositions? {
    try device.reader.read { try ListPositions(order, generation: 1, $0) }
  }

  @Test(arguments: [ContactOrder.last, .first, .company])
  func `each contact has the position that it has in the list`(order: ContactOrder) throws {
    let device = try device(contacts: 700)
    let positions = try #require(try positions(order, device))
    let list = try device.reader.contacts(ContactQuery(order: order, limit: 1_000)).rows
    let records = try device.reader.read { db in
      try list.map {
        try db.number("SELECT id FROM record WHERE name = ?", [$0.record.id.name.text])
      }
    }
    #expect(positions.count == 700)
    #expect(records.map { positions.position(of: Int64($0)) } == Array(0..<700))
    #expect(positions.position(of: 1_000_000) == nil)
  }

  @Test func `a list by the time of change has no positions`() throws {
    #expect(try positions(.modified, device(contacts: 3)) == nil)
  }

  @Test func `the first hits are those at the lowest positions, and all that are unknown`() throws {
    let device = try device(contacts: 700)
    let positions = try #require(try positions(.last, device))
    let rows = try device.reader.read { db in
      try db.rows("SELECT record FROM contact_place ORDER BY last").map { $0[0] as Int64 }
    }
    var hits = NumberSet()
    for record in stride(from: 0, to: 700, by: 7).map({ rows[$0] }).reversed() {
      hits.insert(record)
    }
    hits.insert(1_000_000)
    let first = positions.first(3, of: hits, from: 70) { $0 == rows[0] || $0 == rows[77] }
    let expected = [rows[0], rows[70], rows[77], rows[84], rows[91], 1_000_000]
    #expect(first.numbers.sorted() == expected.sorted())
  }
}
