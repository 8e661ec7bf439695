// Files that this device stores itself: from bytes in memory, or from a stream.

import AssetFiles
import DeviceStore
import Logging
import NIOCore
import Records

extension DeviceFiles {
  /// The prefix of the parts of new files. After a crash they are not continued.
  static let newFilePrefix = "keep-"

  private static func newName() -> String {
    var generator = SystemRandomNumberGenerator()
    return newFilePrefix + Identifier<AssetPart>.random(using: &generator).description
  }

  /// Stores bytes as a file, durable and pinned until `ReplicaDriver.release`. A file that is already here and
  /// undamaged is not written again.
  /// - Throws: `StoreError` if the disk is full or fails; then nothing is pinned.
  package func save(_ bytes: [UInt8]) async throws -> Asset {
    let name = Self.newName()
    return try await run { [disk] _ in
      let asset = Asset(of: bytes)
      // Pinned first: a file that is found then stays.
      disk.pin(asset.id)
      if disk.holds(asset), (try? disk.open(asset.id)) != nil { return asset }
      defer { disk.unpin(asset.id) }
      try disk.requireRoom(forBytes: bytes.count)
      let part = try disk.part(named: name)
      do {
        try part.append(bytes[...])
        try disk.publish(part, as: asset)
      } catch {
        part.discard()
        throw error
      }
      return asset
    }
  }

  /// Begins a file, and returns its temporary name.
  /// - Parameter byteCount: The expected length, for which the disk must have room.
  /// - Throws: `StoreError` `full` if it has not.
  func beginFile(byteCount: Int) async throws -> String {
    let name = Self.newName()
    try await run { [disk] work in
      try disk.requireRoom(forBytes: byteCount)
      work.newFiles[name] = try disk.part(named: name)
    }
    return name
  }

  /// Appends bytes to a file that was begun.
  func append(_ bytes: [UInt8], toFile name: String) async throws {
    try await run { work in try work.newFiles[name]?.append(bytes[...]) }
  }

  /// Makes a file durable under its digest, and pins it, if `check` does not throw.
  /// - Throws: what `check` throws; then the file is deleted.
  func finishFile<Finding: Sendable>(
    _ name: String, check: @escaping @Sendable (AssetPart) throws -> Finding
  ) async throws -> (Asset, Finding) {
    try await run { [disk] work in
      guard let part = work.newFiles.removeValue(forKey: name) else {
        throw RecordsError(.internalError, "A file was completed that was never started.")
      }
      do {
        let finding = try check(part)
        let asset = Asset(part.digest(), sizeBytes: part.byteCount)
        try disk.publish(part, as: asset)
        return (asset, finding)
      } catch {
        part.discard()
        throw error
      }
    }
  }

  /// Deletes a file that was begun.
  func discardFile(_ name: String) {
    submit { work in work.newFiles.removeValue(forKey: name)?.discard() }
  }
}

/// How many bytes a file from a stream may have.
package struct UploadLimit: Sendable {
  /// The announced length, for which the disk must have room.
  let expectedByteCount: Int
  /// The largest accepted length.
  let byteCountMaximum: Int
  /// The error for a longer file.
  let tooLarge: RecordsError

  package init(expectedByteCount: Int, byteCountMaximum: Int, tooLarge: RecordsError) {
    self.expectedByteCount = expectedByteCount
    self.byteCountMaximum = byteCountMaximum
    self.tooLarge = tooLarge
  }
}

extension ReplicaDriver {
  /// Stores the bytes of `body` as a file and runs `edit` with the file and the finding of `check`. The edit must
  /// begin with `LocalEdit.keepAsset`.
  /// - Parameters:
  ///   - limit: The expected and the largest length; a longer body is rejected as soon as it exceeds it.
  ///   - check: Reads the complete file before it is stored; it may be empty. An error rejects the file.
  /// - Throws: `limit.tooLarge`; what `check` and `edit` throw; `StoreError`. Then nothing is stored.
  package nonisolated func saveFile<Body, Finding, Result>(
    _ body: Body, limit: UploadLimit,
    check: @escaping @Sendable (AssetPart) throws -> Finding,
    edit:
      @escaping @Sendable (Replica, Timestamp, Asset, Finding) throws -> (
        Result, [SyncAction]
      )
  ) async throws -> Result
  where
    Body: AsyncSequence & Sendable, Body.Element == ByteBuffer, Finding: Sendable,
    Result: Sendable
  {
    let name = try await files.beginFile(byteCount: limit.expectedByteCount)
    let asset: Asset
    let finding: Finding
    do {
      try await write(body, to: name, limit)
      (asset, finding) = try await files.finishFile(name, check: check)
    } catch {
      files.discardFile(name)
      throw error
    }
    do {
      let result = try await self.edit { try edit($0, $1, asset, finding) }
      await release(asset)
      return result
    } catch {
      await release(asset)
      throw error
    }
  }

  private nonisolated func write<Body: AsyncSequence & Sendable>(
    _ body: Body, to name: String, _ limit: UploadLimit
  ) async throws where Body.Element == ByteBuffer {
    var byteCount = 0
    for try await buffer in body {
      byteCount += buffer.readableBytes
      guard byteCount <= limit.byteCountMaximum else { throw limit.tooLarge }
      try await files.append(Array(buffer.readableBytesView), toFile: name)
    }
  }

  /// Unpins a file that `DeviceFiles.save` pinned: an edit refers to it now, or none will. A file without a row is
  /// deleted.
  package func release(_ asset: Asset) {
    files.disk.unpin(asset.id)
    do {
      if try !reader.isHere(asset) { files.disk.remove(asset.id) }
    } catch {
      logger.error("Cannot delete an unused file", metadata: ["error": "\(error.logText)"])
    }
  }
}
