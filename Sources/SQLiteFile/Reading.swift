// How stores read. A file has connections for it that cannot write. A database in memory has one
// connection for everything; to forbid it to write for the time of each reading, as GRDB does, makes
// SQLite compile every statement anew, which took half of a simulated world's time.

import GRDB

extension DatabaseWriter {
  /// Reads as one moment has the database, beside a writer where the database is a file.
  ///
  /// NB: in memory `body` is not kept from writing; that it does not is tested on files.
  package func reading<Result>(_ body: (Database) throws -> Result) throws -> Result {
    guard let queue = self as? DatabaseQueue, queue.path == ":memory:" else {
      return try read(body)
    }
    return try queue.unsafeRead(body)
  }
}
