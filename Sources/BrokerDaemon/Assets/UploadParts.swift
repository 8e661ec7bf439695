// The unfinished uploads that lie on the disk, which let a device go on where its connection ended. An
// account pays for them with its own: a new one replaces the account's oldest beyond a number, and
// where the disk is full those of the account that has the most are deleted first, never those of an account
// that has less than the one that asks.

import AssetFiles
import BrokerCore
import Records

/// The unfinished uploads of all accounts. Used from one thread at a time.
struct UploadParts {
  /// Unfinished uploads of one account; beyond, the one that was written longest ago goes.
  static let partsPerAccount = BrokerLimits.uploadsPerAccount
  /// An upload that no device has continued for so long is deleted.
  private static let partSeconds = 86_400

  private let files: AssetFiles
  private let requireRoom: (Int) throws(StoreError) -> Void

  /// The uploads in `files`.
  /// - Parameter requireRoom: refuses so many bytes where the disk has no room; the disk of `files`
  ///   itself unless a test says otherwise.
  init(files: AssetFiles, requireRoom: ((Int) throws(StoreError) -> Void)? = nil) {
    self.files = files
    self.requireRoom = requireRoom ?? files.requireRoom(forBytes:)
  }

  /// The name under which an upload lies on the disk.
  static func name(of id: UploadID) -> String { "\(prefix(of: id))\(id.device)-\(id.digest)" }

  private static func prefix(of id: UploadID) -> String { "\(id.container)-\(id.account)-" }

  /// Removes the account's oldest unfinished uploads, so that one more is within its number.
  /// - Parameter open: the uploads that devices are sending, which stay.
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

  /// Refuses a file that the disk has no room for, after unfinished uploads of accounts that have
  /// more of them than this one would have were removed.
  /// - Throws: `full`.
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

  /// The oldest unfinished upload of the account that has the most bytes of them.
  private func partToRemove(for asset: Asset, of id: UploadID, open: Set<String>) -> String? {
    let own = Self.name(of: id)
    let parts = files.parts(prefix: "")
    let bytes = Dictionary(
      parts.map { (Self.owner(ofPart: $0.name), $0.byteCount) }, uniquingKeysWith: +)
    let idle = parts.filter { $0.name != own && !open.contains($0.name) }
    let candidate = idle.max { one, other in
      // Of one account's the oldest, which come first.
      bytes[Self.owner(ofPart: one.name), default: 0]
        < bytes[Self.owner(ofPart: other.name), default: 0]
    }
    guard let candidate else { return nil }
    let owner = Self.owner(ofPart: candidate.name)
    let asking = Self.prefix(of: id)
    let wanted = bytes[asking, default: 0] + asset.byteCount
    return owner == asking || bytes[owner, default: 0] > wanted ? candidate.name : nil
  }

  /// The container and the account in a part's name.
  private static func owner(ofPart name: String) -> String {
    name.split(separator: "-", maxSplits: 2).prefix(2).map { "\($0)-" }.joined()
  }

  /// Deletes uploads that no device has continued for a day.
  func removeStale(atSeconds now: Int, open: Set<String>) {
    for part in files.parts(prefix: "") where !open.contains(part.name) {
      guard part.writtenSeconds < now - Self.partSeconds else { break }
      files.removePart(named: part.name)
    }
  }
}
