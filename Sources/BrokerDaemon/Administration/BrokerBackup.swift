// A backup is a directory: the database as one moment has it, and the files that it names. Made
// beside a running broker: files are never changed, and one that goes meanwhile is needed by nothing
// that is kept. Put back only while none runs. Every file is compared with its name on its way, and
// on the disk before it has its name.

import AssetFiles
import BrokerStore
import DaemonKit
import Foundation
import Glibc
import Records
import SQLiteFile

/// A backup's directory.
struct BrokerBackup {
  private static let database = "broker.sqlite"
  private static let files = "assets"
  private static let pieceBytes = 1 << 20

  /// Where it is.
  let directory: String

  /// Copies the broker's state in `state`. A backup that lies there is replaced by the newer one;
  /// files it has already are not copied again.
  /// - Returns: how many files the database names.
  func make(ofState state: String) throws -> Int {
    try Self.makeDirectory(directory)
    // NB: the database first: files that come later belong to records that are not in the copy.
    try BrokerArchive(path: "\(state)/\(Self.database)").copy(to: "\(directory)/\(Self.database)")
    return try copyFiles(from: state, to: directory) { digest in
      try BrokerArchive(path: "\(state)/\(Self.database)").assets().contains(digest)
    }
  }

  /// Puts the backup into `state`, which must hold no database, and begins new histories.
  /// - Returns: how many files were put back.
  func restore(toState state: StateDirectory) throws -> Int {
    let target = state.file(Self.database)
    let kept = [target, "\(target)-wal"].first { FileManager.default.fileExists(atPath: $0) }
    if let kept {
      throw DaemonError(
        .cannotCreate, "“\(kept)” is there already.",
        hint: "Move the old state away first; nothing was changed.")
    }
    let count = try copyFiles(from: directory, to: state.path) { _ in true }
    // Under another name until it is complete: a restore that is cut off leaves no half a broker, and
    // what an earlier one left, its log first of all, must not be taken for a part of this one.
    let partial = "\(target).restoring"
    for end in ["-wal", "-shm", ""] {
      try? FileManager.default.removeItem(atPath: "\(partial)\(end)")
    }
    try BrokerArchive(path: "\(directory)/\(Self.database)").copy(to: partial)
    try BrokerArchive(path: partial).beginNewHistory()
    try BrokerArchive(path: partial).copy(to: target)
    for end in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: "\(partial)\(end)")
    }
    return count
  }

  /// Refuses to fill a directory with files that its broker could not open.
  static func requireOwner(ofState path: String) throws(DaemonError) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_uid != geteuid() else { return }
    throw DaemonError(
      .notPermitted, "“\(path)” belongs to user \(status.st_uid), and so must what is put there.",
      hint: "Run it as that user, as with: runuser -u contacts-broker --")
  }

  /// Copies the files that the backup's database names; those that are there already are not copied
  /// again. A file that cannot be copied does not keep the others from it.
  /// - Parameter isMissed: whether a file that is not in `source` should be there.
  private func copyFiles(
    from source: String, to target: String, isMissed: (AssetDigest) throws -> Bool
  ) throws -> Int {
    let digests = try BrokerArchive(path: "\(directory)/\(Self.database)").assets()
    guard !digests.isEmpty else { return 0 }
    let from = try AssetFiles(directory: "\(source)/\(Self.files)", reserveBytes: 0)
    let to = try AssetFiles(directory: "\(target)/\(Self.files)", reserveBytes: 0)
    var count = 0
    var failures: [RecordsError] = []
    for digest in digests {
      do {
        if !FileManager.default.fileExists(atPath: to.path(of: digest)) {
          try copy(digest, from: from, to: to)
        }
        count += 1
      } catch let error as RecordsError {
        if error.reason == nil, try !isMissed(digest) { continue }
        failures.append(error)
      }
    }
    guard let first = failures.first else { return count }
    throw DaemonError(
      .inputOutput,
      "\(failures.count) of \(digests.count) files were not copied; the first: \(first.message)",
      hint: "Everything else was.")
  }

  private func copy(_ digest: AssetDigest, from: AssetFiles, to: AssetFiles) throws {
    let content = try from.open(digest)
    let name = "copy-\(digest)"
    to.removePart(named: name)
    let part = try to.part(named: name)
    while part.byteCount < content.byteCount {
      try part.append(try content.bytes(from: part.byteCount, count: Self.pieceBytes))
    }
    try to.publish(part, as: Asset(digest, sizeBytes: content.byteCount))
    to.unpin(digest)
  }

  static func makeDirectory(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true,
        attributes: [.posixPermissions: NSNumber(value: 0o700)])
    } catch {
      throw DaemonError(.cannotCreate, "The directory “\(path)” cannot be made: \(error).")
    }
  }
}
