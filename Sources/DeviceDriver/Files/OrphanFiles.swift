// The deletion of files and parts that nothing refers to: after a crash, and when downloads are no longer wanted.

import AssetFiles
import Logging
import Records

extension DeviceFiles {
  /// A part that was not written for this long is deleted.
  private static let partRetentionSeconds = 7 * 86_400

  /// Deletes files that have no row, and the parts of new files that a crash left. Each of 256 directories is one
  /// step, so that other work comes between them.
  /// - Parameter stored: Returns those of the files that have a row.
  func deleteOrphans(stored: @escaping @Sendable ([AssetDigest]) throws -> Set<AssetDigest>) {
    submit { [disk, now] work in
      let oldest = Int(now().microseconds / 1_000_000) - Self.partRetentionSeconds
      for part in disk.parts(prefix: "") {
        let isLeft = part.name.hasPrefix(Self.newFilePrefix) && work.newFiles[part.name] == nil
        if isLeft || part.writtenSeconds < oldest { disk.removePart(named: part.name) }
      }
    }
    for directory in UInt8.min...UInt8.max {
      submit { [self] _ in deleteOrphans(inDirectory: directory, stored: stored) }
    }
  }

  private func deleteOrphans(
    inDirectory directory: UInt8, stored: ([AssetDigest]) throws -> Set<AssetDigest>
  ) {
    // A pinned file may get its row after `stored` has read the rows, so it is not in the list.
    let digests = disk.unpinned(inDirectory: directory)
    guard !digests.isEmpty else { return }
    do {
      let known = try stored(digests)
      for digest in digests where !known.contains(digest) { disk.remove(digest) }
    } catch {
      logger.error("Cannot delete unused files", metadata: ["error": "\(error.logText)"])
    }
  }

  /// Deletes incomplete downloads.
  /// - Parameter wanted: Returns those of the files that are still to be downloaded.
  func deleteDownloads(wanted: @escaping @Sendable ([AssetDigest]) throws -> Set<AssetDigest>) {
    submit { [disk, logger] work in
      let parts = disk.parts(prefix: FileDownload.prefix).map(\.name)
      let digests = parts.compactMap {
        AssetDigest(String($0.dropFirst(FileDownload.prefix.count)))
      }
      guard !digests.isEmpty else { return }
      do {
        let kept = try wanted(digests)
        for digest in digests where !kept.contains(digest) {
          work.downloads[digest] = nil
          disk.removePart(named: FileDownload.prefix + digest.description)
        }
      } catch {
        logger.error("Cannot delete partial files", metadata: ["error": "\(error.logText)"])
      }
    }
  }
}
