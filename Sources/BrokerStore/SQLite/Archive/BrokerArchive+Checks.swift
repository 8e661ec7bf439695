import GRDB
import Records
import SQLiteFile

extension BrokerArchive {
  /// Replaces damaged record states by tombstones, so that devices send their copies again, and rebuilds
  /// indexes that disagree with their tables. Returns the changes made, a sentence each. Must be called on a
  /// file that no broker has open.
  /// - Throws: `damaged`, if more is damaged; then only a backup helps.
  package func repair(
    at now: Timestamp, using generator: some RandomNumberGenerator = SystemRandomNumberGenerator()
  ) throws(StoreError) -> [String] {
    let random = RandomSource(generator)
    return try writing { database in
      try database.write { db in
        let indexes = try rebuildIndexes(db)
        let damagedRecords = DamagedRecords(db: SQLiteFileConnection(db))
        let removed = try damagedRecords.remove(at: now)
        try damagedRecords.beginNewHistories(
          after: removed, namesAreReliable: indexes.namesAreReliable, random)
        return
          (indexes.wereSound ? [] : ["Indexes that did not match their tables were rebuilt."])
          + removed.map(\.sentence)
      }
    }
  }
}
