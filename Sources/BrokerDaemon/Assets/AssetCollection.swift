// Files that nothing has needed for a day go. Their rows are taken out in one transaction, and the
// files removed on the same thread before the next one begins: nobody can enter a file between the
// two, and one whose row is about to come is pinned.

import AssetFiles
import BrokerStore
import Logging
import Records

/// Takes out what is no longer needed.
struct AssetCollection: Sendable {
  /// How long a file stays after the last record that named it: time enough to undo.
  static let graceSeconds: Int64 = 86_400
  /// Rows of one transaction, so that commits wait for milliseconds only.
  private static let rowsMaximum = 200

  let store: any RecordStore
  let files: AssetFiles
  let logger: Logger

  /// Collects once. To be called on the storage thread. Returns whether there may be more.
  func run(at now: Timestamp) -> Bool {
    do {
      let gone = try store.transact {
        try $0.collectAssets(
          graceSeconds: Self.graceSeconds, at: now, rowsMaximum: Self.rowsMaximum)
      }
      for digest in gone.digests { files.remove(digest) }
      if !gone.digests.isEmpty {
        logger.info("files nobody needs removed", metadata: ["files": "\(gone.digests.count)"])
      }
      return gone.isMore
    } catch {
      logger.error("files were not collected", metadata: ["reason": "\(error.logText)"])
      return false
    }
  }
}
