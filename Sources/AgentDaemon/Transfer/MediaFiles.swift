// Pictures and sounds of imported and exported contacts. Each is a file of this device that a record names,
// and is uploaded like any photo. Imports do not examine a picture, so a damaged one is stored like any
// other.

import AssetFiles
import ByteCounts
import ContactCards
import Contacts
import DeviceDriver
import DeviceStore
import Records
import SyncCore

/// The pictures and sounds of contacts, as files of this device.
struct MediaFiles: Sendable {
  /// The number of bytes read at a time.
  private static let pieceBytes = 1 << 20

  let driver: ReplicaDriver

  // MARK: In

  /// Contacts whose pictures and sounds are stored as files.
  struct Kept: Sendable {
    /// The contacts, with references to the files.
    var contacts: [ImportedContact] = []
    /// The stored files, once for each time one was stored. Pass them to `release` once records refer to
    /// them, or once none will.
    var assets: [Asset] = []
  }

  /// Stores the pictures and sounds of `contacts`. Those that exceed the broker's limit are omitted and
  /// reported. A dry run only reports.
  /// - Throws: `StoreError` if the disk is full; then nothing is stored.
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

  /// Releases stored files. Files that a record names are retained, others deleted.
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

  /// Downloads missing files of contacts, before an export begins.
  /// - Returns: The number of pictures and sounds that are not available now.
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

  /// Returns the bytes that a record refers to; `nil` if they are not on this device.
  /// - Throws: `StoreError` if the disk fails.
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
        "The file is too large (\(ByteCount(Int(clamping: media.sizeBytes)))) and was not imported."
      ))
  }
}
