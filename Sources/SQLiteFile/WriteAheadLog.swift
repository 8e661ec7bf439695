// SQLite copies its log into the database in the commit that fills it, which takes several times as long
// as others, and whoever committed waits. Here the writer does it between two commits, when it chooses.

import GRDB
import GRDBSQLite
import Synchronization

/// The write-ahead log of one database, for the one that writes to it.
package final class WriteAheadLog: Sendable {
  /// Pages at which the log is full: 16 MiB.
  package static let pagesMaximum = 4000
  /// Pages at which a commit copies it all the same, as nobody else did.
  private static let pagesInCommit = 16_000

  private let pages = Atomic(0)

  /// A log that is empty.
  package init() {}

  /// Whether it is time to copy the log; after the first commit that filled it.
  package var isFull: Bool { pages.load(ordering: .relaxed) >= Self.pagesMaximum }

  /// Copies what is in the log into the database, as far as no reader still needs it where it is. What
  /// cannot be copied, because the disk is full, stays in the log.
  package func copy(in db: Database) {
    sqlite3_wal_checkpoint_v2(db.sqliteConnection, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    // The next commit says how many pages are left.
    pages.store(0, ordering: .relaxed)
  }

  /// Hears of all commits of `db`, which must not outlive this.
  ///
  /// NB: this takes the place of `wal_autocheckpoint`.
  func attend(_ db: Database) {
    sqlite3_wal_hook(
      db.sqliteConnection,
      { log, connection, _, pages in
        let log = Unmanaged<WriteAheadLog>.fromOpaque(log.unsafelyUnwrapped).takeUnretainedValue()
        log.committed(pages: Int(pages), to: connection)
        return SQLITE_OK
      },
      Unmanaged.passUnretained(self).toOpaque())
  }

  private func committed(pages: Int, to connection: OpaquePointer?) {
    self.pages.store(pages, ordering: .relaxed)
    guard pages >= Self.pagesInCommit else { return }
    sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
  }
}
