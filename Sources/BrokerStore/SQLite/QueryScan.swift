// A query on SQLite: every record of the zones it asks is looked at as its bytes stand in the row, in
// the order of names, which is how the table is searched anyway. A hundred thousand take some tenths
// of a second; where no order is asked for, a page ends as soon as it is full. Where an index that was
// declared helps, only what it finds is looked at; the page is the same.

import BrokerCore
import FoundationEssentials
import GRDB
import Predicates
import Records
import SQLiteFile

/// Answers one page of a query.
struct QueryScan {
  /// What a query may take between two looks at the clock, in bytes looked at: about a millisecond.
  private static let stepsPerLook = 1 << 20

  let db: Database
  let origins: OriginCache
  let identity: SessionIdentity
  let clock: QueryClock
  let damages: DamageList
  let publicRights: PublicRights
  let hidden: HiddenRecords

  /// The page.
  func page(_ query: RecordQuery, from cursor: QueryCursor?) throws -> FoundPage {
    var run = try QueryRun(query, from: cursor, now: clock.now, isBrief: clock.isBrief)
    let zones = try zones(of: query)
    let table = IndexTable(db: db)
    let choice = IndexChoice(
      table: table, query: query, cursor: cursor, indexes: try table.usable(for: query.type))
    // In several zones a name can come again, and so can those before it.
    let start = zones.count == 1 && query.sort.isEmpty ? cursor?.name : nil
    var due = Self.stepsPerLook
    for zone in zones {
      guard !clock.isOverdue() else { throw Self.tooSlow }
      if let key = zone.key, let walk = try choice.walk(in: key) {
        try scan(zone.id, key, walk, from: start, due: &due, into: &run)
      } else {
        try scan(zone, query.type, from: start, isAlone: zones.count == 1, due: &due, into: &run)
      }
    }
    let page = run.page()
    return FoundPage(
      records: page.records, cursor: page.cursor?.bytes,
      incarnation: query.database == .public ? zones.first?.incarnation : nil,
      skipped: page.skipped)
  }

  /// Whether the clock was due to be looked at.
  /// - Throws: `limitExceeded` where the query takes too long.
  private func isDue(_ due: inout Int, _ run: borrowing QueryRun) throws -> Bool {
    guard run.stepsUsed >= due else { return false }
    due = run.stepsUsed + Self.stepsPerLook
    if clock.isOverdue() { throw Self.tooSlow }
    return true
  }

  private func scan(
    _ zone: StoredZone, _ type: RecordType, from name: RecordName?, isAlone: Bool,
    due: inout Int, into run: inout QueryRun
  ) throws {
    guard let key = zone.key else { return }
    let records = RecordTable(
      db: db, origins: origins, memory: nil, damages: damages, hidden: hidden)
    try records.visit(type, in: key, from: name) { record in
      _ = try isDue(&due, run)
      guard isReadable(record, in: zone.id) else { return true }
      try look(at: record, in: zone.id, &run)
      return !(isAlone && run.isDecidedInOrder)
    }
  }

  private func scan(
    _ zone: ZoneID, _ key: StoreKey, _ walk: IndexWalk, from name: RecordName?,
    due: inout Int, into run: inout QueryRun
  ) throws {
    let records = RecordTable(
      db: db, origins: origins, memory: nil, damages: damages, hidden: hidden)
    let isDescending = walk.isAscending == false
    var isOver = false
    for range in isDescending ? walk.ranges.ranges.reversed() : walk.ranges.ranges where !isOver {
      try records.visit(
        range, of: walk.index.key, in: key, from: name, isDescending: isDescending
      ) { record, indexed in
        // A record that the disk had damaged may have left a row behind: it is found by its own.
        guard IndexKey(of: walk.index.declared.path, in: record) == indexed else { return true }
        // Now and then is enough: what lies behind the page's end changes nothing.
        if try isDue(&due, run) {
          isOver = walk.isAscending != nil && run.isDecided(at: indexed, isDescending)
        }
        if !isOver, isReadable(record, in: zone) { try look(at: record, in: zone, &run) }
        return !isOver
      }
    }
  }

  private func look(at record: Change, in zone: ZoneID, _ run: inout QueryRun) throws {
    try run.look(at: record, in: zone)
    if run.isTooCostly { throw Self.tooSlow }
  }

  /// Where rights belong to records, whether the account may read this one.
  private func isReadable(_ record: Change, in zone: ZoneID) -> Bool {
    !zone.isPublic || publicRights.allowsReading(record, by: identity)
  }

  fileprivate static var tooSlow: RecordsError {
    RecordsError(
      .limitExceeded,
      "The query takes longer than the \(BrokerLimits.querySeconds) seconds it may.",
      hint: "Ask one zone, or for something simpler.", reason: "tooSlow")
  }

  /// The zones that the query asks and the account may read.
  private func zones(of query: RecordQuery) throws -> [StoredZone] {
    if let id = query.database == .public ? query.zone ?? .public : query.zone {
      let zone = try ZoneTable(db: db, memory: nil).zone(id, container: identity.container)
      guard let zone, try isAsked(zone, by: query) else {
        throw RecordsError(
          .zoneNotFound, "There is no zone \(id.name) in the \(query.database) database.",
          hint: "It was deleted, or is no longer shared with this account.", field: "zone")
      }
      return [zone]
    }
    return try ZoneTable(db: db, memory: nil).zones(
      inDirectoryOf: identity.accountKey, container: identity.container
    ).filter { try isAsked($0, by: query) }
  }

  private func isAsked(_ zone: StoredZone, by query: RecordQuery) throws -> Bool {
    guard !zone.isDeleted, zone.id.database(for: identity.account) == query.database else {
      return false
    }
    return try zone.id.isPublic
      || ParticipantTable(db: db, memory: nil).access(of: identity, in: zone).allowsReading
  }
}

extension QueryRun {
  /// Whether, walking an index, all that can be on the page was met before this key.
  fileprivate func isDecided(at key: IndexKey, _ isDescending: Bool) -> Bool {
    guard let last = lastKey else { return false }
    return isDescending ? key < last : last < key
  }
}

extension SQLiteRecordStore {
  package func query(
    _ query: RecordQuery, from cursor: QueryCursor?, of identity: SessionIdentity,
    clock: QueryClock
  ) throws -> FoundPage {
    try reading { db in
      // NB: also rows that SQL alone passes over take their time.
      try db.interrupted(when: clock.isOverdue, as: QueryScan.tooSlow) {
        let scan = QueryScan(
          db: db, origins: origins, identity: identity, clock: clock, damages: damages,
          publicRights: publicRights, hidden: HiddenRecords(db: db))
        return try scan.page(query, from: cursor)
      }
    }
  }
}
