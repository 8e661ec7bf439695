// Files that are being downloaded. A download that a lost connection interrupts continues where it ended.

import AssetFiles
import NIOCore
import Records

/// The progress of a download.
enum FileDownload: Sendable {
  /// The prefix of the parts of downloads.
  static let prefix = "fetch-"

  /// The first bytes are on the disk.
  case incomplete(byteCount: Int)
  /// The file is complete, durable and pinned.
  case complete
}

extension DeviceFiles {
  /// Opens a file to download it, with what an earlier attempt left of it. Calls `completion` on `loop`.
  func openDownload(
    of asset: Asset, on loop: any EventLoop,
    completion: @escaping @Sendable (Result<FileDownload, RecordsError>) -> Void
  ) {
    continueDownload(of: asset, on: loop, completion) { disk, work in
      try disk.requireRoom(forBytes: asset.byteCount)
      work.downloads[asset.id] = nil
      let part = try disk.part(named: "\(FileDownload.prefix)\(asset.id)")
      work.downloads[asset.id] = part
      guard part.byteCount <= asset.byteCount else {
        part.discard()
        throw RecordsError(.serverResponseLost, "The file has more bytes than expected.")
      }
    }
  }

  /// Appends a chunk to a file that is being downloaded. Calls `completion` on `loop`.
  func append(
    _ chunk: AssetPiece, to asset: Asset, on loop: any EventLoop,
    completion: @escaping @Sendable (Result<FileDownload, RecordsError>) -> Void
  ) {
    continueDownload(of: asset, on: loop, completion) { _, work in
      guard let part = work.downloads[asset.id], part.byteCount == chunk.offset else {
        throw RecordsError(.serverResponseLost, "A file chunk is out of order.")
      }
      try part.append(chunk.content)
    }
  }

  /// Runs `change`, and makes the file durable if it is complete then.
  private func continueDownload(
    of asset: Asset, on loop: any EventLoop,
    _ completion: @escaping @Sendable (Result<FileDownload, RecordsError>) -> Void,
    _ change: @escaping @Sendable (AssetFiles, inout Work) throws -> Void
  ) {
    submit { [self] work in
      let length = result { () throws in
        try change(disk, &work)
        return work.downloads[asset.id]?.byteCount ?? 0
      }
      guard case .success(asset.byteCount) = length,
        let part = work.downloads.removeValue(forKey: asset.id)
      else {
        return loop.execute { completion(length.map { .incomplete(byteCount: $0) }) }
      }
      finish(MovedPart(part: part), as: asset, on: loop, completion)
    }
  }

  /// A part on its way to another thread.
  ///
  /// NB: `@unchecked` because one thread at a time uses a part, and the sender does not use it again.
  private struct MovedPart: @unchecked Sendable {
    let part: AssetPart
  }

  private func finish(
    _ moved: MovedPart, as asset: Asset, on loop: any EventLoop,
    _ completion: @escaping @Sendable (Result<FileDownload, RecordsError>) -> Void
  ) {
    submitFinish { [self] in
      let result = result { () throws -> FileDownload in
        try disk.publish(moved.part, as: asset)
        return .complete
      }
      loop.execute { completion(result) }
    }
  }
}
