import GRDB

extension DatabaseWriter {
  /// Runs `body` on a snapshot of the database. If the database is a file, a writer can run at the same time.
  ///
  /// A file has separate read-only connections. A database in memory has one connection for everything.
  /// GRDB makes it read-only during each read, after which SQLite recompiles every statement; that took
  /// half the time of a simulation. This function therefore does not.
  ///
  /// NB: in memory, `body` can write. The tests on files verify that it does not.
  package func reading<Result>(_ body: (Database) throws -> Result) throws -> Result {
    guard let queue = self as? DatabaseQueue, queue.path == ":memory:" else {
      return try read(body)
    }
    return try queue.unsafeRead(body)
  }
}
