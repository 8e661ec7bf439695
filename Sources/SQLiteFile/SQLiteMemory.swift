import CSQLiteMemory

/// The memory that SQLite takes.
package enum SQLiteMemory {
  /// Makes SQLite allocate memory without counting it.
  ///
  /// A write allocates and releases many small blocks. The counters are of the whole process, so each block waits for one
  /// mutex, also for connections in other threads; that took a twentieth of an import's processor time. Nothing here
  /// reads them. A library must not change this for the program that uses it.
  /// - Precondition: The process has not opened a database yet.
  package static func omitStatistics() {
    precondition(sqlite_omit_memory_statistics(), "SQLite is already in use.")
  }
}
