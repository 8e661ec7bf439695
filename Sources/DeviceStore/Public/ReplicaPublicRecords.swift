import Records
import SyncCore

extension Replica {
  /// Whether the public database is being read.
  package var isReadingPublicRecords: Bool { publicReading.isRunning }

  /// Requests a reading of the public database: `SyncAction.answered(id)` follows when one that began from now on
  /// has ended. Without a broker it waits for one.
  package func refreshPublicRecords(id: UInt64?, now: Timestamp) throws -> [SyncAction] {
    try transact(now) { _, machine in machine.refreshPublicRecords(id: id) }
  }

  /// The caller no longer waits for the reading.
  package func forgetRefresh(id: UInt64) {
    _ = outsideStore { machine, _ in
      machine.forget(refresh: id)
      return []
    }
  }

  /// The bytes of a file that have been fetched; `nil` if it is not being fetched.
  package func fetchedBytes(of digest: AssetDigest) -> Int? { syncProgress(digest) }
}
