// Backup and restore. A backup is a directory with a snapshot of the database, the assets that it names
// and the broker's key.
// It can be made while a broker runs: assets never change, and one that is deleted meanwhile is not needed
// by the snapshot's records. A restore needs a stopped broker. Each asset is verified against its digest
// while it is copied, and is flushed to disk before it gets its name.

import AssetFiles
import BrokerStore
import DaemonKit
import Foundation
import Glibc
import Records
import WholeFiles

/// The result of a backup or a restore.
struct BackupReport {
  /// The number of assets in the target.
  var fileCount = 0
  /// The assets that are missing or damaged.
  var lostFiles: [AssetDigest] = []
  /// The result of checking and mending the database.
  let mending: BrokerArchive.RepairReport

  init(_ mending: BrokerArchive.RepairReport) {
    self.mending = mending
  }

  /// Whether records or assets are missing or damaged.
  var hasLosses: Bool { !lostFiles.isEmpty || mending.damagedCount > 0 }

  /// A sentence for each loss.
  var sentences: [String] {
    var sentences = mending.damaged
    if mending.damagedCount > sentences.count {
      let rest = mending.damagedCount - sentences.count
      sentences.append("\(rest) more record versions are damaged.")
    }
    sentences += lostFiles.prefix(100).map { "The file \($0) is missing or damaged." }
    if lostFiles.count > 100 {
      sentences.append("\(lostFiles.count - 100) more files are missing or damaged.")
    }
    return sentences
  }
}

/// A backup directory.
struct BrokerBackup {
  private static let database = "broker.sqlite"
  private static let files = "assets"

  /// The path of the directory.
  let directory: String

  /// Backs up the state directory `state`. Replaces an older backup, unless the new copy of the database is
  /// damaged beyond single records. Assets that the backup already has are not copied again.
  func make(ofState state: String) throws -> BackupReport {
    try Self.makeDirectory(directory)
    let target = "\(directory)/\(Self.database)"
    let partial = "\(target).unchecked"
    try Self.remove(partial)
    defer { try? Self.remove(partial) }
    // NB: the database is copied first. Assets that are added later belong to records outside the snapshot.
    try BrokerArchive(path: "\(state)/\(Self.database)").copy(to: partial)
    var report = BackupReport(try mended(partial, hint: "The previous backup was not changed."))
    try closeOlderBackup()
    try BrokerArchive(path: partial).copy(to: target)
    try Self.copyKey(from: state, to: directory)
    try copyFiles(from: state, to: directory, verifiesTarget: false, report: &report) { digest in
      try BrokerArchive(path: "\(state)/\(Self.database)").assets().contains(digest)
    }
    return report
  }

  /// Makes an older backup unreadable for others, before anything is written to its files.
  private func closeOlderBackup() throws {
    for (name, mode) in [
      (Self.database, 0o600), (RemoteListener.keyFile, 0o600), (Self.files, 0o700),
    ] {
      let path = "\(directory)/\(name)"
      guard FileManager.default.fileExists(atPath: path) else { continue }
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
  }

  /// Restores the backup into `state`, which must not hold a database, and starts a new incarnation of each
  /// zone. Losses are recorded in the database, so that the broker asks devices for them.
  /// - Parameter kind: What devices do with what happened after the backup.
  func restore(
    toState state: StateDirectory, _ kind: RestoreKind, at now: Timestamp
  ) throws -> BackupReport {
    let target = state.file(Self.database)
    let existing = [target, "\(target)-wal"].first { FileManager.default.fileExists(atPath: $0) }
    if let existing {
      throw DaemonError(
        .cannotCreate, "“\(existing)” already exists.",
        hint: "Nothing was restored. Move the old state directory away first.")
    }
    // The database has a temporary name until it is complete. An interrupted restore then leaves no partial
    // state, and its files, such as a write-ahead log, cannot become part of a later restore.
    let partial = "\(target).restoring"
    try Self.remove(partial)
    defer { try? Self.remove(partial) }
    try BrokerArchive(path: "\(directory)/\(Self.database)").copy(to: partial)
    let mending = try mended(partial, hint: "Nothing was restored. Use another backup.")
    var report = BackupReport(mending)
    try copyFiles(from: directory, to: state.path, verifiesTarget: true, report: &report) { _ in
      true
    }
    try BrokerArchive(path: partial).beginNewHistory(
      at: now, kind, namesAreReliable: mending.namesAreReliable, lost: report.lostFiles)
    try Self.copyKey(from: directory, to: state.path)
    try BrokerArchive(path: partial).copy(to: target)
    return report
  }

  /// Copies the key by which devices on other machines know the broker, if there is one. Without it, they
  /// would not trust a restored broker.
  private static func copyKey(from source: String, to target: String) throws {
    let name = RemoteListener.keyFile
    guard FileManager.default.fileExists(atPath: "\(source)/\(name)") else { return }
    guard let bytes = FileManager.default.contents(atPath: "\(source)/\(name)") else {
      throw DaemonError(
        .inputOutput, "Cannot read “\(source)/\(name)”: \(String(cString: strerror(errno))).")
    }
    do {
      try WholeFile.put(bytes, at: "\(target)/\(name)")
    } catch {
      throw DaemonError(.cannotCreate, "Cannot write “\(target)/\(name)”: \(error).")
    }
  }

  private func mended(_ path: String, hint: String) throws -> BrokerArchive.RepairReport {
    do {
      return try BrokerArchive(path: path).mend()
    } catch let error where error.kind == .damaged {
      throw DaemonError(.content, error.message, hint: hint)
    }
  }

  /// Deletes a database with its write-ahead log and shared-memory file.
  private static func remove(_ path: String) throws {
    for end in ["-wal", "-shm", ""] where FileManager.default.fileExists(atPath: path + end) {
      try FileManager.default.removeItem(atPath: path + end)
    }
  }

  /// Refuses to write files that the broker could not open, because they would belong to another user.
  static func requireOwner(ofState path: String) throws(DaemonError) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_uid != geteuid() else { return }
    throw DaemonError(
      .notPermitted,
      "The state directory “\(path)” belongs to user \(status.st_uid). Only that user can do this.",
      hint: "Run the command as that user, for example: runuser -u contacts-broker -- COMMAND")
  }

  /// Copies the assets that the backup's database names, unless the target has them. Assets that are
  /// missing or damaged in `source` are added to the report.
  /// - Parameters:
  /// - verifiesTarget: whether assets that the target has are verified against their digests.
  /// - isExpected: whether an asset that `source` lacks should exist.
  private func copyFiles(
    from source: String, to target: String, verifiesTarget: Bool, report: inout BackupReport,
    isExpected: (AssetDigest) throws -> Bool
  ) throws {
    let digests = try BrokerArchive(path: "\(directory)/\(Self.database)").assets()
    guard !digests.isEmpty else { return }
    let from = try AssetFiles(directory: "\(source)/\(Self.files)", reserveBytes: 0)
    let to = try AssetFiles(directory: "\(target)/\(Self.files)", reserveBytes: 0)
    for digest in digests {
      do {
        let isThere =
          verifiesTarget
          ? (try? to.open(digest)) != nil
          : FileManager.default.fileExists(atPath: to.path(of: digest))
        if !isThere { try copy(digest, from: from, to: to) }
        report.fileCount += 1
      } catch let error as RecordsError where error.code == .assetNotAvailable {
        if error.reason == nil, try !isExpected(digest) { continue }
        report.lostFiles.append(digest)
      }
    }
  }

  private func copy(_ digest: AssetDigest, from: AssetFiles, to: AssetFiles) throws {
    let content = try from.open(digest)
    try to.add(Asset(digest, sizeBytes: content.byteCount)) { offset, count in
      Array(try content.bytes(from: offset, count: count))
    }
    to.unpin(digest)
  }

  static func makeDirectory(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true,
        attributes: [.posixPermissions: NSNumber(value: 0o700)])
    } catch {
      throw DaemonError(.cannotCreate, "Cannot create the directory “\(path)”: \(error).")
    }
  }
}
