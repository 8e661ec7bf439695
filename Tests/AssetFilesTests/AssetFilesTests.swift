import Crypto
import Foundation
import Glibc
import Records
import SQLiteFile
import Testing

@testable import AssetFiles

@Suite("I19 asset files")
struct AssetFilesTests {
  let folder = FileManager.default.temporaryDirectory.appending(path: "assets-\(UUID())").path

  func files(reserveBytes: Int = 0) throws -> AssetFiles {
    try AssetFiles(directory: folder, reserveBytes: reserveBytes)
  }

  func asset(_ bytes: [UInt8]) throws -> Asset {
    let digest = try #require(AssetDigest(bytes: Array(SHA256.hash(data: bytes))))
    return Asset(digest, sizeBytes: bytes.count)
  }

  @discardableResult
  func keep(_ bytes: [UInt8], in files: AssetFiles) throws -> Asset {
    let asset = try asset(bytes)
    let part = try files.part(named: "x")
    try part.append(bytes[...])
    try files.publish(part, as: asset)
    files.unpin(asset.id)
    return asset
  }

  @Test func `only the owner can read a file`() throws {
    let files = try files()
    let asset = try keep([1, 2, 3], in: files)
    var status = stat()
    #expect(stat(files.path(of: asset.id), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(stat(folder, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o700)
  }

  @Test func `an interrupted part continues where it ended`() throws {
    let files = try files()
    let bytes: [UInt8] = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    do { try files.part(named: "left").append(bytes[..<60_000]) }
    let part = try files.part(named: "left")
    #expect(part.byteCount == 60_000)
    try part.append(bytes[60_000...])
    let asset = try asset(bytes)
    try files.publish(part, as: asset)
    #expect(files.holds(asset))
    #expect(files.parts(prefix: "").isEmpty)
  }

  @Test(arguments: [0, 5000, 299_999])
  func `a flipped bit is detected and reported, and no byte is returned`(position: Int) throws {
    let files = try files()
    let asset = try keep([UInt8](repeating: 7, count: 300_000), in: files)
    let file = open(files.path(of: asset.id), O_RDWR)
    defer { close(file) }
    var flipped: UInt8 = 6
    #expect(pwrite(file, &flipped, 1, off_t(position)) == 1)
    let error = #expect(throws: RecordsError.self) { try files.open(asset.id) }
    #expect(error?.code == .assetNotAvailable)
    #expect(error?.reason == "damaged")
    #expect(error?.message.contains(asset.id.description) == true)
  }

  @Test func `a file that is deleted or changed while open is detected`() throws {
    let files = try files()
    let (one, two) = (try keep([1, 2, 3], in: files), try keep([4, 5, 6], in: files))
    var contents = AssetContents(of: files)
    for asset in [one, two] {
      #expect(try contents.content(of: asset.id, atSeconds: 5).byteCount == 3)
      #expect(contents.isOpen(asset.id, atSeconds: 60))
      #expect(!contents.isOpen(asset.id, atSeconds: 70))
    }
    files.remove(one.id)
    #expect(!contents.isOpen(one.id, atSeconds: 6))
    let gone = #expect(throws: RecordsError.self) {
      try contents.content(of: one.id, atSeconds: 6)
    }
    #expect(gone?.code == .assetNotAvailable)
    let file = try #require(FileHandle(forUpdatingAtPath: files.path(of: two.id)))
    try file.write(contentsOf: Data([4, 5, 7]))
    let damaged = #expect(throws: RecordsError.self) {
      try contents.content(of: two.id, atSeconds: 6)
    }
    #expect(damaged?.reason == "damaged")
    try keep([4, 5, 6], in: files)
    #expect(try contents.content(of: two.id, atSeconds: 6).bytes(from: 0, count: 3) == [4, 5, 6])
  }

  @Test func `the content of the files opened last is cached up to a limit`() throws {
    let files = try files()
    let photo = (FileContent.cachedBytesMaximum - 1) / 2
    let assets = try (0..<3).map { number in
      try keep(Array(repeating: UInt8(number), count: photo), in: files)
    }
    let film = try keep(
      Array(repeating: 9, count: FileContent.cachedBytesMaximum + 1), in: files)
    var contents = AssetContents(of: files)
    let open = try (assets + [film]).map { try contents.content(of: $0.id, atSeconds: 1) }
    #expect(open.map(\.cachedByteCount) == [0, photo, photo, 0])
    for (asset, content) in zip(assets + [film], open) {
      let last = try content.bytes(from: asset.byteCount - 2, count: 5)
      #expect(last.count == 2 && content.byteCount == asset.byteCount)
    }
    #expect(try open[0].bytes(from: 0, count: 3) == [0, 0, 0])
    #expect(try open[1].bytes(from: 0, count: 3) == [1, 1, 1])
  }

  @Test func `files that are read in turns are verified once`() throws {
    let files = try files()
    let byteCount = 5 << 20
    let assets = try (0..<20).map { number in
      try keep(Array(repeating: UInt8(number), count: byteCount), in: files)
    }
    var contents = AssetContents(of: files)
    for offset in stride(from: 0, to: byteCount, by: Limits.assetPieceBytes) {
      for (number, asset) in assets.enumerated() {
        let content = try contents.content(of: asset.id, atSeconds: 5)
        let piece = try content.bytes(from: offset, count: Limits.assetPieceBytes)
        #expect(piece.first == UInt8(number) && piece.count == Limits.assetPieceBytes)
      }
    }
    #expect(contents.comparedByteCount == 20 * byteCount)
  }

  @Test func `a verified file is verified again after it has changed`() throws {
    let files = try files()
    let changed = try keep([1, 2, 3], in: files)
    let others = try (10..<20).map { try keep([UInt8($0)], in: files) }
    var contents = AssetContents(of: files)
    for asset in [changed] + others { _ = try contents.content(of: asset.id, atSeconds: 1) }
    #expect(!contents.isOpen(changed.id, atSeconds: 1))
    let file = try #require(FileHandle(forUpdatingAtPath: files.path(of: changed.id)))
    try file.write(contentsOf: Data([1, 2, 4]))
    let error = #expect(throws: RecordsError.self) {
      try contents.content(of: changed.id, atSeconds: 1)
    }
    #expect(error?.reason == "damaged")
  }

  @Test func `verifications are bounded in number and expire after ten minutes`()
    throws
  {
    let files = try files()
    let asset = try keep([1], in: files)
    let identity = try #require(try files.open(asset.id).identity)
    var verified = VerifiedFiles()
    let digests = (0..<VerifiedFiles.filesMaximum + 100).compactMap { number in
      AssetDigest(bytes: Array(SHA256.hash(data: withUnsafeBytes(of: number) { Array($0) })))
    }
    for digest in digests { verified.add(digest, identity, atSeconds: 7) }
    for _ in 0..<100_000 { verified.add(digests[5000], identity, atSeconds: 7) }
    #expect(verified.count == VerifiedFiles.filesMaximum)
    #expect(verified.identity(of: digests[0], atSeconds: 8) == nil)
    #expect(verified.identity(of: digests[5000], atSeconds: 606) == identity)
    #expect(verified.identity(of: digests[5000], atSeconds: 607) == nil)
  }

  @Test func `a part holds no open file while it waits for more`() throws {
    let files = try files()
    let part = try files.part(named: "waiting")
    try part.append([1, 2, 3])
    let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    #expect(!links.contains(part.path))
    try part.append([4])
    #expect(try part.bytes(from: 1, count: 9) == [2, 3, 4])
  }

  @Test(.enabled(if: geteuid() != 0, "root may read any directory"))
  func `a file whose name cannot be made durable is not pinned`() throws {
    let files = try files()
    let bytes: [UInt8] = [1, 2, 3]
    let asset = try keep(bytes, in: files)
    let part = try files.part(named: "x")
    try part.append(bytes[...])
    // A directory that is writable but not readable: the rename succeeds and the synchronization fails.
    let directory = (files.path(of: asset.id) as NSString).deletingLastPathComponent
    #expect(chmod(directory, 0o300) == 0)
    #expect(throws: StoreError.self) { try files.publish(part, as: asset) }
    files.remove(asset.id)
    #expect(!files.holds(asset))
  }

  @Test func `a file that would use the reserve is refused with the free space`() throws {
    let files = try files(reserveBytes: 1 << 60)
    let error = #expect(throws: StoreError.self) { try files.requireRoom(forBytes: 10) }
    #expect(error?.kind == .full)
    #expect(error?.message.contains("B left") == true)
    #expect(throws: Never.self) { try self.files().requireRoom(forBytes: 10) }
  }
}
