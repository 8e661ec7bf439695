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

/// What a backup or a restore did.
struct BackupReport {
  /// The files that are there now.
  var fileCount = 0
  /// The files that are missing, or hold something else than they should.
  var lostFiles: [AssetDigest] = []
  /// What was found in the database.
  let mending: BrokerArchive.Mending

  init(_ mending: BrokerArchive.Mending) {
    self.mending = mending
  }

  /// Whether something is missing.
  var hasLosses: Bool { !lostFiles.isEmpty || mending.damagedCount > 0 }

  /// What is missing, a sentence each.
  var sentences: [String] {
    var sentences = mending.damaged
    if mending.damagedCount > sentences.count {
      sentences.append("\(mending.damagedCount - sentences.count) more states are damaged.")
    }
    sentences += lostFiles.prefix(100).map { "The file \($0) is missing or damaged." }
    if lostFiles.count > 100 { sentences.append("\(lostFiles.count - 100) more files are.") }
    return sentences
  }
}

/// A backup's directory.
struct BrokerBackup {
  private static let database = "broker.sqlite"
  private static let files = "assets"
  private static let pieceBytes = 1 << 20

  /// Where it is.
  let directory: String

  /// Copies the broker's state in `state`. A backup that lies there is replaced by the newer one, unless
  /// that is damaged beyond single records; files it has already are not copied again.
  func make(ofState state: String) throws -> BackupReport {
    try Self.makeDirectory(directory)
    let target = "\(directory)/\(Self.database)"
    let partial = "\(target).unchecked"
    try Self.remove(partial)
    defer { try? Self.remove(partial) }
    // NB: the database first: files that come later belong to records that are not in the copy.
    try BrokerArchive(path: "\(state)/\(Self.database)").copy(to: partial)
    var report = BackupReport(try mended(partial, hint: "The backup from before was kept."))
    try BrokerArchive(path: partial).copy(to: target)
    try copyFiles(from: state, to: directory, reads: false, report: &report) { digest in
      try BrokerArchive(path: "\(state)/\(Self.database)").assets().contains(digest)
    }
    return report
  }

  /// Puts the backup into `state`, which must hold no database, and begins new histories. What is missing
  /// in the backup is noted in the database, so that the broker asks devices for it.
  func restore(toState state: StateDirectory, at now: Timestamp) throws -> BackupReport {
    let target = state.file(Self.database)
    let kept = [target, "\(target)-wal"].first { FileManager.default.fileExists(atPath: $0) }
    if let kept {
      throw DaemonError(
        .cannotCreate, "“\(kept)” is there already.",
        hint: "Move the old state away first; nothing was changed.")
    }
    // Under another name until it is complete: a restore that is cut off leaves no half a broker, and
    // what an earlier one left, its log first of all, must not be taken for a part of this one.
    let partial = "\(target).restoring"
    try Self.remove(partial)
    defer { try? Self.remove(partial) }
    try BrokerArchive(path: "\(directory)/\(Self.database)").copy(to: partial)
    let mending = try mended(partial, hint: "Nothing was put back; use another backup.")
    var report = BackupReport(mending)
    try copyFiles(from: directory, to: state.path, reads: true, report: &report) { _ in true }
    var generator = SystemRandomNumberGenerator()
    try BrokerArchive(path: partial).beginNewHistory(
      at: now, namesAreSure: mending.namesAreSure, lost: report.lostFiles, using: &generator)
    try BrokerArchive(path: partial).copy(to: target)
    return report
  }

  private func mended(_ path: String, hint: String) throws -> BrokerArchive.Mending {
    do {
      return try BrokerArchive(path: path).mend()
    } catch let error where error.kind == .damaged {
      throw DaemonError(.content, error.message, hint: hint)
    }
  }

  /// Removes a database with what lies beside it.
  private static func remove(_ path: String) throws {
    for end in ["-wal", "-shm", ""] where FileManager.default.fileExists(atPath: path + end) {
      try FileManager.default.removeItem(atPath: path + end)
    }
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
  /// again. Those that are missing or damaged in `source` are counted as lost.
  /// - Parameters:
  ///   - reads: whether those that are there are compared with their names.
  ///   - isMissed: whether a file that is not in `source` should be there.
  private func copyFiles(
    from source: String, to target: String, reads: Bool, report: inout BackupReport,
    isMissed: (AssetDigest) throws -> Bool
  ) throws {
    let digests = try BrokerArchive(path: "\(directory)/\(Self.database)").assets()
    guard !digests.isEmpty else { return }
    let from = try AssetFiles(directory: "\(source)/\(Self.files)", reserveBytes: 0)
    let to = try AssetFiles(directory: "\(target)/\(Self.files)", reserveBytes: 0)
    for digest in digests {
      do {
        let isThere =
          reads
          ? (try? to.open(digest)) != nil
          : FileManager.default.fileExists(atPath: to.path(of: digest))
        if !isThere { try copy(digest, from: from, to: to) }
        report.fileCount += 1
      } catch let error as RecordsError where error.code == .assetNotAvailable {
        if error.reason == nil, try !isMissed(digest) { continue }
        report.lostFiles.append(digest)
      }
    }
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
