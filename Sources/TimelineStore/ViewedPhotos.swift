import DeviceStore
import Foundation
import GRDB
import Records
import SQLiteFile

extension Replica {
  /// A person looks at a photo: it stays until `time`, whatever the rule says.
  package func keepPhoto(_ digest: AssetDigest, until time: Timestamp, now: Timestamp) throws {
    try write(now) {
      try $0.db.run(
        "UPDATE post SET kept_until = ? WHERE digest = ?",
        [time.microseconds, Data(digest.bytes)])
    }
  }
}
