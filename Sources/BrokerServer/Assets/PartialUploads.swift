// The partial uploads on disk, which let a device resume an upload on a new connection. Each account has a
// limit: a new upload replaces its oldest ones beyond it. If the disk is full, uploads of the account with
// the most bytes are deleted first, but never those of an account that has fewer than the one that needs
// the space.

import AssetFiles
import BrokerCore
import Records

/// The partial uploads of all accounts. Used from one thread at a time.
struct PartialUploads {
  /// The maximum number of partial uploads of one account. Beyond it the oldest one is deleted.
  static let partsPerAccount = BrokerLimits.uploadsPerAccount
  /// The time after which a partial upload that no device has resumed is deleted.
  private static let partSeconds = 86_400

  private let files: AssetFiles
  private let requireRoom: (Int) throws(StoreError) -> Void

  /// Creates an instance for the uploads in `files`.
  /// - Parameter requireRoom: throws if the disk cannot hold the given number of bytes. By default it
  ///   checks the disk of `files`; tests pass their own.
  init(files: AssetFiles, requireRoom: ((Int) throws(StoreError) -> Void)? = nil) {
    self.files = files
    self.requireRoom = requireRoom ?? files.requireRoom(forBytes:)
  }

  /// Returns the name of an upload's part on disk.
  static func name(of id: UploadID) -> String { "\(prefix(of: id))\(id.device)-\(id.digest)" }

  private static func prefix(of id: UploadID) -> String { "\(id.container)-\(id.account)-" }

  /// Deletes the account's oldest partial uploads so that it can have one more.
  /// - Parameter open: the uploads in progress, which are not deleted.
  func makeRoom(for id: UploadID, open: Set<String>) {
    let (own, prefix) = (Self.name(of: id), Self.prefix(of: id))
    let openCount = open.count { $0.hasPrefix(prefix) && $0 != own }
    let others = files.parts(prefix: prefix).map(\.name).filter {
      $0 != own && !open.contains($0)
    }
    for name in others.prefix(max(0, others.count + openCount + 1 - Self.partsPerAccount)) {
      files.removePart(named: name)
    }
  }

  /// Checks that the disk can hold `asset`. If not, deletes partial uploads of accounts that would still
  /// have more bytes of them than this one.
  /// - Throws: `full` if there is still no room.
  func requireRoom(
    for asset: Asset, of id: UploadID, open: Set<String>
  ) throws(StoreError) {
    while true {
      do {
        return try requireRoom(asset.byteCount)
      } catch {
        guard error.kind == .full, let name = partToRemove(for: asset, of: id, open: open),
          files.removePart(named: name)
        else { throw error }
      }
    }
  }

  /// Returns the oldest idle upload of the account with the most bytes in partial uploads.
  private func partToRemove(for asset: Asset, of id: UploadID, open: Set<String>) -> String? {
    let own = Self.name(of: id)
    let parts = files.parts(prefix: "")
    let bytes = Dictionary(
      parts.map { (Self.owner(ofPart: $0.name), $0.byteCount) }, uniquingKeysWith: +)
    let idle = parts.filter { $0.name != own && !open.contains($0.name) }
    let candidate = idle.max { one, other in
      // Within an account, the oldest part, since parts are sorted by age.
      bytes[Self.owner(ofPart: one.name), default: 0]
        < bytes[Self.owner(ofPart: other.name), default: 0]
    }
    guard let candidate else { return nil }
    let owner = Self.owner(ofPart: candidate.name)
    let asking = Self.prefix(of: id)
    let wanted = bytes[asking, default: 0] + asset.byteCount
    return owner == asking || bytes[owner, default: 0] > wanted ? candidate.name : nil
  }

  /// Returns the container and the account in a part's name.
  private static func owner(ofPart name: String) -> String {
    name.split(separator: "-", maxSplits: 2).prefix(2).map { "\($0)-" }.joined()
  }

  /// Deletes partial uploads that no device has resumed for a day.
  func removeStale(atSeconds now: Int, open: Set<String>) {
    for part in files.parts(prefix: "") where !open.contains(part.name) {
      guard part.writtenSeconds < now - Self.partSeconds else { break }
      files.removePart(named: part.name)
    }
  }
}
