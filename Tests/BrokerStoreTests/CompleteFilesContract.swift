// What complete asset files promise, on a disk and in a database.

import AssetFiles
import BrokerStore
import Processes
import Records
import TestTiers
import Testing

@Suite("I19 complete asset files", .timeLimit(.minutes(5)))
struct CompleteFilesContract {
  private static let chunk = ChunkDigests.chunkByteCount

  // MARK: Reading

  @Test(.onlyInCheck, arguments: FilesKind.allCases)
  func `a file is read back unchanged, from any offset`(kind: FilesKind) throws {
    let room = try FilesUnderTest(kind)
    let bytes = film(byteCount: 2 * Self.chunk + 1000)
    let asset = try room.add(bytes)
    #expect(try room.files.holds(asset))
    let content = try room.files.open(asset.id, verified: nil)
    #expect(content.byteCount == bytes.count)
    let edges = [0, 1, Self.chunk - 1, Self.chunk, 2 * Self.chunk, bytes.count - 10]
    for offset in edges + (0..<50).map({ _ in Int.random(in: 0..<bytes.count) }) {
      let count = Int.random(in: 1...bytes.count)
      let end = min(bytes.count, offset + count)
      #expect(
        try content.bytes(from: offset, count: count) == bytes[offset..<end], "\(offset) \(count)")
    }
    #expect(try content.bytes(from: bytes.count, count: 1).isEmpty)
    try room.files.verify(asset.id)
  }

  @Test(arguments: FilesKind.allCases)
  func `a missing file is not available`(kind: FilesKind) throws {
    let files = try FilesUnderTest(kind).files
    let asset = Asset(of: [1])
    #expect(try !files.holds(asset))
    for use in [{ _ = try files.open(asset.id, verified: nil) }, { try files.verify(asset.id) }] {
      let error = #expect(throws: RecordsError.self) { try use() }
      #expect(error?.code == .assetNotAvailable && error?.reason == nil)
    }
  }

  @Test(arguments: FilesKind.allCases, [0, 300_000, 599_999])
  func `a flipped bit is detected and reported, and no wrong byte is returned`(
    kind: FilesKind, position: Int
  ) throws {
    let room = try FilesUnderTest(kind)
    let bytes = film(byteCount: 600_000)
    let asset = try room.add(bytes)
    try room.damage(asset, at: position)
    let error = #expect(throws: RecordsError.self) { try room.files.verify(asset.id) }
    #expect(error?.code == .assetNotAvailable && error?.reason == "damaged")
    #expect(error?.message.contains(asset.id.description) == true)
    var contents = AssetContents(of: room.files)
    var failureCount = 0
    for offset in stride(from: 0, to: bytes.count, by: 65_536) {
      do {
        let piece = try contents.content(of: asset.id, atSeconds: 1)
          .bytes(from: offset, count: 65_536)
        #expect(piece == bytes[offset..<min(bytes.count, offset + 65_536)])
      } catch let error as StoreError {
        #expect(error.kind == .damaged)
        failureCount += 1
      } catch let error as RecordsError {
        #expect(error.reason == "damaged")
        failureCount += 1
      }
    }
    #expect(failureCount > 0)
  }

  @Test(arguments: FilesKind.allCases)
  func `a file that is too short is not held and not valid`(kind: FilesKind) throws {
    let room = try FilesUnderTest(kind)
    let asset = try room.add(film(byteCount: Self.chunk + 1))
    try room.shorten(asset)
    #expect(try !room.files.holds(asset))
    let error = #expect(throws: RecordsError.self) { try room.files.verify(asset.id) }
    #expect(error?.reason == "damaged")
  }

  // MARK: Writing

  @Test(arguments: FilesKind.allCases)
  func `a part with the wrong content is refused and deleted`(kind: FilesKind) throws {
    let room = try FilesUnderTest(kind)
    let asset = Asset(of: [1, 2, 4])
    let part = try room.uploads.part(named: "wrong")
    try part.append([1, 2, 3])
    let error = #expect(throws: RecordsError.self) { try room.files.publish(part, as: asset) }
    #expect(error?.reason == "wrongDigest")
    #expect(room.uploads.parts(prefix: "").isEmpty)
    #expect(try !room.files.holds(asset))
  }

  @Test(arguments: FilesKind.allCases)
  func `a published file leaves no part`(kind: FilesKind) throws {
    let room = try FilesUnderTest(kind)
    try room.add([1, 2, 3])
    #expect(room.uploads.parts(prefix: "").isEmpty)
  }

  @Test(arguments: FilesKind.allCases)
  func `writing a damaged file again repairs it`(kind: FilesKind) throws {
    let room = try FilesUnderTest(kind)
    let bytes = film(byteCount: 3 * Self.chunk)
    let asset = try room.add(bytes)
    try room.damage(asset, at: 100)
    try room.shorten(asset)
    try room.add(bytes)
    #expect(try room.files.holds(asset))
    try room.files.verify(asset.id)
  }

  @Test(arguments: FilesKind.allCases)
  func `a file that two uploads complete at once is there`(kind: FilesKind) async throws {
    let room = try FilesUnderTest(kind)
    let bytes = film(byteCount: 20 * Self.chunk + 5)
    async let first = onThread { try room.add(bytes, part: "a") }
    async let second = onThread { try room.add(bytes, part: "b") }
    let assets = [try await first, try await second]
    #expect(assets[0] == assets[1])
    #expect(try room.files.holds(assets[0]))
    try room.files.verify(assets[0].id)
  }

  // MARK: Removing

  @Test(arguments: FilesKind.allCases)
  func `a pinned file is not deleted`(kind: FilesKind) throws {
    let room = try FilesUnderTest(kind)
    let asset = try room.add([1])
    room.files.pin(asset.id)
    room.files.pin(asset.id)
    room.files.unpin(asset.id)
    try room.files.remove([asset.id])
    #expect(try room.files.holds(asset))
    room.files.unpin(asset.id)
    try room.files.remove([asset.id])
    #expect(try !room.files.holds(asset))
  }

  @Test(arguments: FilesKind.allCases)
  func `a file that is deleted while it is read ends, or goes on unchanged`(kind: FilesKind) throws
  {
    let room = try FilesUnderTest(kind)
    let bytes = film(byteCount: 2 * Self.chunk)
    let asset = try room.add(bytes)
    let content = try room.files.open(asset.id, verified: nil)
    #expect(try content.bytes(from: 0, count: 100) == bytes[..<100])
    content.discardCache()
    try room.files.remove([asset.id])
    do {
      let rest = try content.bytes(from: Self.chunk, count: Self.chunk)
      #expect(rest == bytes[Self.chunk...])
    } catch {
      #expect(error.kind == .damaged)
    }
    let error = #expect(throws: RecordsError.self) {
      try room.files.open(asset.id, verified: nil)
    }
    #expect(error?.code == .assetNotAvailable)
  }

  @Test(arguments: FilesKind.allCases)
  func `the check at start finds every file`(kind: FilesKind) throws {
    let room = try FilesUnderTest(kind)
    let added = try (0..<20).map { try room.add([UInt8($0)]).id }
    let found = try (UInt8.min...UInt8.max).flatMap { try room.files.unpinned(inDirectory: $0) }
    #expect(found.count == 20 && Set(found) == Set(added))
  }

  @Test(arguments: FilesKind.allCases)
  func `the check at start skips a file whose row is about to be inserted`(kind: FilesKind) throws {
    let room = try FilesUnderTest(kind)
    let asset = try room.add([1])
    let directory = try #require(asset.digest.first)
    room.files.pin(asset.id)
    #expect(try room.files.unpinned(inDirectory: directory).isEmpty)
    room.files.unpin(asset.id)
    #expect(try room.files.unpinned(inDirectory: directory) == [asset.id])
  }
}
