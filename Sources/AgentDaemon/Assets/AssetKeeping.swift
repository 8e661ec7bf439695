// How something that has bytes gets a file of this device: written, looked at, durable, and then
// named in one local transaction. If that is refused the file goes again; nothing is half kept.

import AssetFiles
import DeviceStore
import NIOCore
import Records

extension AgentDriver {
  /// Keeps the bytes of `body` as a file and edits in the same step: `edit` gets the file and what
  /// `check` said of it, and its edits must begin with `LocalEdit.keepAsset`.
  /// - Parameters:
  ///   - bytesMaximum: more → `limitExceeded`, as soon as it is seen.
  ///   - expectedBytes: what is said to come, for the disk's sake.
  /// - Throws: what `check` and `edit` throw, `StoreError` when the disk is full; then nothing is
  ///   kept.
  nonisolated func keeping<Body: AsyncSequence & Sendable, Verdict: Sendable, Result: Sendable>(
    _ body: Body, expectedBytes: Int, bytesMaximum: Int,
    check: @escaping @Sendable (AssetPart) throws -> Verdict,
    edit:
      @escaping @Sendable (Replica, Timestamp, Asset, Verdict) throws -> (
        Result, [SyncAction]
      )
  ) async throws -> Result where Body.Element == ByteBuffer {
    let name = try await assets.beginKeeping(byteCount: expectedBytes)
    let asset: Asset
    let verdict: Verdict
    do {
      var byteCount = 0
      for try await buffer in body {
        byteCount += buffer.readableBytes
        guard byteCount <= bytesMaximum else {
          throw RecordsError(
            .limitExceeded, "The file is too large; the limit is \(bytesMaximum >> 20) MiB.",
            hint: "Choose a smaller file.")
        }
        try await assets.append(Array(buffer.readableBytesView), toKept: name)
      }
      guard byteCount > 0 else { throw RecordsError.invalid("The file is empty.") }
      (asset, verdict) = try await assets.finishKeeping(name, check: check)
    } catch {
      assets.discardKept(name)
      throw error
    }
    do {
      let result = try await self.edit { try edit($0, $1, asset, verdict) }
      await release(asset)
      return result
    } catch {
      await release(asset)
      throw error
    }
  }
}
