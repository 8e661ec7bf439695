import BrokerCore
import Records
import SQLConnections

/// Reads the records that the requests of a transaction name, before their plans are made one after the other. A database
/// that is another process is then asked once, and not once for each record.
struct ReadAheadRecords {
  /// A record's row: its zone's, and its name.
  struct Key: Hashable {
    let zone: StoreKey
    let name: RecordName
  }

  /// The records that are read ahead for one transaction.
  private static let recordsMaximum = 1000
  /// The bytes of the fields of a record that is read ahead. Larger ones are read when they are needed, so that names
  /// alone fetch no more than 8 MiB.
  private static let bytesMaximum = 8 << 10

  let transaction: SQLTransaction

  /// Reads the records that exist, are small, and are in zones that exist.
  func read(_ requests: [StorageRequest]) throws {
    // A maintenance step may delete rows.
    guard requests.allSatisfy({ if case .client = $0 { true } else { false } }) else { return }
    let keys = try keys(of: requests)
    let found = try transaction.db.rowsOfEach(Self.selection, keys.map { [$0.zone, $0.name.text] })
    for (key, rows) in zip(keys, found) {
      guard let row = rows.first else {
        transaction.memory.transaction.readAhead[key] = .some(nil)
        continue
      }
      guard row.number(StoredState.columnCount) <= Self.bytesMaximum else { continue }
      switch try transaction.records.reader.state(of: row, zone: key.zone) {
      case .intact(let change), .damaged(let change):
        transaction.memory.transaction.readAhead[key] = .some(change)
      }
    }
  }

  private func keys(of requests: [StorageRequest]) throws -> [Key] {
    var keys: Set<Key> = []
    var ordered: [Key] = []
    for case .client(.modify(let request), let context) in requests {
      for group in request.groups {
        let id = group.zone.resolved(for: context.identity.account)
        let zone = try transaction.zones.zone(id, container: context.identity.container)
        guard let zone = zone?.key else { continue }
        for name in group.operations.compactMap(\.recordName) {
          guard ordered.count < Self.recordsMaximum else { return ordered }
          let key = Key(zone: zone, name: name)
          if keys.insert(key).inserted { ordered.append(key) }
        }
      }
    }
    return ordered
  }

  private static let selection = """
    SELECT \(StoredState.columns(of: "record", fieldsMaximum: bytesMaximum)), length(fields) FROM record
    WHERE zone = ? AND name = ?
    """
}

extension SQLTransaction {
  func readAhead(_ requests: [StorageRequest]) throws {
    guard db.isRemote else { return }
    try ReadAheadRecords(transaction: self).read(requests)
  }
}
