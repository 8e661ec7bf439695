import BrokerCore
import Records
import SQLConnections

/// What the memory has to do with other brokers on the same database.
extension WriterMemory {
  /// Forgets what does not fit the rows any more after a commit of another broker. Subscriptions are read again at the next
  /// transaction.
  package func forget(after entry: CommitLogEntry) {
    for case .formerKey(let device) in entry.notice.expulsions {
      keyGenerations.current[device, default: 0] += 1
      keyGenerations.committed[device, default: 0] += 1
    }
    book.staleKeys.formUnion(entry.subscriptions)
    guard !entry.isBroad else { return forgetDerived() }
    for zone in entry.notice.zones {
      rows.zones[ZoneKey(container: zone.key.container, id: zone.key.zone)] = nil
      if zone.key.zone.isPublic {
        rows.usages[zone.key.container] = nil
      } else {
        rows.usages[zone.key.container]?[zone.key.zone.owner] = nil
      }
    }
    for device in entry.devices { rows.numbers[device] = nil }
    if let last = entry.notice.notified.last { notifications.head = (last.number, false) }
  }

  private func forgetDerived() {
    rows = RowCache()
    notifications = NotificationCache()
    referenceUse = [:]
    if lost == .nothing { lost = .rolledBack }
  }

  /// What other brokers must know of the open transaction. Must be called after `finish`.
  package var logEntry: CommitLogEntry {
    guard let notice = transaction.notice else { return .anything }
    return CommitLogEntry(
      notice: notice, devices: transaction.numberedDevices, subscriptions: book.changedKeys,
      removedDevices: transaction.removedDevices, isBroad: transaction.isBroad)
  }
}

extension SQLTransaction {
  func announce(_ results: [StorageResult]) {
    guard db.isRemote else { return }
    let notice = CommitNotice(results)
    let announced = Set(notice.zones.map(\.row))
    // A change that no connection hears of, such as one of a job.
    if memory.transaction.raised.values.contains(where: { !announced.contains($0.key) }) {
      memory.transaction.isBroad = true
    }
    memory.transaction.notice = notice
  }
}
