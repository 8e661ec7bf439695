// A file that a command was asked to write. It appears when it is whole, so that one of before is
// never left half overwritten; and nobody else may read it, because it holds people's addresses and
// pictures. What is no plain file – a device, a pipe – is written to and stays what it is: moving a
// file to its place would put an end to it.

import Foundation
import Glibc

/// A file that is being written.
struct OutputFile {
  /// What was asked for, for messages.
  private let name: String
  /// The file itself, behind any links.
  private let path: String
  /// Where it is written until it is whole; `nil` for what is no plain file.
  private let partPath: String?
  private let descriptor: Int32

  /// Begins a file at `name`.
  /// - Throws: `cannotCreate` when nothing may be written there.
  init(path name: String) throws(ControlFailure) {
    self.name = name
    var found = stat()
    let isThere = stat(name, &found) == 0
    let isPlain = !isThere || found.st_mode & S_IFMT == S_IFREG
    path = isThere ? URL(filePath: name).resolvingSymlinksInPath().path : name
    if isPlain {
      // Beside the file, so that it can take its place; under a name that is nobody else's.
      let folder = URL(filePath: path).deletingLastPathComponent().path
      let part = "\(folder)/.contactsctl-\(UUID().uuidString)"
      descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      partPath = part
    } else {
      descriptor = open(name, O_WRONLY | O_CLOEXEC)
      partPath = nil
    }
    guard descriptor >= 0 else { throw Self.failure(name, "cannot be made", .cannotCreate) }
  }

  /// Writes all of `bytes`.
  func write(_ bytes: [UInt8]) throws(ControlFailure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else {
        throw Self.failure(name, "cannot be written", .inputOutput)
      }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// Makes it appear, once it is on the disk.
  func finish() throws(ControlFailure) {
    guard fsync(descriptor) == 0 || errno == EINVAL, Glibc.close(descriptor) == 0,
      partPath.map({ rename($0, path) == 0 }) ?? true
    else { throw Self.failure(name, "cannot be written", .inputOutput) }
  }

  /// Leaves everything as it was before.
  func discard() {
    if let partPath { unlink(partPath) }
  }

  private static func failure(
    _ name: String, _ what: String, _ status: ExitStatus
  ) -> ControlFailure {
    ControlFailure(
      code: status == .cannotCreate ? "cannotCreate" : "inputOutput",
      message: "“\(name)” \(what): \(String(cString: strerror(errno))).",
      hint: "Is there room, and are you permitted to?", exitCode: status)
  }
}
