// Queries on the broker's tables: the zones and records that an account may read. `QueryScan` computes the
// pages.

import BrokerCore
import Predicates
import Records
import SQLConnections

/// The records that a query of an account may read.
struct ReadableRecords: QuerySource {
  let records: RecordTable
  let identity: SessionIdentity
  let publicRights: PublicRights

  private var db: any SQLConnection { records.db }

  // MARK: Zones

  /// The zones of the query that the account may read.
  /// - Throws: `zoneNotFound`, if the query names another one.
  func zones(of query: RecordQuery) throws -> [StoredZone] {
    if let id = query.database == .public ? query.zone ?? .public : query.zone {
      let zone = try ZoneTable(db: db, memory: nil).zone(id, container: identity.container)
      guard let zone, try isIncluded(zone, in: query) else { throw query.zoneNotFound(id) }
      return [zone]
    }
    return try ZoneTable(db: db, memory: nil).zones(
      inDirectoryOf: identity.accountKey, container: identity.container
    ).filter { try isIncluded($0, in: query) }
  }

  private func isIncluded(_ zone: StoredZone, in query: RecordQuery) throws -> Bool {
    guard !zone.isDeleted, zone.id.database(for: identity.account) == query.database else {
      return false
    }
    return try zone.id.isPublic
      || ParticipantTable(db: db, memory: nil).access(of: identity, in: zone).allowsReading
  }

  // MARK: Records

  func visit(
    _ type: RecordType, in zone: QueriedZone, from name: RecordName?,
    visit: (Change) throws -> Bool
  ) throws {
    try records.visit(type, in: zone.key, from: name) { record in
      try !isReadable(record, in: zone) || visit(record)
    }
  }

  func visit(
    _ range: KeyRanges.Range, of index: StoredIndex, in zone: QueriedZone, from name: RecordName?,
    isDescending: Bool, visit: (Change, IndexKey) throws -> Bool
  ) throws {
    try records.visit(
      range, of: index.key, in: zone.key, from: name, isDescending: isDescending
    ) { record, key in
      try !isReadable(record, in: zone) || visit(record, key)
    }
  }

  func count(
    of ranges: KeyRanges, in index: StoredIndex, zone: QueriedZone, maximum: Int
  ) throws -> Int {
    try IndexTable(db: db).count(of: ranges, in: index, zone: zone.key, maximum: maximum)
  }

  /// Whether the account may read a record of `zone`. In the public database each record has its own
  /// permissions.
  private func isReadable(_ record: Change, in zone: QueriedZone) -> Bool {
    !zone.id.isPublic || publicRights.allowsReading(record, by: identity)
  }
}

extension SQLRecordStore {
  package func query(
    _ query: RecordQuery, from cursor: QueryCursor?, of identity: SessionIdentity,
    clock: QueryClock
  ) throws -> FoundPage {
    try reading { db in
      // NB: rows that SQLite itself filters out also take time, so it is interrupted as well.
      try db.interrupted(when: clock.isOverdue, as: RecordsError.queryTooSlow) {
        let records = RecordTable(
          db: db, origins: origins, memory: nil, damages: damages, hidden: HiddenRecords(db: db))
        let source = ReadableRecords(
          records: records, identity: identity, publicRights: publicRights)
        let zones = try source.zones(of: query)
        let page = try QueryScan(
          source, zones: zones.compactMap(\.queried),
          indexes: IndexTable(db: db).usable(for: query.type), clock: clock
        ).page(query, from: cursor)
        return FoundPage(
          records: page.records, cursor: page.cursor?.bytes,
          incarnation: query.database == .public ? zones.first?.incarnation : nil,
          skipped: page.skipped)
      }
    }
  }
}

extension StoredZone {
  /// The zone for a query; `nil` if it has no row and so no records.
  fileprivate var queried: QueriedZone? { key.map { QueriedZone(key: $0, id: id) } }
}
