// Asset files in a PostgreSQL database: transactions, lost connections, and chunks without a file.

import AssetFiles
import BrokerPostgreSQL
import BrokerStore
import PostgreSQLConnections
import Processes
import Records
import SQLConnections
import Testing

@Suite("I19 asset files in PostgreSQL", onPostgreSQL, .timeLimit(.minutes(5)))
struct PostgreSQLAssetsTests {
  private static let chunk = ChunkDigests.chunkByteCount

  private let database: AssetDatabase
  private let assets: PostgreSQLAssets

  init() throws {
    database = try AssetDatabase()
    assets = PostgreSQLAssets(address: database.address, keptSeconds: 0)
  }

  /// Writes a file without a part, which is not pinned afterwards.
  /// - Parameter before: Called before each chunk is read, with its offset.
  @discardableResult
  private func add(_ bytes: [UInt8], before: (Int) throws -> Void = { _ in }) throws -> Asset {
    let asset = Asset(of: bytes)
    try assets.add(asset) { offset, count in
      try before(offset)
      return Array(bytes[offset..<offset + count])
    }
    assets.unpin(asset.id)
    return asset
  }

  private func chunkCount(_ asset: Asset) throws -> Int? {
    try database.number("SELECT count(*) FROM asset_chunk WHERE digest = ?", [asset.digest])
  }

  // MARK: Transactions

  @Test func `a large file is written four MiB at a time`() throws {
    let asset = try add(film(byteCount: 33 * Self.chunk))
    let sizes =
      try database.connect().column(
        "SELECT count(*) FROM asset_chunk GROUP BY xmin::text ORDER BY 1 DESC") as [Int]
    #expect(sizes == [16, 16, 1])
    #expect(try assets.holds(asset))
  }

  @Test func `a file that is there already is not written again`() throws {
    let bytes = film(byteCount: 2 * Self.chunk)
    try add(bytes)
    let versions = "SELECT string_agg(xmin::text, ' ' ORDER BY number) FROM asset_chunk"
    let before: String? = try database.connect().value(versions)
    try add(bytes)
    #expect(try database.connect().value(versions) == before)
  }

  @Test func `a write that ends in the middle leaves no file, and the next one completes it`()
    throws
  {
    struct Killed: Error {}
    let bytes = film(byteCount: 20 * Self.chunk)
    let asset = Asset(of: bytes)
    #expect(throws: Killed.self) {
      try add(bytes) { if $0 == 18 * Self.chunk { throw Killed() } }
    }
    #expect(try chunkCount(asset) == 16)
    #expect(try !assets.holds(asset))
    let error = #expect(throws: RecordsError.self) { try assets.open(asset.id, verified: nil) }
    #expect(error?.code == .assetNotAvailable)
    try add(bytes)
    #expect(try assets.holds(asset))
    try assets.verify(asset.id)
  }

  @Test func `content that is not that of the asset gets no row`() throws {
    let asset = Asset(of: [1, 2, 3])
    let error = #expect(throws: RecordsError.self) {
      try assets.add(asset) { _, _ in [1, 2, 4] }
    }
    #expect(error?.reason == "wrongDigest")
    #expect(try !assets.holds(asset))
    #expect(throws: RecordsError.self) { try assets.add(asset) { _, _ in [1, 2] } }
  }

  @Test func `chunks whose digests are intact but whose order is wrong are no valid file`() throws {
    let asset = try add(film(byteCount: 2 * Self.chunk))
    try database.run("UPDATE asset_chunk SET number = number + 2")
    try database.run("UPDATE asset_chunk SET number = 3 - number")
    try database.run(
      """
      UPDATE asset_file SET chunk_digests =
        substr(chunk_digests, 33) || substr(chunk_digests, 1, 32)
      """)
    #expect(try assets.holds(asset))
    let error = #expect(throws: RecordsError.self) { try assets.verify(asset.id) }
    #expect(error?.reason == "damaged")
  }

  @Test(arguments: [
    "SET size = size + 1", "SET size = size - 1", "SET size = -1",
    "SET chunk_digests = set_byte(chunk_digests, 0, 255 - get_byte(chunk_digests, 0))",
    "SET chunk_digests = substr(chunk_digests, 2)",
  ])
  func `a damaged row of a file is reported`(change: String) throws {
    let bytes = film(byteCount: Self.chunk + 1000)
    let asset = try add(bytes)
    try database.run("UPDATE asset_file \(change)")
    let error = #expect(throws: RecordsError.self) { try assets.verify(asset.id) }
    #expect(error?.reason == "damaged")
    try add(bytes)
    try assets.verify(asset.id)
  }

  // MARK: Troubles of the server

  @Test func `a full disk of the server is reported as one`() throws {
    let bytes = film(byteCount: 1000)
    try database.failWrites("INSERT", state: "53100")
    let error = #expect(throws: StoreError.self) { try add(bytes) }
    #expect(error?.kind == .full)
    try database.permitWrites()
    #expect(try assets.holds(add(bytes)))
  }

  @Test func `chunks that the server cannot read are written again`() throws {
    let bytes = film(byteCount: 3 * Self.chunk)
    let asset = try add(bytes)
    try database.run("UPDATE asset_chunk SET bytes = 'x' WHERE number = 1")
    try database.failWrites("UPDATE", state: "XX001")
    try add(bytes)
    try assets.verify(asset.id)
  }

  @Test func `lost connections are opened again, before a read and during a write`() throws {
    let bytes = film(byteCount: 33 * Self.chunk)
    let asset = try add(bytes) { if $0 == 20 * Self.chunk { try database.endConnections() } }
    let content = try assets.open(asset.id, verified: nil)
    for offset in stride(from: 0, to: bytes.count, by: 10 * Self.chunk) {
      try database.endConnections()
      #expect(try content.bytes(from: offset, count: 10) == bytes[offset..<offset + 10])
    }
  }

  @Test func `a download goes on after the server was killed and started`() async throws {
    let server = try PostgreSQLServer()
    let address = try server.makeDatabase()
    _ = try PostgreSQLRecordStore(address: address)
    let assets = PostgreSQLAssets(address: address, keptSeconds: 0)
    let bytes = film(byteCount: 3 * Self.chunk)
    let asset = Asset(of: bytes)
    try assets.add(asset) { offset, count in Array(bytes[offset..<offset + count]) }
    let content = try assets.open(asset.id, verified: nil)
    #expect(try content.bytes(from: 0, count: Self.chunk) == bytes[..<Self.chunk])
    try await server.kill()
    // The server's processes notice the end of the first one a moment later. A chunk that is read until then must not
    // be kept, or no later read reaches the server.
    let kind = try await Patience.wait(for: "a failed read") { () -> StoreError.Kind? in
      defer { content.discardCache() }
      do {
        _ = try content.bytes(from: Self.chunk, count: 9)
        return nil
      } catch let error as StoreError {
        return error.kind
      }
    }
    #expect(kind == .unreachable)
    #expect(throws: StoreError.self) { try assets.holds(asset) }
    try await server.start()
    let rest = try await Patience.wait(for: "the server to serve") {
      try? content.bytes(from: Self.chunk, count: bytes.count)
    }
    #expect(rest == bytes[Self.chunk...])
  }

  // MARK: Removing

  @Test func `only files without a row are removed, complete or not`() throws {
    struct Killed: Error {}
    let ada = try StoreClient(database.store)
    let registered = try add(film(byteCount: 2 * Self.chunk, seed: 1))
    try AssetContract().register(registered, by: ada)
    let complete = try add(film(byteCount: 2 * Self.chunk, seed: 2))
    let unfinished = film(byteCount: 20 * Self.chunk, seed: 3)
    #expect(throws: Killed.self) {
      try add(unfinished) { if $0 == 17 * Self.chunk { throw Killed() } }
    }
    let all = [registered, complete, Asset(of: unfinished)]
    let found = try (UInt8.min...UInt8.max).flatMap { try assets.unpinned(inDirectory: $0) }
    #expect(Set(found) == Set(all.map(\.id)))
    try assets.remove(found)
    #expect(try all.map { try chunkCount($0) } == [2, 0, 0])
    #expect(try assets.holds(registered))
    #expect(try database.number("SELECT count(*) FROM asset_file") == 1)
  }

  @Test func `a file that is removed while it is written gets no row`() throws {
    let bytes = film(byteCount: 20 * Self.chunk)
    let error = #expect(throws: StoreError.self) {
      try add(bytes) {
        if $0 == 17 * Self.chunk { try database.run("DELETE FROM asset_chunk") }
      }
    }
    #expect(error?.kind == .inUse)
    #expect(try !assets.holds(Asset(of: bytes)))
    #expect(try database.number("SELECT count(*) FROM asset_file") == 0)
  }
}
