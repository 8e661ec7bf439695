// Asset files in a PostgreSQL database, in chunks. A file is there when all its chunks are and its row in `asset_file`,
// which is written last; chunks without that row are of a file that is being written, or of a broker that was killed
// meanwhile. A chunk never changes, except from damaged to intact, because the digest names the content.

import AssetFiles
import BrokerStore
import PostgreSQLConnections
import Records
import SQLConnections

/// The complete asset files of brokers, in their database.
package final class PostgreSQLAssets: CompleteFiles {
  /// The chunks are pictures and films mostly, which the server should not try to compress. `asset_pin` has the files that
  /// are kept although no row of an account refers to them yet: brokers write them.
  static let schema = """
    CREATE TABLE asset_file (
      digest bytea PRIMARY KEY,
      size bigint NOT NULL,
      chunk_digests bytea NOT NULL
    );
    CREATE TABLE asset_chunk (
      digest bytea NOT NULL,
      number bigint NOT NULL,
      bytes bytea NOT NULL,
      PRIMARY KEY (digest, number)
    );
    ALTER TABLE asset_chunk ALTER COLUMN bytes SET STORAGE EXTERNAL;
    CREATE TABLE asset_pin (
      digest bytea PRIMARY KEY,
      kept_until timestamptz NOT NULL
    );
    """

  /// The files that one transaction removes.
  private static let filesPerRemoval = 64

  package let pins = AssetPins()
  private let connections: PostgreSQLConnectionPool
  private let keptSeconds: Int

  /// Uses the files in the database at `address`, which has a broker's tables: a `PostgreSQLRecordStore` was opened on
  /// it. Connections are opened when they are needed.
  /// - Parameter keptSeconds: How long other brokers keep a file after a part of it was written.
  package convenience init(address: String, keptSeconds: Int = 3600) {
    self.init(address: address, schema: PostgreSQLSchema.name, keptSeconds: keptSeconds)
  }

  /// Uses the files in another schema with a broker's tables.
  init(address: String, schema: String, keptSeconds: Int = 3600) {
    self.keptSeconds = keptSeconds
    connections = PostgreSQLConnectionPool(address: address, schema: schema)
  }

  /// The server's disk is not this machine's.
  package var freeBytes: Int? { nil }

  package func logName(of digest: AssetDigest) -> String { "asset_file \(digest)" }

  // MARK: Reading

  package func holds(_ asset: Asset) throws -> Bool {
    try connections.use { db in
      let isPresent: Bool? = try db.value(
        "SELECT size = ?1 AND \(Self.hasAllChunks) FROM asset_file AS file WHERE digest = ?2",
        [asset.byteCount, asset.digest])
      return isPresent ?? false
    }
  }

  /// Whether the chunks of the file `file` have its length. The server does not read them for that.
  private static let hasAllChunks = """
    file.size = (
      SELECT coalesce(sum(octet_length(bytes)), 0) FROM asset_chunk
      WHERE asset_chunk.digest = file.digest)
    """

  package func open(_ digest: AssetDigest, verified: FileIdentity?) throws -> any AssetContent {
    try content(of: digest)
  }

  private func content(of digest: AssetDigest) throws -> PostgreSQLAssetContent {
    let row = try connections.use { db -> (byteCount: Int, digests: [UInt8])? in
      try db.first(
        "SELECT size, chunk_digests FROM asset_file WHERE digest = ?", [digest.bytes]
      ) { ($0[0], $0[1]) }
    }
    guard let row else { throw RecordsError.missing(digest) }
    guard let digests = ChunkDigests(row.digests, byteCount: row.byteCount) else {
      throw RecordsError.changed(digest)
    }
    return PostgreSQLAssetContent(of: digest, digests, in: connections)
  }

  package func verify(_ digest: AssetDigest) throws {
    let found: AssetDigest
    do {
      found = try Self.digest(of: content(of: digest))
    } catch let error as StoreError {
      if error.kind == .damaged { throw RecordsError.changed(digest) }
      throw error
    }
    guard found == digest else { throw RecordsError.changed(digest) }
  }

  private static func digest(of content: PostgreSQLAssetContent) throws(StoreError) -> AssetDigest {
    var digests = ChunkDigests()
    while digests.byteCount < content.byteCount {
      digests.append(
        Array(try content.bytes(from: digests.byteCount, count: ChunkDigests.chunkByteCount)))
    }
    return digests.fileDigest
  }

  // MARK: Writing

  package func publish(_ part: AssetPart, as asset: Asset) throws {
    try part.requireContent(of: asset)
    try add(asset) { offset, count in try part.bytes(from: offset, count: count) }
    part.discard()
  }

  /// A few chunks are written in each transaction.
  package func add(
    _ asset: Asset, read: (_ offset: Int, _ count: Int) throws -> [UInt8]
  ) throws {
    pin(asset.id)
    do {
      try write(asset, read: read)
    } catch {
      unpin(asset.id)
      throw error
    }
  }

  private func write(
    _ asset: Asset, read: (_ offset: Int, _ count: Int) throws -> [UInt8]
  ) throws {
    var digests = ChunkDigests()
    repeat {
      let batch = try ChunkBatch(of: asset, after: &digests, read: read)
      let isLast = digests.byteCount == asset.byteCount
      if isLast, digests.fileDigest != asset.id { throw RecordsError.wrongContent }
      try store(batch, of: asset, isLast ? digests : nil)
    } while digests.byteCount < asset.byteCount
  }

  /// Writes some chunks, and with the last ones the file's row, even if the server cannot read the chunks that it has.
  private func store(
    _ batch: ChunkBatch, of asset: Asset, _ digests: ChunkDigests?
  ) throws(StoreError) {
    do {
      try insert(batch, of: asset, digests)
    } catch {
      guard error.kind == .damaged else { throw error }
      try connections.transact { db in try batch.delete(in: db) }
      try insert(batch, of: asset, digests)
    }
  }

  private func insert(
    _ batch: ChunkBatch, of asset: Asset, _ digests: ChunkDigests?
  ) throws(StoreError) {
    try connections.transact { db in
      try Self.lock(asset.id, in: db)
      try db.run(
        """
        INSERT INTO asset_pin (digest, kept_until)
        VALUES (?, now() + ? * interval '1 second')
        ON CONFLICT (digest) DO UPDATE SET kept_until = excluded.kept_until
        """, [asset.digest, keptSeconds])
      try batch.insert(in: db)
      guard let digests else { return }
      try db.run(
        """
        INSERT INTO asset_file AS file (digest, size, chunk_digests) VALUES (?, ?, ?)
        ON CONFLICT (digest) DO UPDATE
        SET size = excluded.size, chunk_digests = excluded.chunk_digests
        WHERE (file.size, file.chunk_digests) IS DISTINCT FROM
          (excluded.size, excluded.chunk_digests)
        """,
        [asset.digest, asset.byteCount, digests.bytes])
      let isComplete: Bool? = try db.value(
        "SELECT \(Self.hasAllChunks) FROM asset_file AS file WHERE digest = ?", [asset.digest])
      guard isComplete == true else {
        throw StoreError(.inUse, "The file \(asset.id) was removed while it was written.")
      }
    }
  }

  // MARK: Removing

  /// A row of an account protects a file in any case.
  package func remove(_ digests: [AssetDigest]) throws(StoreError) {
    try pins.withUnpinned(of: digests, removeUnpinned)
  }

  private func removeUnpinned(_ digests: [AssetDigest]) throws(StoreError) {
    for start in stride(from: 0, to: digests.count, by: Self.filesPerRemoval) {
      let batch = digests[start..<min(start + Self.filesPerRemoval, digests.count)]
      try connections.transact { db in
        for digest in batch.sorted() { try Self.remove(digest, in: db) }
      }
    }
  }

  /// Makes this transaction the only one that writes or removes the file, until it ends. Statements that follow see what
  /// the one before has done.
  private static func lock(_ digest: AssetDigest, in db: PostgreSQLConnection) throws {
    let number = digest.bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    try db.run("SELECT pg_advisory_xact_lock(?)", [number])
  }

  private static func remove(_ digest: AssetDigest, in db: PostgreSQLConnection) throws {
    try lock(digest, in: db)
    for table in ["asset_chunk", "asset_file"] {
      try db.run(
        """
        DELETE FROM \(table)
        WHERE digest = ?1 AND NOT EXISTS (SELECT 1 FROM asset WHERE asset.digest = ?1)
          AND NOT EXISTS (SELECT 1 FROM asset_pin WHERE asset_pin.digest = ?1 AND kept_until > now())
        """, [digest.bytes])
    }
  }

  package func unpinned(inDirectory index: UInt8) throws -> [AssetDigest] {
    let end = index == .max ? [UInt8](repeating: .max, count: 33) : [index + 1]
    let found: [[UInt8]] = try connections.use { db in
      try db.run("DELETE FROM asset_pin WHERE kept_until <= now()")
      return try db.column(
        """
        (SELECT digest FROM asset_file WHERE digest >= ?1 AND digest < ?2
        UNION SELECT digest FROM asset_chunk WHERE digest >= ?1 AND digest < ?2)
        EXCEPT SELECT digest FROM asset_pin
        """, [[index], end])
    }
    // NB: read the pins after the tables, or a file published in between would count as unpinned.
    return pins.unpinned(of: found.compactMap { AssetDigest(bytes: $0) })
  }
}
