// The commits of a simulated world, which the checkers compare all views with.

import BrokerCore
import Records

/// Every commit of a world in order, kept outside the broker. The checkers compare all views with it.
package struct History {
  /// One committed change.
  struct Entry {
    let zone: ZoneID
    let change: Change
    /// The number of changes committed before this one, in all zones.
    let index: Int
  }

  private(set) var entries: [Entry] = []
  private(set) var byZone: [ZoneID: [Entry]] = [:]
  private(set) var newest: [RecordID: Entry] = [:]
  private var lastNumbers: [DeviceID: RequestNumber] = [:]
  private(set) var deletedZones: Set<ZoneID> = []
  /// The newest revision of each zone when it was last deleted, also of those that were restored.
  private(set) var deletedThrough: [ZoneID: Revision] = [:]
  /// The deleted zones with those that were restored.
  var everDeletedZones: Set<ZoneID> { Set(deletedThrough.keys) }
  /// Whether tombstones expired, and with them the earlier versions of their records.
  var hasExpiredTombstones = false
  /// The revision through which the trash of each zone was emptied.
  private(set) var erased: [ZoneID: Revision] = [:]

  /// The number of records that a cascade deleted.
  private(set) var cascadedDeletions = 0

  /// Records what the store did for a request.
  /// - Throws: a violation of I2, I3 or I4, or of the rules for cascading deletions.
  mutating func take(_ request: StorageRequest, _ result: StorageResult) throws {
    guard let effects = result.committed else { return }
    var named: Set<RecordID> = []
    if case .client(.modify(let modify), let context) = request {
      let identity = context.identity
      try note(modify.number, of: identity.device)
      for group in modify.groups {
        let zone = group.zone.resolved(for: identity.account)
        for operation in group.operations {
          switch operation {
          case .save(let save): named.insert(RecordID(zone: zone, name: save.name))
          case .delete(let delete): named.insert(RecordID(zone: zone, name: delete.name))
          case .saveZone, .deleteZone, .restoreZone, .emptyTrash: break
          }
        }
      }
    }
    try commit(effects, named: named)
  }

  private mutating func note(_ number: RequestNumber, of device: DeviceID) throws {
    if let last = lastNumbers[device], number <= last {
      throw InvariantViolation(
        "I2/I3", "request \(number) of \(device) took effect after request \(last)")
    }
    lastNumbers[device] = number
  }

  private mutating func commit(_ effects: CommitEffects, named: Set<RecordID>) throws {
    for directory in effects.directories {
      for entry in directory.page.entries {
        if entry.isDeleted {
          deletedZones.insert(entry.zone)
          deletedThrough[entry.zone] = byZone[entry.zone]?.last?.change.tag ?? .zero
        } else {
          deletedZones.remove(entry.zone)
        }
        erased[entry.zone] = max(erased[entry.zone] ?? .zero, entry.erasedThrough)
      }
    }
    for commit in effects.zones {
      for change in commit.changes {
        let id = RecordID(zone: commit.zone.id, name: change.name)
        if change.kind == .deleted, !named.contains(id) {
          try checkCascade(change, id)
          cascadedDeletions += 1
        }
        try append(change, zone: commit.zone.id)
      }
    }
  }

  /// Checks that a record that no request named was deleted by a cascade: it existed, and the same request
  /// deleted a record that it referred to.
  private func checkCascade(_ change: Change, _ id: RecordID) throws {
    guard let before = newest[id]?.change, before.kind == .saved else {
      throw InvariantViolation("references", "\(id) was deleted, but did not exist")
    }
    let parents = before.record.mentions.parents
    let isGone = byZone[id.zone, default: []].contains { entry in
      entry.change.kind == .deleted && parents.contains(entry.change.name)
        && entry.change.tag > before.tag
        && entry.change.modified.origin == change.modified.origin
    }
    guard isGone else {
      throw InvariantViolation(
        "references", "\(id) was deleted by a cascade, but its parents \(parents) were not deleted")
    }
  }

  /// When the world is settled, no record refers to a parent that was deleted since.
  func checkNoDanglingReferences() throws {
    for (id, entry) in newest where entry.change.kind == .saved && !deletedZones.contains(id.zone) {
      for parent in entry.change.record.mentions.parents {
        let states = byZone[id.zone, default: []].filter { $0.change.name == parent }
        let isDeletedSince = states.contains {
          $0.change.kind == .deleted && $0.change.tag > entry.change.tag
        }
        guard states.last?.change.kind == .saved, !isDeletedSince else {
          throw InvariantViolation(
            "references", "\(id) exists, but its parent \(parent) was deleted")
        }
      }
    }
  }

  private mutating func append(_ change: Change, zone: ZoneID) throws {
    let head = byZone[zone]?.last?.change.tag ?? .zero
    guard change.tag == head.next else {
      throw InvariantViolation(
        "I4", "revision \(change.tag) of \(zone) was committed after \(head)")
    }
    let entry = Entry(zone: zone, change: change, index: entries.count)
    entries.append(entry)
    byZone[zone, default: []].append(entry)
    newest[RecordID(zone: zone, name: change.name)] = entry
  }

  /// Returns the change with this revision in a zone.
  func change(_ revision: Revision, in zone: ZoneID) -> Change? {
    let index = Int(revision.value) - 1
    guard let entries = byZone[zone], entries.indices.contains(index) else { return nil }
    return entries[index].change
  }

  /// Whether a record was deleted at a revision or later.
  func wasDeleted(_ id: RecordID, since tag: Revision) -> Bool {
    byZone[id.zone, default: []].contains {
      $0.change.name == id.name && $0.change.kind == .deleted && $0.change.tag >= tag
    }
  }

  /// Whether a record existed before a revision.
  func wasSaved(_ id: RecordID, before tag: Revision) -> Bool {
    byZone[id.zone, default: []].contains {
      $0.change.name == id.name && $0.change.kind == .saved && $0.change.tag < tag
    }
  }

  /// Returns the existing records of a zone with their fields.
  func living(in zone: ZoneID) throws -> [RecordName: Fields] {
    var result: [RecordName: Fields] = [:]
    guard !deletedZones.contains(zone) else { return result }
    for (id, entry) in newest where id.zone == zone && entry.change.kind == .saved {
      result[id.name] = try entry.change.record.fields()
    }
    return result
  }

  /// Checks a range of the feed that a device received.
  /// - Throws: a violation of I5.
  func check(_ stretch: ZoneChanges) throws {
    var last = stretch.from
    for change in stretch.changes {
      guard change.tag > last, change.tag <= stretch.to else {
        throw InvariantViolation(
          "I5", "\(stretch.zone) \(stretch.from)…\(stretch.to) contains \(change.tag) after \(last)"
        )
      }
      last = change.tag
      guard self.change(change.tag, in: stretch.zone) == change else {
        throw InvariantViolation("I5", "revision \(change.tag) differs from its commit")
      }
    }
    // A live frame is complete; a page from disk omits superseded changes.
    let isWhole = stretch.changes.count == Int(stretch.to.value - stretch.from.value)
    if stretch.scanStart == nil, !isWhole {
      throw InvariantViolation(
        "I5", "a live frame \(stretch.from)…\(stretch.to) has \(stretch.changes.count) changes")
    }
  }
}
