// The complete files of a test: on a disk, or in a database of their own.

import AssetFiles
import BrokerPostgreSQL
import BrokerStore
import Glibc
import PostgreSQLConnections
import PostgreSQLStores
import Processes
import Records
import SQLConnections
import Testing

/// A kind of complete files.
enum FilesKind: String, CaseIterable, CustomTestStringConvertible {
  case disk
  case postgreSQL

  /// The kinds of this run.
  static var allCases: [FilesKind] {
    switch BrokerStoreKind.ofThisRun {
    case .sqlite: [.disk]
    case .postgreSQL: [.postgreSQL]
    }
  }

  var testDescription: String { rawValue }
}

/// The complete files of one test, with a directory of unfinished uploads.
struct FilesUnderTest {
  let uploads: AssetFiles
  let files: any CompleteFiles
  /// The database with the files, if they are in one.
  private(set) var database: AssetDatabase?
  private let directory: TemporaryDirectory

  init(_ kind: FilesKind) throws {
    directory = try TemporaryDirectory()
    uploads = try AssetFiles(directory: directory.file("assets"), reserveBytes: 0)
    switch kind {
    case .disk: files = uploads
    case .postgreSQL:
      let database = try AssetDatabase()
      files = PostgreSQLAssets(address: database.address, keptSeconds: 0)
      self.database = database
    }
  }

  /// Writes a file, which is not pinned afterwards.
  @discardableResult
  func add(_ bytes: [UInt8], part name: String = "x") throws -> Asset {
    let asset = Asset(of: bytes)
    let part = try uploads.part(named: name)
    try part.append(bytes[...])
    try files.publish(part, as: asset)
    files.unpin(asset.id)
    return asset
  }

  /// Flips a bit of a stored file.
  func damage(_ asset: Asset, at position: Int) throws {
    guard let database else {
      let file = open(uploads.path(of: asset.id), O_RDWR)
      defer { close(file) }
      var byte: UInt8 = 0
      #expect(pread(file, &byte, 1, off_t(position)) == 1)
      byte ^= 1
      #expect(pwrite(file, &byte, 1, off_t(position)) == 1)
      return
    }
    let number = position / ChunkDigests.chunkByteCount
    try database.run(
      """
      UPDATE asset_chunk SET bytes = set_byte(bytes, ?1::integer, get_byte(bytes, ?1::integer) # 1)
      WHERE digest = ?2 AND number = ?3
      """, [position % ChunkDigests.chunkByteCount, asset.digest, number])
  }

  /// Removes the end of a stored file.
  func shorten(_ asset: Asset) throws {
    guard let database else {
      #expect(truncate(uploads.path(of: asset.id), off_t(asset.byteCount - 1)) == 0)
      return
    }
    try database.run(
      """
      DELETE FROM asset_chunk WHERE digest = ?1 AND number =
        (SELECT max(number) FROM asset_chunk WHERE digest = ?1)
      """, [asset.digest])
  }
}

/// A database with the tables of a broker, on the server of the contract tests.
struct AssetDatabase {
  let address: String
  let store: PostgreSQLRecordStore

  init() throws {
    var address = ""
    store = try PostgreSQLStores.make {
      address = $0
      return try PostgreSQLRecordStore(address: $0)
    }
    self.address = address
  }

  /// Runs a statement as the database's administrator would.
  func run(_ sql: String, _ arguments: SQLArguments = []) throws {
    try connect().run(sql, arguments)
  }

  /// Returns the first column of the first row of a query.
  func number(_ sql: String, _ arguments: SQLArguments = []) throws -> Int? {
    try connect().value(sql, arguments)
  }

  func connect() throws -> PostgreSQLConnection {
    let connection = try PostgreSQLConnection(address)
    try connection.run("SET search_path = contacts_broker")
    return connection
  }

  /// Makes each write of a chunk fail with an error that a real server reports only when it is in trouble.
  /// - Parameter event: `INSERT`, or `UPDATE` for the writes of chunks that are there already.
  func failWrites(_ event: String, state: String) throws {
    try run(
      """
      CREATE FUNCTION fail_write() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '\(state)'; END $$
      """)
    try run(
      """
      CREATE TRIGGER fail_write BEFORE \(event) ON asset_chunk
      FOR EACH ROW EXECUTE FUNCTION fail_write()
      """)
  }

  /// Ends the failures of `failWrites`.
  func permitWrites() throws {
    try run("DROP FUNCTION fail_write CASCADE")
  }

  /// Ends all connections to the database but that of the call, as a restart of the server would.
  func endConnections() throws {
    try run(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """)
  }
}

/// Returns content in which no two pages are equal.
func film(byteCount: Int, seed: UInt8 = 0) -> [UInt8] {
  var bytes = [UInt8](repeating: seed, count: byteCount)
  for (page, start) in stride(from: 0, to: byteCount, by: 4096).enumerated() {
    withUnsafeBytes(of: page) { number in
      for (offset, byte) in number.enumerated() where start + offset < byteCount {
        bytes[start + offset] ^= byte
      }
    }
  }
  return bytes
}
