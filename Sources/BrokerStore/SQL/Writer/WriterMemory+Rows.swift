// The cached rows of zones, usage, participants and devices.

import BrokerCore
import Records
import SQLConnections

// MARK: - Zones

extension WriterMemory {
  /// The zone with this key; calls `read` the first time.
  func zone(_ key: ZoneKey, orRead read: () throws -> StoredZone?) rethrows -> StoredZone? {
    if let zone = rows.zones[key] { return zone }
    var zone = try read()
    // NB: the row does not have a head that this transaction raised.
    if let head = transaction.raised[key]?.head { zone?.head = head }
    rows.zones[key] = zone
    return zone
  }

  /// Invalidates a zone and its owner's usage, after columns other than the head were changed.
  func invalidateZone(_ key: ZoneKey) {
    rows.zones[key] = nil
    rows.usages[key.container]?[key.id.owner] = nil
    transaction.isBroad = true
  }

  /// Raises a zone's head and adds to its usage. `finish` writes both, once a transaction.
  func raise(_ key: ZoneKey, row: StoreKey, to head: Revision, adding more: AccountUsage) {
    rows.zones[key]?.head = head
    var total = transaction.raised[key]?.added ?? AccountUsage()
    total.add(more)
    transaction.raised[key] = (row, head, total)
    addUsage(more, to: key.id.owner, container: key.container)
  }

  /// The records that this transaction has added to a zone beyond the count in its row.
  func recordsAdded(to zone: StoreKey) -> Int { added(to: zone).records }

  private func added(to zone: StoreKey) -> AccountUsage {
    transaction.raised.values.first { $0.key == zone }?.added ?? AccountUsage()
  }

  /// Writes the raised heads to their rows.
  func writeRaisedHeads(in db: any SQLConnection) throws {
    guard !transaction.raised.isEmpty else { return }
    let statement = try statements(in: db).head
    for (row, head, added) in transaction.raised.values {
      try statement.run {
        $0.bind(1, head.value)
        $0.bind(2, row)
        $0.bind(3, Int64(added.records))
        $0.bind(4, Int64(added.bytes))
        $0.bind(5, Int64(added.participantsRecords))
        $0.bind(6, Int64(added.participantsBytes))
      }
    }
    transaction.raised = [:]
    if rows.zones.count + rows.numbers.count > Self.rowsMaximum { rows = RowCache() }
  }
}

// MARK: - Usage

extension WriterMemory {
  /// The additions after which an account's usage is read again. Deletions are subtracted only in the
  /// tables, so the cached value grows too large.
  private static let additionsMaximum = 1000

  /// An account's usage in a container; calls `read` when it is not cached or was added to too often.
  func usage(
    of account: AccountID, container: StoreKey,
    orRead read: () throws -> (
      zones: [(key: StoreKey, usage: AccountUsage)], inPublic: AccountUsage
    )
  ) rethrows -> AccountUsage {
    if let known = rows.usages[container]?[account], known.additions < Self.additionsMaximum {
      return known.usage
    }
    let stored = try read()
    var total = stored.inPublic
    for zone in stored.zones {
      total.add(zone.usage)
      // NB: the rows do not have what this transaction added.
      total.add(added(to: zone.key))
    }
    if rows.usages[container, default: [:]].count >= Self.rowsMaximum { rows.usages = [:] }
    rows.usages[container, default: [:]][account] = RowCache.CachedUsage(usage: total)
    return total
  }

  /// Adds to an account's usage, if it is cached.
  func addUsage(_ more: AccountUsage, to account: AccountID, container: StoreKey) {
    rows.usages[container]?[account]?.add(more)
  }
}

// MARK: - Participants and devices

extension WriterMemory {
  /// The accepted participants of a zone, without its owner; calls `read` the first time.
  func members(
    of zone: StoreKey, orRead read: () throws -> [ParticipantTable.Member]
  ) rethrows -> [ParticipantTable.Member] {
    if let known = rows.members[zone] { return known }
    let read = try read()
    if rows.members.count >= Self.rowsMaximum { rows.members = [:] }
    rows.members[zone] = read
    return read
  }

  /// Invalidates a zone's participants, after one was added, removed or given another permission.
  func invalidateMembers(of zone: StoreKey) {
    rows.members[zone] = nil
    transaction.isBroad = true
  }

  /// A device's request numbers; calls `read` the first time.
  func numbers(of device: StoreKey, orRead read: () throws -> Numbers) rethrows -> Numbers {
    if let known = rows.numbers[device] { return known }
    let read = try read()
    rows.numbers[device] = read
    return read
  }

  func set(_ new: Numbers, of device: StoreKey) {
    rows.numbers[device] = new
    transaction.numberedDevices.insert(device)
  }
}
