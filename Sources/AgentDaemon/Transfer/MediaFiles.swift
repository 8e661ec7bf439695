// Where the bytes of pictures and sounds go when contacts come from files, and come from when they
// go into files: each is a file of this device, named by the record and on its way to the broker like
// any photo. Nothing here looks into a picture; a broken one is somebody's bytes like a good one.

import AssetFiles
import ContactCards
import Contacts
import DeviceDriver
import DeviceStore
import Records
import SyncCore

/// The pictures and sounds of contacts, as files of this device.
struct MediaFiles: Sendable {
  /// How much of a file is read at a time.
  private static let pieceBytes = 1 << 20

  let driver: ReplicaDriver

  // MARK: In

  /// Contacts whose bytes lie in files now.
  struct Kept: Sendable {
    /// The contacts, naming the files.
    var contacts: [ImportedContact] = []
    /// The files, one mention for each time one was kept: to be given to `release` once records
    /// name them, or once it is clear that none will.
    var assets: [Asset] = []
  }

  /// Keeps the pictures and sounds of `contacts`; a larger one than the broker takes is left out and
  /// told of. A dry run only says what it would do.
  /// - Throws: `StoreError` when the disk is full; then nothing is kept.
  func keep(
    _ contacts: some Sequence<ImportedContact>, isDryRun: Bool
  ) async throws -> Kept {
    var kept = Kept()
    do {
      for contact in contacts {
        kept.contacts.append(try await keep(contact, isDryRun, &kept.assets))
      }
    } catch {
      await release(kept)
      throw error
    }
    return kept
  }

  /// Lets go of what was kept: files that a record names stay, others go.
  func release(_ kept: Kept) async {
    for asset in kept.assets { await driver.release(asset) }
  }

  private func keep(
    _ contact: ImportedContact, _ isDryRun: Bool, _ assets: inout [Asset]
  ) async throws -> ImportedContact {
    var result = contact
    if let photo = contact.draft.photo {
      let media = try await keep(photo.media, isDryRun, &assets)
      result.draft.photo = media.map { ContactPhoto(media: $0, mediaType: photo.mediaType) }
      if media == nil { result.leaveOut("PHOTO", photo.media) }
    }
    guard contact.draft[.other].contains(where: { $0.content != nil }) else { return result }
    result.draft[.other] = []
    for var entry in contact.draft[.other] {
      if let content = entry.content {
        entry.content = try await keep(content, isDryRun, &assets)
        guard entry.content != nil else {
          result.leaveOut(entry[.name], content)
          continue
        }
      }
      result.draft[.other].append(entry)
    }
    return result
  }

  private func keep(
    _ media: ContactMedia, _ isDryRun: Bool, _ assets: inout [Asset]
  ) async throws -> ContactMedia? {
    guard case .inline(let bytes) = media else { return media }
    guard try bytes.count <= driver.reader.assetBytesMaximum() else { return nil }
    guard !isDryRun else { return .asset(Asset(of: bytes)) }
    let asset = try await driver.files.save(bytes)
    assets.append(asset)
    return .asset(asset)
  }

  // MARK: Out

  /// Fetches what contacts name and is not here, before an export begins.
  /// - Returns: how many pictures and sounds cannot be had now.
  func fetchMissing(in zone: ZoneID?) async throws -> Int {
    var missing = 0
    var isReachable = true
    var place: Int64 = 0
    while let found = try driver.reader.missingAssets(in: zone, after: place) {
      place = found.last
      for asset in found.assets {
        guard isReachable else {
          missing += 1
          continue
        }
        do {
          let wait = driver.phase == .live ? ReplicaDriver.downloadSeconds : 0
          _ = try await driver.open(asset, in: found.zone, waitSeconds: wait)
        } catch let error as RecordsError {
          missing += 1
          isReachable = error.code != .serviceUnavailable
        }
      }
    }
    return missing
  }

  /// The bytes that a record refers to; `nil` when they are not on this device.
  /// - Throws: `StoreError` when the disk fails.
  func bytes(of media: ContactMedia) async throws -> [UInt8]? {
    switch media {
    case .inline(let bytes): return bytes
    case .asset(let asset):
      guard try driver.reader.isHere(asset) else { return nil }
      do {
        return try await content(of: asset)
      } catch let error as RecordsError where error.code == .assetNotAvailable {
        return nil
      }
    }
  }

  private func content(of asset: Asset) async throws -> [UInt8] {
    let byteCount = try await driver.files.open(asset.id)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(byteCount)
    while bytes.count < byteCount {
      let piece = try await driver.files.bytes(
        of: asset.id, from: bytes.count, count: Self.pieceBytes)
      guard !piece.isEmpty else { break }
      bytes += piece
    }
    return bytes
  }
}

extension ImportedContact {
  fileprivate mutating func leaveOut(_ property: String, _ media: ContactMedia) {
    findings.append(
      CardFinding(
        line: line, property: property, outcome: .lost,
        "The file is too large (\(media.sizeBytes) bytes) and was not imported."))
  }
}
