// A backup is a directory: the database as one moment has it, and the files that it names. Made
// beside a running broker – files are never changed and outlive the last record that names them by
// their grace, so those of the copied moment are still there –; put back only while none runs.

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

  /// Where it is.
  let directory: String

  /// Copies the broker's state in `state`. A backup that lies there is replaced by the newer one;
  /// files it has already are not copied again.
  /// - Returns: how many files the database names.
  func make(ofState state: String) throws -> Int {
    try makeDirectory(directory)
    // NB: the database first: files that come later belong to records that are not in the copy.
    try BrokerArchive(path: "\(state)/\(Self.database)").copy(to: "\(directory)/\(Self.database)")
    return try copyFiles(from: state, to: directory)
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
    let count = try copyFiles(from: directory, to: state.path)
    // Under another name until it is complete: a restore that is cut off leaves no half a broker.
    let partial = "\(target).restoring"
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

  /// Copies the files that the backup's database names.
  private func copyFiles(from source: String, to target: String) throws -> Int {
    let digests = try BrokerArchive(path: "\(directory)/\(Self.database)").assets()
    guard !digests.isEmpty else { return 0 }
    let from = try AssetFiles(directory: "\(source)/\(Self.files)", reserveBytes: 0)
    let to = try AssetFiles(directory: "\(target)/\(Self.files)", reserveBytes: 0)
    for digest in digests where !FileManager.default.fileExists(atPath: to.path(of: digest)) {
      try copyFile(from.path(of: digest), to: to.path(of: digest))
    }
    return digests.count
  }

  private func copyFile(_ source: String, to target: String) throws {
    let folder = URL(filePath: target).deletingLastPathComponent().path
    try makeDirectory(folder)
    let partial = "\(target).new"
    try? FileManager.default.removeItem(atPath: partial)
    do {
      try FileManager.default.copyItem(atPath: source, toPath: partial)
      try FileManager.default.moveItem(atPath: partial, toPath: target)
    } catch {
      throw DaemonError(
        .inputOutput, "The file “\(source)” cannot be copied to “\(target)”: \(error).")
    }
  }

  private func makeDirectory(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true,
        attributes: [.posixPermissions: NSNumber(value: 0o700)])
    } catch {
      throw DaemonError(.cannotCreate, "The directory “\(path)” cannot be made: \(error).")
    }
  }
}
