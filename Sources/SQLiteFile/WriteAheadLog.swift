import GRDB
import GRDBSQLite
import Synchronization

/// The write-ahead log of one database, which the writer checkpoints between commits.
///
/// By default SQLite checkpoints in the commit that fills the log. That commit takes several times as long
/// as others, and its client waits. With this object the writer chooses the time.
package final class WriteAheadLog: Sendable {
  /// The number of pages at which the log counts as full: 16 MiB.
  package static let pagesMaximum = 4000
  /// The length that the file keeps after a longer log was checkpointed: 32 MiB.
  static let bytesKept = 32 << 20
  /// The number of pages at which a commit checkpoints the log after all, if the writer has not.
  private static let pagesInCommit = 16_000

  private let pages = Atomic(0)

  /// Creates the state of an empty log.
  package init() {}

  /// Whether the log is full and the writer should call `copy(in:)`.
  package var isFull: Bool { pages.load(ordering: .relaxed) >= Self.pagesMaximum }

  /// Checkpoints the log: copies its pages into the database, except those that a reader still needs. Pages
  /// that cannot be copied, because the disk is full, stay in the log.
  package func copy(in db: Database) {
    sqlite3_wal_checkpoint_v2(db.sqliteConnection, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    // The next commit reports the number of pages left.
    pages.store(0, ordering: .relaxed)
  }

  /// Counts the log's pages after each commit of `db`, which must not outlive this object.
  ///
  /// NB: the hook replaces `wal_autocheckpoint`.
  func observeCommits(of db: Database) {
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
