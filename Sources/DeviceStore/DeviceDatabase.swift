// The file a device keeps. Opening it either gives a database of ours in a schema we know, or one
// sentence on why not; nothing is changed in a file that is not ours.

import GRDB
import Records

/// A device's SQLite database, on disk or in memory.
package struct DeviceDatabase: Sendable {
  /// Opens the database at `path`, making it if there is none.
  /// - Throws: `StoreError`, told apart by what a person can do.
  package init(path: String) throws(StoreError) {
    preconditionFailure("being written")
  }

  /// A new database in memory, for simulations and tests.
  package static func inMemory() throws(StoreError) -> DeviceDatabase {
    preconditionFailure("being written")
  }
}
