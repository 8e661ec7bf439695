// Records that a pending cascade will delete. They are still in the tables but must not be read. A record
// is hidden if its chain of parents reaches a record that was deleted after the referring record was
// saved. The check is made only in zones with a pending cascade. There, a record without parents costs one
// scan of its bytes, and results are cached for one snapshot of the database.

import BrokerCore
import Records
import SQLConnections

/// Finds the hidden records, at one snapshot of the database.
final class HiddenRecords {
  /// The answer needs more lookups than allowed.
  struct LookupLimitExceeded: Error {}

  /// A record's name within a zone.
  private struct RecordKey: Hashable {
    let zone: StoreKey
    let name: RecordName
  }

  /// A record on the search path, with its parents and the index of the next one to visit.
  private struct Step {
    let name: RecordName
    let tag: Revision
    let parents: [RecordName]
    var next = 0
  }

  private let references: ReferenceTable
  private let db: any SQLConnection
  private var lookupsLeft: Int
  /// Whether zones have pending cascades.
  private var zones: [StoreKey: Bool] = [:]
  /// Whether records are hidden.
  private var verdicts: [RecordKey: Bool] = [:]
  /// The tombstone tags of parents with a pending cascade, and `nil` for other parents. Each is read once,
  /// however many records refer to it.
  private var deletions: [RecordKey: Revision?] = [:]

  /// Creates an empty cache for the present snapshot of `db`, which may look up `lookupsMaximum` records.
  init(db: any SQLConnection, lookupsMaximum: Int = .max) {
    self.db = db
    references = ReferenceTable(db: db)
    lookupsLeft = lookupsMaximum
  }

  /// Whether the newest state of a record is hidden.
  /// - Throws: `LookupLimitExceeded`.
  func hides(_ change: Change, in zone: StoreKey) throws -> Bool {
    guard change.kind == .saved, try isCascading(zone) else { return false }
    let parents = change.record.mentions.parents
    guard !parents.isEmpty else { return false }
    return try leadsToDeleted(
      Step(name: change.name, tag: change.tag, parents: parents), in: zone)
  }

  /// The status of a record that another one refers to as its parent; `nil` if it never existed. A hidden
  /// record counts as deleted.
  func parentStatus(
    of name: RecordName, in zone: StoreKey
  ) throws -> ReferenceTargets.State? {
    let kind = try db.first(
      "SELECT kind FROM record WHERE zone = ? AND name = ?", [zone, name.text]
    ) { $0[0] as Int }
    guard let kind else { return nil }
    guard kind == 0 else { return .deleted }
    guard try isCascading(zone), let step = try step(name, in: zone) else { return .exists }
    return try leadsToDeleted(step, in: zone) ? .deleted : .exists
  }

  private func isCascading(_ zone: StoreKey) throws -> Bool {
    if let known = zones[zone] { return known }
    let read = try references.isCascading(zone)
    zones[zone] = read
    return read
  }

  /// Searches the ancestors of a record depth-first, each once, for a deleted one. Cycles of references are
  /// possible.
  private func leadsToDeleted(_ start: Step, in zone: StoreKey) throws -> Bool {
    if let verdict = verdicts[RecordKey(zone: zone, name: start.name)] { return verdict }
    var path = [start]
    var visited: Set<RecordName> = [start.name]
    while let step = path.last {
      guard step.next < step.parents.count else {
        path.removeLast()
        continue
      }
      let parent = step.parents[step.next]
      path[path.count - 1].next += 1
      if try wasDeleted(parent, after: step.tag, in: zone) {
        for step in path { verdicts[RecordKey(zone: zone, name: step.name)] = true }
        return true
      }
      guard visited.insert(parent).inserted, let above = try self.step(parent, in: zone) else {
        continue
      }
      path.append(above)
    }
    for name in visited { verdicts[RecordKey(zone: zone, name: name)] = false }
    return false
  }

  /// Whether a parent was deleted after its child was saved, or is known to be hidden.
  private func wasDeleted(
    _ parent: RecordName, after tag: Revision, in zone: StoreKey
  ) throws -> Bool {
    let key = RecordKey(zone: zone, name: parent)
    if verdicts[key] == true { return true }
    let deleted: Revision?
    if let known = deletions[key] {
      deleted = known
    } else {
      try countLookup()
      deleted = try references.deletionTag(of: parent, in: zone)
      deletions[key] = .some(deleted)
    }
    return deleted.map { $0 > tag } ?? false
  }

  /// The search step of an existing record with parents; `nil` for another record, or one that has a verdict.
  private func step(_ name: RecordName, in zone: StoreKey) throws -> Step? {
    guard verdicts[RecordKey(zone: zone, name: name)] == nil else { return nil }
    try countLookup()
    let statement = try db.statement(
      "SELECT revision, fields FROM record WHERE zone = ? AND name = ? AND kind = 0")
    let step = try statement.first {
      $0.bind(1, zone)
      $0.bind(2, name.text)
    } read: {
      Step(
        name: name, tag: Revision($0.number(0)),
        parents: EncodedRecord(stored: $0.bytes(1)).mentions.parents)
    }
    return step?.parents.isEmpty == false ? step : nil
  }

  private func countLookup() throws {
    lookupsLeft -= 1
    guard lookupsLeft >= 0 else { throw LookupLimitExceeded() }
  }
}
