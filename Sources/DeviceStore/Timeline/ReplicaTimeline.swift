// What a driver asks of a replica about the timeline.

import Foundation
import GRDB
import Records
import SQLiteFile
import SyncCore

extension Replica {
  /// Whether a run over the timeline is under way.
  package var isReadingPublicRecords: Bool { publicReading.isRunning }

  /// Wants a run over the timeline: `SyncAction.answered(id)` comes when one that began from now on
  /// is over. Without a broker it waits for one.
  package func refreshPublicRecords(id: UInt64?, now: Timestamp) throws -> [SyncAction] {
    try transact(now) { _, machine in machine.refreshPublicRecords(id: id) }
  }

  /// Nobody waits for the run any more.
  package func forgetRefresh(id: UInt64) {
    _ = outsideStore { machine, _ in
      machine.forget(refresh: id)
      return []
    }
  }

  /// How much of a file that is being fetched is here; `nil` when it is not under way.
  package func fetchedBytes(of digest: AssetDigest) -> Int? { syncProgress(digest) }

  /// Somebody looks at a photo: it stays for so long whatever the rule says.
  package func keepPhoto(_ digest: AssetDigest, until time: Timestamp) throws {
    try database.write {
      try $0.run(
        "UPDATE post SET kept_until = ? WHERE digest = ?",
        [time.microseconds, Data(digest.bytes)])
    }
  }
}
