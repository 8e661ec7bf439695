// The headings of a list with how many stand under each, for a letter bar or a jump to “M”. Counts
// are kept (ContactIndex); nothing is scanned.

import Contacts
import DeviceStore
import GRDB
import Records

/// A heading of a list.
package struct SectionView: Hashable, Sendable {
  /// What it says: a letter of some script, or `#`.
  package let label: String
  /// How many contacts stand under it.
  package let contacts: Int
  /// The place of the first of them in the whole list, from 0.
  package let start: Int
  /// The cursor of a list that begins with them.
  package let cursor: String
}

extension DeviceReader {
  /// The headings of a list of names, in order; none for a list by time of change.
  /// - Parameter zone: only this group's contacts.
  package func sections(_ order: ContactOrder, zone: ZoneID? = nil) throws -> [SectionView] {
    guard order != .modified else { return [] }
    return try read { db in
      guard let standing = try OrderingRow.load(db) else { return [] }
      let key = try zone.map { try Self.key(of: $0, db) }
      if key == .some(nil) { return [] }
      let listing = ContactPager(
        db: db, ordering: standing.current.ordering, generation: standing.current.number,
        order: order, zone: key ?? nil, terms: nil, limit: 1)
      return try listing.sections()
    }
  }

  /// How many contacts the device shows, in all or in one zone.
  static func contactCount(_ db: Database, zone: Int64? = nil) throws -> Int {
    let generation = "(SELECT generation FROM contact_ordering)"
    let sums =
      "SELECT sum(contacts) FROM contact_section WHERE generation = \(generation) AND sort = 0"
    guard let zone else { return try db.number(sums) }
    return try db.number(sums + " AND zone = ?", [zone])
  }
}

extension ContactPager {
  fileprivate func sections() throws -> [SectionView] {
    let sort = NameOrder.allCases.firstIndex(of: order.naming) ?? 0
    let condition = zone == nil ? "" : "AND zone = ?"
    let rows = try db.rows(
      """
      SELECT section, sum(contacts) FROM contact_section
      WHERE generation = ? AND sort = ? \(condition) GROUP BY section ORDER BY section
      """, [generation, sort] + (zone.map { [$0] } ?? []))
    var start = 0
    return rows.map { row in
      let section = UInt32(truncatingIfNeeded: row[0] as Int64)
      let contacts: Int = row[1]
      defer { start += contacts }
      return SectionView(
        label: ordering.label(ofSection: section), contacts: contacts, start: start,
        cursor: cursor(section: section, index: start))
    }
  }
}
