// What is still in the tables and nobody may see: records that go with a deleted one and wait for
// their own deletion. A record is hidden if, from parent to parent, a way leads to one that was deleted
// after it was saved. Asked only in a zone where something waits; there, a record that goes with
// nothing is passed by after a look at its bytes, and what was found out is kept for as long as one
// moment of the database is looked at.

import BrokerCore
import GRDB
import Records
import SQLiteFile

/// Tells hidden records from others, at one moment of the database.
final class HiddenRecords {
  /// More would have to be looked at than was allowed.
  struct TooManyLooks: Error {}

  private struct Place: Hashable {
    let zone: StoreKey
    let name: RecordName
  }

  /// A record on the way up.
  private struct Step {
    let name: RecordName
    let tag: Revision
    let parents: [RecordName]
    var next = 0
  }

  private let references: ReferenceTable
  private let db: Database
  private var looksLeft: Int
  private var zones: [StoreKey: Bool] = [:]
  private var verdicts: [Place: Bool] = [:]
  /// Under which tags parents were deleted, where they were: asked once each, however many point at one.
  private var deletions: [Place: Revision?] = [:]

  /// Looks at `db` as it is now; at no more than `looksMaximum` records.
  init(db: Database, looksMaximum: Int = .max) {
    self.db = db
    references = ReferenceTable(db: db)
    looksLeft = looksMaximum
  }

  /// Whether the newest state of a record is hidden.
  /// - Throws: `TooManyLooks`.
  func hides(_ change: Change, in zone: StoreKey) throws -> Bool {
    guard change.kind == .saved, try isCascading(zone) else { return false }
    let parents = change.record.mentions.parents
    guard !parents.isEmpty else { return false }
    return try leadsToDeleted(
      Step(name: change.name, tag: change.tag, parents: parents), in: zone)
  }

  /// How a record stands that another is to go with; `nil` where it never was.
  func standing(
    of name: RecordName, in zone: StoreKey
  ) throws -> GatheredReferences.Standing? {
    let kind = try db.first(
      "SELECT kind FROM record WHERE zone = ? AND name = ?", [zone, name.text]
    ) { $0[0] as Int }
    guard let kind else { return nil }
    guard kind == 0 else { return .deleted }
    guard try isCascading(zone), let step = try step(name, in: zone) else { return .there }
    return try leadsToDeleted(step, in: zone) ? .deleted : .there
  }

  private func isCascading(_ zone: StoreKey) throws -> Bool {
    if let known = zones[zone] { return known }
    let read = try references.isCascading(zone)
    zones[zone] = read
    return read
  }

  /// Goes up from a record, into the depth first; rings are met once.
  private func leadsToDeleted(_ start: Step, in zone: StoreKey) throws -> Bool {
    if let verdict = verdicts[Place(zone: zone, name: start.name)] { return verdict }
    var way = [start]
    var met: Set<RecordName> = [start.name]
    while let step = way.last {
      guard step.next < step.parents.count else {
        way.removeLast()
        continue
      }
      let parent = step.parents[step.next]
      way[way.count - 1].next += 1
      if try wasDeleted(parent, after: step.tag, in: zone) {
        for step in way { verdicts[Place(zone: zone, name: step.name)] = true }
        return true
      }
      guard met.insert(parent).inserted, let above = try self.step(parent, in: zone) else {
        continue
      }
      way.append(above)
    }
    for name in met { verdicts[Place(zone: zone, name: name)] = false }
    return false
  }

  /// Whether a parent was deleted after its child was saved, or is known to be hidden.
  private func wasDeleted(
    _ parent: RecordName, after tag: Revision, in zone: StoreKey
  ) throws -> Bool {
    let place = Place(zone: zone, name: parent)
    if verdicts[place] == true { return true }
    let deleted: Revision?
    if let known = deletions[place] {
      deleted = known
    } else {
      try countLook()
      deleted = try references.cascadingTag(of: parent, in: zone)
      deletions[place] = .some(deleted)
    }
    return deleted.map { $0 > tag } ?? false
  }

  /// A record that exists and goes with others, and is not known to be seen.
  private func step(_ name: RecordName, in zone: StoreKey) throws -> Step? {
    guard verdicts[Place(zone: zone, name: name)] == nil else { return nil }
    try countLook()
    let statement = try HotStatement(
      borrowing: "SELECT revision, fields FROM record WHERE zone = ? AND name = ? AND kind = 0",
      from: db)
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

  private func countLook() throws {
    looksLeft -= 1
    guard looksLeft >= 0 else { throw TooManyLooks() }
  }
}
