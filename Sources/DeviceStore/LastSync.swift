// When device and broker last agreed. While the device is live that is now; the time is written when it
// stops being live, because an idle device writes nothing for hours.

import GRDB
import Records
import SQLiteFile

extension Replica {
  /// Notes that device and broker agreed at `time`, unless an edit waits to be sent.
  /// - Throws: `StoreError`.
  package func noteAgreement(at time: Timestamp) throws {
    try database.write { db in
      try db.run(
        """
        UPDATE identity SET last_sync = max(coalesce(last_sync, 0), ?)
        WHERE NOT EXISTS (SELECT 1 FROM outbox)
        """, [time.microseconds])
    }
  }
}
