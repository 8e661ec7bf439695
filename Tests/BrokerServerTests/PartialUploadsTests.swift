// The unfinished uploads that are deleted when there are too many, or when the disk is full.

import AssetFiles
import BrokerCore
import Foundation
import Records
import SQLiteFile
import Testing

@testable import BrokerServer

@Suite("I19 unfinished uploads")
struct PartialUploadsTests {
  private let files: AssetFiles

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "parts-\(UUID())").path
    files = try AssetFiles(directory: folder, reserveBytes: 0)
  }

  private func id(_ number: UInt8, account: StoreKey) throws -> UploadID {
    let digest = try #require(AssetDigest(bytes: Array(repeating: number, count: 32)))
    return UploadID(digest, container: 1, account: account, device: 1)
  }

  @discardableResult
  private func add(_ number: UInt8, account: StoreKey, byteCount: Int = 1) throws -> String {
    let name = PartialUploads.name(of: try id(number, account: account))
    let bytes = [UInt8](repeating: 0, count: byteCount)
    try files.part(named: name).append(bytes[...])
    return name
  }

  private var names: Set<String> { Set(files.parts(prefix: "").map(\.name)) }

  @Test func `open uploads of other accounts end none of an account's unfinished ones`() throws {
    let own = try (0..<3).map { try add($0, account: 1) }
    let open = try Set((0..<100).map { try add($0, account: 2) })
    PartialUploads(files: files).makeRoom(for: try id(9, account: 1), open: open)
    #expect(names.isSuperset(of: own))
  }

  @Test func `beyond its limit an account loses its own oldest part`() throws {
    let own = try (0..<20).map { try add($0, account: 1) }
    let other = try add(0, account: 11)
    PartialUploads(files: files).makeRoom(for: try id(30, account: 1), open: [own[0]])
    #expect(names.count == PartialUploads.partsPerAccount)
    #expect(names.isSuperset(of: [own[0], other]))
  }

  @Test func `on a full disk only parts of the account that has the most are deleted`()
    throws
  {
    let small = try add(0, account: 1, byteCount: 100)
    let large = try (0..<5).map { try add($0, account: 2, byteCount: 1000) }
    let parts = PartialUploads(files: files) { [files] (count) throws(StoreError) in
      let used = files.parts(prefix: "").reduce(0) { $0 + $1.byteCount }
      if used + count > 5200 { throw StoreError(.full, "There is no room.") }
    }
    let new = Asset(try id(50, account: 3).digest, sizeBytes: 300)
    try parts.requireRoom(for: new, of: try id(50, account: 3), open: [])
    #expect(names.count == 5 && names.contains(small))
    let huge = Asset(try id(51, account: 3).digest, sizeBytes: 6000)
    let error = #expect(throws: StoreError.self) {
      try parts.requireRoom(for: huge, of: try id(51, account: 3), open: [])
    }
    #expect(error?.kind == .full)
    #expect(names.count == 5, "an account that asks for more than it takes from gets nothing")
    #expect(throws: StoreError.self, "an account that has less keeps what it has") {
      try parts.requireRoom(
        for: Asset(new.id, sizeBytes: 1200), of: try id(50, account: 3), open: Set(large))
    }
    #expect(names.contains(small))
  }
}
