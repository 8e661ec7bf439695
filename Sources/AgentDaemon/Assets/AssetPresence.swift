// A file that somebody wants to read may be elsewhere: too large to be fetched by itself, or not what
// it was when it was written. Then it is fetched, and whoever asked waits for it, but not for ever.

import DeviceStore
import Logging
import NIOCore
import Records

extension AgentDriver {
  /// How long somebody who did not say waits for a file that is not here.
  static let fetchSeconds = 30.0

  /// Opens a file, fetching it first where it is not here or not what it was.
  /// - Returns: its length.
  /// - Throws: `serviceUnavailable` while the file is neither here nor to be had; what the broker
  ///   says of it; `StoreError`.
  nonisolated func present(
    _ asset: Asset, in zone: ZoneID, waitSeconds: Double
  ) async throws -> Int {
    if try reader.isHere(asset) {
      do {
        return try await assets.open(asset.id)
      } catch let error as RecordsError where error.code == .assetNotAvailable {
        logger.error(
          "A file is missing or damaged; it is fetched again",
          metadata: ["error": "\(error.message)"])
        try await lost(asset)
      }
    }
    try await fetch(asset, in: zone, waitSeconds: waitSeconds)
    return try await assets.open(asset.id)
  }

  private nonisolated func fetch(
    _ asset: Asset, in zone: ZoneID, waitSeconds: Double
  ) async throws {
    let (id, done) = try await beginFetch(asset, in: zone)
    let answer = await Deadline(seconds: waitSeconds).first(of: done)
    await endFetch(asset, id)
    switch answer {
    case .some(nil): return
    case .some(let error?): throw error
    case nil:
      throw RecordsError(
        .serviceUnavailable, "The photo is not downloaded yet; this device is \(phase).",
        hint: "It will be downloaded as soon as the broker can be reached.", retryAfterSeconds: 5)
    }
  }
}
