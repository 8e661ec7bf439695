// Assets over the real socket, of a broker that keeps them in PostgreSQL.

import AssetFiles
import BrokerPostgreSQL
import BrokerServer
import BrokerStore
import Foundation
import PostgreSQLConnections
import Processes
import Records
import RecordsWire
import SQLConnections
import Testing

@Suite(
  "I19 assets in PostgreSQL over the wire",
  .disabled(if: PostgreSQLServer.obstacle != nil, "\(PostgreSQLServer.obstacle ?? "")"),
  .timeLimit(.minutes(5)))
struct PostgreSQLAssetTests {
  private typealias File = AssetTests.File

  private let directory: TemporaryDirectory
  private let address: String
  private let store: PostgreSQLRecordStore
  private let assets: PostgreSQLAssets

  init() throws {
    try self.init(on: PostgreSQLServer.shared())
  }

  private init(on server: PostgreSQLServer) throws {
    directory = try TemporaryDirectory()
    address = try server.makeDatabase()
    store = try PostgreSQLRecordStore(address: address)
    assets = PostgreSQLAssets(address: address, keptSeconds: 0)
  }

  private var socketPath: String { directory.file("b.sock") }

  private func serve(until body: () async throws -> Void) async throws {
    try await EmbeddedBroker.serve(
      store, filesDirectory: directory.file("assets"), completeFiles: assets,
      socketPath: socketPath, until: body)
  }

  private func connect(_ device: inout WireDevice) async throws -> WireClient {
    let client = try WireClient(socketPath: socketPath)
    device.id = try await client.welcome(device.hello()).device
    return client
  }

  private func run(_ statements: String...) throws {
    let connection = try PostgreSQLConnection(address)
    try connection.run("SET search_path = contacts_broker")
    for statement in statements { try connection.run(statement) }
  }

  /// Uploads a file and saves a record that refers to it.
  private func upload(
    _ file: File, as device: inout WireDevice, over client: WireClient
  ) async throws {
    try await client.send(file)
    #expect(
      try await device.perform(file.record("a"), over: client) == [.saved(tag: Revision(1))])
  }

  private func fetch(_ file: File, at offset: Int) -> ClientMessage {
    .fetchAsset(AssetFetch(zone: .standard, digest: file.asset.id, offset: offset))
  }

  @Test func `a file is uploaded in chunks, referred to, and downloaded unchanged`() async throws {
    try await serve {
      var device = WireDevice()
      let client = try await connect(&device)
      let file = try File(byteCount: 1_000_000)
      try await upload(file, as: &device, over: client)
      #expect(try await client.content(of: file.asset) == file.bytes)
      let left = try FileManager.default.subpathsOfDirectory(atPath: directory.file("assets"))
      #expect(left == ["incoming"])
    }
  }

  @Test func `an upload continues on another connection`() async throws {
    try await serve {
      var device = WireDevice()
      let file = try File(byteCount: 300_000)
      let first = try await connect(&device)
      _ = try await first.offer(file.asset)
      _ = try await first.ask(.assetPiece(file.piece(0)))
      first.close()
      let second = try await connect(&device)
      #expect(try await second.send(file) == Limits.assetPieceBytesMinimum)
    }
  }

  @Test func `a damaged chunk is reported and never served, and the file is asked for again`()
    async throws
  {
    try await serve {
      var device = WireDevice()
      let client = try await connect(&device)
      let file = try File(byteCount: 600_000)
      try await upload(file, as: &device, over: client)
      try run(
        "UPDATE asset_chunk SET bytes = set_byte(bytes, 9, 255 - get_byte(bytes, 9)) WHERE number = 1"
      )
      let chunk = ChunkDigests.chunkByteCount
      let error = try await client.refusal(of: fetch(file, at: chunk))
      #expect(error.code == .assetNotAvailable && error.reason == "damaged")
      #expect(error.message.contains(file.asset.id.description))
      try await Patience.wait(until: "the broker to ask for the file") {
        guard case .wantedAssets(let wanted, _) = try await client.ask(.wantedAssets(after: nil))
        else { return false }
        return wanted == [file.asset]
      }
      try await client.send(file)
      #expect(try await client.content(of: file.asset) == file.bytes)
    }
  }

  @Test func `a full disk of the server is reported as a full disk of the broker`() async throws {
    try await serve {
      var device = WireDevice()
      let client = try await connect(&device)
      let file = try File(byteCount: 1000)
      try run(
        """
        CREATE FUNCTION fail_write() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '53100'; END $$
        """,
        """
        CREATE TRIGGER fail_write BEFORE INSERT ON asset_chunk
        FOR EACH ROW EXECUTE FUNCTION fail_write()
        """)
      _ = try await client.offer(file.asset)
      let error = try await client.refusal(of: .assetPiece(file.piece(0)))
      #expect(error.code == .serviceUnavailable)
      #expect(error.message == "The broker's disk is full.")
      try run("DROP FUNCTION fail_write CASCADE")
      #expect(try await client.offer(file.asset).isHeld, "the part is still there")
      try await device.perform(file.record("a"), over: client)
      #expect(try await client.content(of: file.asset) == file.bytes)
    }
  }

  @Test func `at the start, only files and chunks without a row are deleted`() async throws {
    let file = try File(byteCount: 300_000)
    try await serve {
      var device = WireDevice()
      try await upload(file, as: &device, over: try await connect(&device))
    }
    let left = try File(byteCount: 300_000, seed: 2)
    try assets.add(left.asset) { offset, count in Array(left.bytes[offset..<offset + count]) }
    assets.unpin(left.asset.id)
    let unfinished = try #require(AssetDigest(bytes: Array(repeating: 255, count: 32)))
    try run("INSERT INTO asset_chunk VALUES ('\\x\(unfinished)', 0, 'a')")
    try await serve {
      // The last of the 256 steps deletes the unfinished one.
      try await Patience.wait(until: "the files to be deleted") {
        try assets.unpinned(inDirectory: .max).allSatisfy { $0 != unfinished }
      }
      #expect(try !assets.holds(left.asset))
      #expect(try assets.holds(file.asset))
      try assets.verify(file.asset.id)
    }
  }

  @Test func `a download goes on after the server was killed and started`() async throws {
    let server = try PostgreSQLServer()
    let test = try Self(on: server)
    try await test.serve {
      var device = WireDevice()
      let client = try await test.connect(&device)
      let file = try File(byteCount: 1_000_000)
      try await test.upload(file, as: &device, over: client)
      guard case .assetPiece = try await client.ask(fetch(file, at: 0)) else {
        Issue.record("The file cannot be read.")
        return
      }
      try await server.kill()
      let error = try await client.refusal(of: fetch(file, at: 500_000))
      #expect(error.code == .serviceUnavailable || error.code == .internalError)
      try await server.start()
      try await Patience.wait(until: "the download to go on") {
        guard case .assetPiece(let piece) = try await client.ask(fetch(file, at: 500_000)) else {
          return false
        }
        return piece.content == file.bytes[500_000..<500_000 + piece.content.count]
      }
      #expect(try await client.content(of: file.asset) == file.bytes)
    }
  }
}
