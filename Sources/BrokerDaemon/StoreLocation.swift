import AssetFiles
import BrokerCore
import BrokerPostgreSQL
import BrokerStore
import DaemonKit
import Logging
import Records

/// The place of a broker's records and their asset files: its state directory, or a PostgreSQL database. The state directory
/// has everything else in both cases, such as the list of removed devices and the keys of TLS.
struct StoreLocation: Sendable {
  /// The state directory.
  let statePath: String
  /// The address of the PostgreSQL database; `nil` for a file. It can contain a password.
  let database: String?

  /// The path of the SQLite file.
  var file: String { "\(statePath)/broker.sqlite" }

  /// Opens the store. The state directory must be locked.
  /// - Parameter logger: Gets each damaged record once.
  func open(publicRights: PublicRights = PublicRights(), logger: Logger? = nil) throws(StoreError)
    -> any RecordStore
  {
    let report: @Sendable (DamagedState) -> Void = { logger?.reportDamage($0) }
    guard let database else {
      return try SQLiteRecordStore(path: file, publicRights: publicRights, report: report)
    }
    return try PostgreSQLRecordStore(
      address: database,
      removedDevices: RemovedDevices(path: "\(statePath)/\(RemovedDevices.name)"),
      publicRights: publicRights, usesServerClock: true, report: report,
      end: { failure in
        logger?.critical("the database was lost in doubt", metadata: ["reason": "\(failure)"])
        DaemonExit.end("contacts-broker", because: failure)
      })
  }

  /// The complete asset files, if they are in the database; `nil` if they are in the state directory.
  var filesInDatabase: (any CompleteFiles)? { database.map { PostgreSQLAssets(address: $0) } }

  /// The complete asset files, for subcommands that read them.
  func files() throws(StoreError) -> any CompleteFiles {
    if let files = filesInDatabase { return files }
    return try AssetFiles(directory: "\(statePath)/assets", reserveBytes: 0)
  }

  /// The database, for subcommands that read it.
  var archive: any RecordArchive {
    if let database { PostgreSQLArchive(address: database) } else { BrokerArchive(path: file) }
  }

  /// Checks that the records are in a file, for what PostgreSQL does with its own programs.
  /// - Throws: `usage` if they are in a PostgreSQL database.
  func requireFile(for command: String) throws(DaemonError) {
    guard database != nil else { return }
    throw DaemonError(
      .usage,
      "This broker's records are in a PostgreSQL database, which “\(command)” does not read.",
      hint: "Use PostgreSQL's own programs; docs/scale.md says how.")
  }
}

extension Logger {
  fileprivate func reportDamage(_ damaged: DamagedState) {
    error(
      "a record is damaged and withheld",
      metadata: [
        "record": "\(damaged.name)", "zone": "\(damaged.zone)", "revision": "\(damaged.revision)",
        "hint":
          "contacts-broker check lists damaged records; contacts-broker repair restores them",
      ])
  }
}
