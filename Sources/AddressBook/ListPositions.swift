// The position of each contact in a list, in memory. Of a thousand hits of a search, those that fill a page are found
// without reading the sort keys of the others, each of which lies at a random place of the file.

import Contacts
import DeviceStore
import GRDB
import SQLiteFile

/// The positions of the contacts of one list, at one moment. Of contacts that have not changed since, the order of any
/// two is still right.
final class ListPositions: Sendable {
  /// Beyond this row number, a list has no positions: they take up to 12 bytes of memory for each row.
  private static let recordMaximum = 2_000_000

  private let generation: Int64
  private let order: ContactOrder
  /// By position.
  private let records: [UInt32]
  /// By record; `UInt32.max` for those that are not in the list.
  private let positions: [UInt32]

  /// Reads the index of the list. 100,000 contacts take 10 to 20 ms and about 1 MB.
  /// - Returns: `nil` if the list is too large, or is not read from an index.
  init?(_ order: ContactOrder, generation: Int64, _ db: Database) throws {
    let last = try db.number("SELECT max(record) FROM contact")
    guard order != .modified, last <= Self.recordMaximum else { return nil }
    var records: [UInt32] = []
    var positions = [UInt32](repeating: .max, count: Int(last) + 1)
    let statement = try HotStatement(
      borrowing: """
        SELECT record FROM contact_place INDEXED BY contact_\(order)
        WHERE generation = ? AND indexed = 1 ORDER BY \(order), record
        """, from: db)
    try statement.forEach([generation]) { row in
      let record = Int(row.number(0))
      guard positions.indices.contains(record) else { return true }
      positions[record] = UInt32(records.count)
      records.append(UInt32(record))
      return true
    }
    self.generation = generation
    self.order = order
    self.records = records
    self.positions = positions
  }

  /// Whether these are the positions of the list that `pager` reads, or of the whole list of which it reads a group.
  func areOf(_ pager: ContactPager) -> Bool {
    pager.order == order && pager.generation == generation
  }

  /// The position of a contact; `nil` if it was not in the list.
  func position(of record: Int64) -> Int? {
    guard positions.indices.contains(Int(record)) else { return nil }
    let position = positions[Int(record)]
    return position == .max ? nil : Int(position)
  }

  /// Returns those `count` of `hits` that come first in the list, and every hit whose position is unknown, in no particular
  /// order.
  /// - Parameters:
  ///   - start: The hits at lower positions are left out.
  ///   - hasChanged: Whether a contact may have another position by now.
  func first(
    _ count: Int, of hits: NumberSet, from start: Int, where hasChanged: (Int64) -> Bool
  ) -> NumberSet {
    var found = NumberSet()
    var known = NumberSet()
    for record in hits.numbers {
      guard let position = position(of: record), !hasChanged(record) else {
        found.insert(record)
        continue
      }
      if position >= start { known.insert(Int64(position)) }
    }
    for position in known.smallest(count) { found.insert(Int64(records[Int(position)])) }
    return found
  }

  /// The number of contacts.
  var count: Int { records.count }
}
